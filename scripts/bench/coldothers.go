package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/scripts/k6"
)

const (
	curlBurst = 100 // processes of curl a turn
	k6Burst   = 600 // iterations of k6 a turn, besides those of the run that tells what its start takes
	k6Few     = 10  // iterations of that one

	// k6Patience bounds how long building k6 may take.
	k6Patience = 8 * time.Minute
)

// others are the programs that an exchange is held against, each in processes of its own.
type others struct {
	dir     string
	k6      string // "" when it cannot be had
	missing error  // why
	h3      bool   // curl can speak HTTP/3
}

func newOthers(dir string) (*others, error) {
	if err := need("curl", "curl"); err != nil {
		return nil, err
	}
	version, err := output("curl", "--version")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), k6Patience)
	defer cancel()
	o := &others{dir: dir, h3: strings.Contains(version, "HTTP3")}
	o.k6, o.missing = k6.Path(ctx)
	return o, nil
}

// root is a file with the certificate to trust.
func (o *others) root(s *server) (string, error) {
	path := filepath.Join(o.dir, "root.pem")
	return path, os.WriteFile(path, s.root, 0o644)
}

// curlTurn starts curl once an exchange.
func (o *others) curlTurn(c *costs, s *server, t *probe.Target) error {
	if c.protocol == probe.HTTP3 && !o.h3 {
		return nil
	}
	root, err := o.root(s)
	if err != nil {
		return err
	}
	flag, version := curlProtocol(c.protocol)
	args := []string{"-q", "-sS", "-o", os.DevNull, "-w", "%{http_version}", flag, "--cacert", root, t.URL.String()}
	var sum usage
	for range curlBurst {
		var said bytes.Buffer
		u, err := measured(&said, "curl", args...)
		if err != nil {
			return err
		}
		if said.String() != version {
			return fmt.Errorf("curl %s spoke HTTP/%s", flag, said.String())
		}
		sum.wall, sum.cpu = sum.wall+u.wall, sum.cpu+u.cpu
	}
	c.curl.spend(sum, curlBurst)
	return nil
}

// curlProtocol is the option for a protocol, and what curl then says it spoke.
func curlProtocol(p probe.Protocol) (option, version string) {
	switch p {
	case probe.HTTP2:
		return "--http2", "2"
	case probe.HTTP3:
		return "--http3-only", "3"
	}
	return "--http1.1", "1.1"
}

// k6Turn runs k6 once for a few iterations and once for as many more, so that its start is in neither.
func (o *others) k6Turn(c *costs, s *server, t *probe.Target) error {
	if o.missing != nil || c.protocol == probe.HTTP3 {
		return nil
	}
	few, err := o.iterations(c, s, t, k6Few)
	if err != nil {
		return err
	}
	many, err := o.iterations(c, s, t, k6Few+k6Burst)
	if err != nil {
		return err
	}
	c.k6.spend(usage{wall: many.wall - few.wall, cpu: many.cpu - few.cpu}, k6Burst)
	return nil
}

func (o *others) iterations(c *costs, s *server, t *probe.Target, n int) (usage, error) {
	root, err := o.root(s)
	if err != nil {
		return usage{}, err
	}
	env, test := []string{"SSL_CERT_FILE=" + root}, k6.Test{URL: t.URL.String(), N: n, Protocol: "HTTP/2.0"}
	if c.protocol == probe.HTTP11 {
		env, test.Protocol = append(env, k6.OnlyHTTP1), "HTTP/1.1"
	}
	file := filepath.Join(o.dir, "cold.js")
	if err := os.WriteFile(file, test.Script(), 0o644); err != nil {
		return usage{}, err
	}
	return measuredIn(env, io.Discard, o.k6, k6.Args(file)...)
}

// spend keeps a turn of n exchanges in other processes, whose allocations cannot be told.
func (c *cost) spend(u usage, n float64) {
	c.cpu = append(c.cpu, microseconds(u.cpu)/n)
	c.wall = append(c.wall, microseconds(u.wall)/n)
}

// showOthers writes every tool on a line of its own. What is beyond the bare client is beyond the wire and
// the server too, which are the same for all.
func showOthers(w io.Writer, all []*costs, o *others) {
	rows := [][]string{{"", "", "CPU us", "CPU / bare", "wall us", "wall beyond bare us", "allocations"}}
	for _, c := range all {
		for _, x := range []struct {
			name string
			cost cost
		}{{"bare", c.bare}, {"coldsplit", c.ours}, {"curl", c.curl}, {o.k6Name(), c.k6}} {
			rows = append(rows, []string{c.name, x.name, x.cost.cpu.show("%.0f"), x.cost.cpu.over(c.bare.cpu).show("%.2f"),
				x.cost.wall.show("%.0f"), x.cost.wall.minus(c.bare.wall).show("%.0f"), x.cost.allocs.show("%.0f")})
		}
	}
	table(w, "One cold exchange beside curl and k6", rows)
	fmt.Fprintf(w, "\nThe same server, in the same turns. curl is %d processes a turn, each with its start: that is how curl makes a cold exchange."+
		"\nk6 is one process of one virtual user without connection reuse: a run of %d iterations less one of %d, so that its start is in"+
		"\nneither. Their CPU is that of the processes, user and system. Protocols were checked; \"-\" is what a tool lacks or cannot be told.\n",
		curlBurst, k6Few+k6Burst, k6Few)
	if o.missing != nil {
		reason, _, _ := strings.Cut(o.missing.Error(), "\n")
		fmt.Fprintf(w, "k6 could not be built: %s.\n", reason)
	}
}

func (o *others) k6Name() string {
	if o.missing != nil {
		return "k6 (not built)"
	}
	return "k6"
}
