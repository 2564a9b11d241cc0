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

// kinds are the ways an exchange can go.
var kinds = []struct {
	name     string
	protocol probe.Protocol
	scheme   string
}{
	{"http/1.1, plain", probe.HTTP11, "http"}, {"http/1.1 over TLS", probe.HTTP11, "https"},
	{"h2 over TLS", probe.HTTP2, "https"}, {"h3 over QUIC", probe.HTTP3, "https"},
}

// cost is what one exchange took on average in one turn.
type cost struct{ cpu, wall, allocs sample }

// cold holds an exchange of ours against a bare request of the libraries below it.
func cold(w io.Writer, s settings) error {
	server, err := startServer()
	if err != nil {
		return err
	}
	rows := [][]string{{"", "CPU us, bare", "CPU us, coldsplit", "CPU ratio", "CPU added us", "wall added us", "allocations, bare", "coldsplit", "ratio"}}
	for _, k := range kinds {
		bare, ours, err := compareKind(s, server.target(k.protocol, k.scheme))
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		rows = append(rows, []string{k.name, bare.cpu.show("%.0f"), ours.cpu.show("%.0f"), ours.cpu.over(bare.cpu).show("%.2f"),
			ours.cpu.minus(bare.cpu).show("%.0f"), ours.wall.minus(bare.wall).show("%.0f"),
			bare.allocs.show("%.0f"), ours.allocs.show("%.0f"), ours.allocs.over(bare.allocs).show("%.2f")})
	}
	table(w, "One cold exchange", rows)
	fmt.Fprintf(w, "\nThe server runs in another process on the same machine. bare is one request on a new connection by http.Transport or\n"+
		"http3.Transport, the content read to its end, nothing recorded; %d exchanges of each a turn. CPU is this process's own.\n", burst)
	return server.stop()
}

func compareKind(s settings, t *probe.Target) (bare, ours cost, err error) {
	prober := &probe.Prober{}
	probed := func() error {
		if e := prober.Do(context.Background(), t).Exchange; e.Outcome != record.OK {
			return fmt.Errorf("%s: %s", e.Outcome, e.Error.Text)
		}
		return nil
	}
	plain := func() error { return bareRequest(t) }
	for range s.repeat {
		if err := bare.turn(plain); err != nil {
			return bare, ours, err
		}
		if err := ours.turn(probed); err != nil {
			return bare, ours, err
		}
	}
	return bare, ours, nil
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
