//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/servertest"
	"github.com/coldsplit/coldsplit/scripts/wan"
)

// onHost is the system's network as it looks from a host.
type onHost struct {
	probe.System
	host      *wan.Host
	resolvers []netip.AddrPort
}

func (n onHost) Dial(ctx context.Context, network string, addr netip.AddrPort) (conn net.Conn, err error) {
	err = n.host.Do(func() (err error) {
		conn, err = n.System.Dial(ctx, network, addr)
		return err
	})
	return conn, err
}

func (n onHost) ListenPacket(ctx context.Context, network string) (conn net.PacketConn, err error) {
	err = n.host.Do(func() (err error) {
		conn, err = n.System.ListenPacket(ctx, network)
		return err
	})
	return conn, err
}

func (n onHost) Resolver() []netip.AddrPort { return n.resolvers }

func needs(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs seconds of real time")
	}
	servertest.RequireRoot(t)
	for _, p := range programs {
		servertest.Require(t, p)
	}
}

// The short run: one round trip time, and how far the median may be from the wire. The bound is generous,
// for machines with other things to do: what the full table finds is ten times smaller.
const (
	shortRTT   = 20 * time.Millisecond
	shortN     = 50
	shortBound = 500 * time.Microsecond
)

// TestShortWireTruth holds the median error of tcp and wait against the witness below shortBound.
func TestShortWireTruth(t *testing.T) {
	needs(t, "ip", "tcpdump", "tshark", "caddy")
	s, err := newStage(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	s.setRTT(shortRTT)
	for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.HTTP3} {
		t.Run(string(protocol), func(t *testing.T) {
			diffs := shortErrors(t, s, protocol)
			for _, column := range []string{"tcp", "wait"} {
				if len(diffs[column]) == 0 {
					continue
				}
				middle := rank(diffs[column], 50)
				t.Logf("%s: |reported - wire| p50 %v, p99 %v", column, middle, rank(diffs[column], 99))
				if middle > shortBound {
					t.Errorf("%s is %v from the wire (p50 of %d), want at most %v", column, middle, len(diffs[column]), shortBound)
				}
			}
		})
	}
}

func shortErrors(t *testing.T, s *stage, protocol probe.Protocol) map[string][]time.Duration {
	t.Helper()
	var keys bytes.Buffer
	target := &probe.Target{URL: parsed(t, s.url("https", smallPath)), Protocol: protocol, RootCAs: trusted(t, s.ca), KeyLog: &keys}
	p := probe.Prober{Network: onHost{host: s.client}}
	p.Do(context.Background(), target) // the kernel turns its stamps on a moment after they are first asked for
	keys.Reset()
	capture := filepath.Join(s.dir, "short.pcap")
	var reported []times
	err := watch(s.client, capture, func() error {
		for range shortN {
			e := p.Do(context.Background(), target).Exchange
			if e.Outcome != record.OK {
				t.Fatalf("%s: %+v", e.Outcome, e.Error)
			}
			reported = append(reported, timesOf(&e))
		}
		return os.WriteFile(s.keys, keys.Bytes(), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	wire, err := s.witnessed(capture)
	if err != nil {
		t.Fatal(err)
	}
	diffs, _, err := compare(reported, wire)
	if err != nil {
		t.Fatal(err)
	}
	return diffs
}

func parsed(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func trusted(t *testing.T, file string) *x509.CertPool {
	t.Helper()
	pem, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return pool
}
