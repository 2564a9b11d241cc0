package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// burst is how many exchanges one turn of one kind makes.
const burst = 300

// kind is a way an exchange can go.
type kind struct {
	name     string
	protocol probe.Protocol
	scheme   string
}

var kinds = []kind{
	{"http/1.1, plain", probe.HTTP11, "http"}, {"http/1.1 over TLS", probe.HTTP11, "https"},
	{"h2 over TLS", probe.HTTP2, "https"}, {"h3 over QUIC", probe.HTTP3, "https"},
}

// cost is what one exchange took on average in one turn.
type cost struct{ cpu, wall, allocs sample }

// costs are what each tool took of one kind.
type costs struct {
	kind
	bare, ours, curl, k6 cost
}

// cold holds an exchange of ours against a bare request of the libraries below it, and against curl and k6.
func cold(w io.Writer, s settings) error {
	others, err := newOthers(s.dir)
	if err != nil {
		return err
	}
	server, err := startServer()
	if err != nil {
		return err
	}
	var all []*costs
	for _, k := range kinds {
		c := &costs{kind: k}
		if err := c.measure(s, server, others); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		all = append(all, c)
	}
	showCold(w, all)
	showOthers(w, all, others)
	return server.stop()
}

// showCold writes what is ours beside what is bare.
func showCold(w io.Writer, all []*costs) {
	rows := [][]string{{"", "CPU us, bare", "CPU us, coldsplit", "CPU ratio", "CPU added us", "wall added us", "allocations, bare", "coldsplit", "ratio"}}
	for _, c := range all {
		bare, ours := c.bare, c.ours
		rows = append(rows, []string{c.name, bare.cpu.show("%.0f"), ours.cpu.show("%.0f"), ours.cpu.over(bare.cpu).show("%.2f"),
			ours.cpu.minus(bare.cpu).show("%.0f"), ours.wall.minus(bare.wall).show("%.0f"),
			bare.allocs.show("%.0f"), ours.allocs.show("%.0f"), ours.allocs.over(bare.allocs).show("%.2f")})
	}
	table(w, "One cold exchange", rows)
	fmt.Fprintf(w, "\nThe server runs in another process on the same machine. bare is one request on a new connection by http.Transport or\n"+
		"http3.Transport, the content read to its end, nothing recorded; %d exchanges of each a turn. CPU is this process's own.\n", burst)
}

// measure lets every tool take its turn, again and again.
func (c *costs) measure(s settings, server *server, o *others) error {
	t := server.target(c.protocol, c.scheme)
	prober := &probe.Prober{}
	probed := func() error {
		if e := prober.Do(context.Background(), t).Exchange; e.Outcome != record.OK {
			return fmt.Errorf("%s: %s", e.Outcome, e.Error.Text)
		}
		return nil
	}
	plain := func() error { return bareRequest(t) }
	for range s.repeat {
		for _, turn := range []func() error{
			func() error { return c.bare.turn(plain) },
			func() error { return c.ours.turn(probed) },
			func() error { return o.curlTurn(c, server, t) },
			func() error { return o.k6Turn(c, server, t) },
		} {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn makes a burst of exchanges and keeps the mean of each.
func (c *cost) turn(once func() error) error {
	if err := once(); err != nil {
		return err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, began := cpuOfThis(), time.Now()
	for range burst {
		if err := once(); err != nil {
			return err
		}
	}
	wall, cpu := time.Since(began), cpuOfThis()-cpu
	runtime.ReadMemStats(&after)
	c.cpu = append(c.cpu, microseconds(cpu)/burst)
	c.wall = append(c.wall, microseconds(wall)/burst)
	c.allocs = append(c.allocs, float64(after.Mallocs-before.Mallocs)/burst)
	return nil
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// bareRequest is one request on a new connection as the libraries do it.
func bareRequest(t *probe.Target) error {
	var trip http.RoundTripper
	config := &tls.Config{RootCAs: t.RootCAs}
	if t.Protocol == probe.HTTP3 {
		transport := &http3.Transport{TLSClientConfig: config, QUICConfig: &quic.Config{}, DisableCompression: true}
		defer transport.Close()
		trip = transport
	} else {
		transport := &http.Transport{TLSClientConfig: config, DisableCompression: true, ForceAttemptHTTP2: t.Protocol == probe.HTTP2}
		defer transport.CloseIdleConnections()
		trip = transport
	}
	req, err := http.NewRequest(http.MethodGet, t.URL.String(), nil)
	if err != nil {
		return err
	}
	resp, err := trip.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
