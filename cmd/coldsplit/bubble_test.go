package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// bubble is a network in virtual time, with the program run on it.
type bubble struct {
	t     *testing.T
	net   *probetest.Network
	ca    *probetest.Authority
	dir   string
	stops []func()
}

const ms = time.Millisecond

// inBubble runs a test in virtual time: what is measured is exact, and pauses cost nothing. One round
// trip to anywhere takes 8 ms unless the test puts a host elsewhere.
func inBubble(t *testing.T, test func(b *bubble)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := probetest.New(4 * ms)
		n.Zone = probetest.Zone{}
		b := &bubble{t: t, net: n, ca: probetest.NewAuthority(), dir: dir}
		test(b)
		for _, stop := range b.stops {
			stop()
		}
		time.Sleep(time.Minute) // let goodbyes arrive before virtual time ends
	})
}

// host gives a name its address and a certificate of the bubble's authority, and serves there.
func (b *bubble) host(name, addr string, o probetest.Origin) {
	b.net.Zone[name] = probetest.Records{A: []string{addr}, TTL: 60}
	if o.TLS == nil {
		o.TLS = &tls.Config{Certificates: []tls.Certificate{b.ca.Issue(name)}}
	}
	b.stops = append(b.stops, b.net.Serve(addr+":443", o))
}

func (b *bubble) path(name string) string { return filepath.Join(b.dir, name) }

// run is the program on the bubble's network.
func (b *bubble) run(args ...string) (stdout, stderr string, code int) {
	b.t.Helper()
	return b.runWith(streams{}, args...)
}

func (b *bubble) runWith(s streams, args ...string) (stdout, stderr string, code int) {
	b.t.Helper()
	var out, errs bytes.Buffer
	env := map[string]string{"XDG_STATE_HOME": b.dir}
	s.out, s.err = &out, &errs
	if s.in == nil {
		s.in = strings.NewReader("")
	}
	if s.getenv == nil {
		s.getenv = func(k string) string { return env[k] }
	}
	if s.world == nil {
		s.world = &world{network: b.net, roots: b.ca.Roots()}
	}
	code = run(context.Background(), args, s)
	return out.String(), errs.String(), code
}

// probe runs probe, keeping the run in the file named, in place of an earlier one.
func (b *bubble) probe(file string, args ...string) (stdout, stderr string, code int) {
	b.t.Helper()
	os.Remove(b.path(file))
	return b.run(append([]string{"probe", "--save", b.path(file)}, args...)...)
}

// picture compares what was printed with a picture that starts with a line end.
func picture(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("picture differs (-want +got):\n%s", diff)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func writePEM(t *testing.T, name string, der []byte) {
	t.Helper()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
