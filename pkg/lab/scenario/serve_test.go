package scenario_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// The doors are asked as any tool on this machine would ask them.
func TestServeOpensFrontDoorsOnThisMachine(t *testing.T) {
	t.Parallel()
	w := open(t, "edge-handshake", 1)
	served, err := scenario.Serve(t.Context(), w, scenario.ServeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(served.Doors) != 2 || served.Doors[0].Local == served.Doors[1].Local {
		t.Fatalf("doors %+v, want one for each route", served.Doors)
	}
	time.Sleep(time.Second) // longer than a connection ahead takes to open
	for _, protocol := range []string{"h2", "h3"} {
		setup, body := visit(t, w, served.Doors[0], protocol)
		if setup < 240*ms || setup > 460*ms {
			t.Errorf("%s: setup took %v, want one round trip of 240 ms", protocol, setup)
		}
		if !strings.Contains(body, `"currency"`) {
			t.Errorf("%s: answer %.40q, want the origin's page", protocol, body)
		}
	}
	if err := served.Close(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", served.Doors[0].Local.String()); err == nil {
		t.Error("a door is open after Close")
	}
}

func visit(t *testing.T, w *scenario.World, d scenario.FrontDoor, protocol string) (setup time.Duration, body string) {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(w.RootPEM())
	trust := &tls.Config{RootCAs: roots, ServerName: d.Host, NextProtos: []string{protocol}}
	rt, done := local(d.Local, trust, protocol, &setup)
	defer done()
	ctx, cancel := context.WithTimeout(t.Context(), exchangeLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.Routes[0].URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return setup, string(content)
}

// local connects to a port of this machine and times the handshake.
func local(addr netip.AddrPort, trust *tls.Config, protocol string, setup *time.Duration) (http.RoundTripper, func()) {
	start := time.Now()
	if protocol == "h3" {
		tr := &http3.Transport{TLSClientConfig: trust, Dial: func(ctx context.Context, _ string, trust *tls.Config, cfg *quic.Config) (*quic.Conn, error) {
			c, err := quic.DialAddr(ctx, addr.String(), trust, cfg)
			*setup = time.Since(start)
			return c, err
		}}
		return tr, func() { _ = tr.Close() }
	}
	tr := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: trust,
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			c, err := (&tls.Dialer{Config: trust}).DialContext(ctx, "tcp", addr.String())
			*setup = time.Since(start)
			return c, err
		}}
	return tr, tr.CloseIdleConnections
}
