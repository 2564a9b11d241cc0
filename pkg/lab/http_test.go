package lab_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

const siteName = "site.example"

// site is an HTTPS origin over TCP and QUIC and what a client needs to trust it.
type site struct {
	client, server *lab.Host
	net            *lab.Internet
	trust          *tls.Config
}

func newSite(t testing.TB, cert lab.CertOptions) site {
	t.Helper()
	n, client, server := twoHosts(t)
	ca, err := lab.NewCA("lab root")
	if err != nil {
		t.Fatal(err)
	}
	cert.Names = []string{siteName}
	issued, err := ca.Issue(cert)
	if err != nil {
		t.Fatal(err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })
	serveHTTPS(t, server, handler, issued)
	serveHTTP3(t, server, handler, issued)
	return site{client, server, n, &tls.Config{RootCAs: ca.Pool(), ServerName: siteName}}
}

func serveHTTPS(t testing.TB, h *lab.Host, handler http.Handler, cert tls.Certificate) {
	t.Helper()
	l, err := h.Listen("tcp", 443)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: handler, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}}}
	go func() { _ = s.ServeTLS(l, "", "") }()
	t.Cleanup(func() { _ = s.Close() })
}

func serveHTTP3(t testing.TB, h *lab.Host, handler http.Handler, cert tls.Certificate) {
	t.Helper()
	pc, err := h.ListenUDP(443)
	if err != nil {
		t.Fatal(err)
	}
	s := &http3.Server{Handler: handler, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}})}
	go func() { _ = s.Serve(pc) }()
	t.Cleanup(func() {
		_ = s.Close()
		_ = pc.Close()
	})
}

func (s site) dialTLS(ctx context.Context) (net.Conn, error) {
	return s.client.Dial(ctx, "tcp", s.server.AddrPort(443))
}

func TestTLSTakesAnotherRoundTrip(t *testing.T) {
	for name, key := range map[string]lab.KeyType{"Ed25519": lab.Ed25519, "ECDSA P-256": lab.ECDSAP256} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, lab.CertOptions{Key: key})
			start := time.Now()
			raw := dial(t, s.client, "tcp", s.server.AddrPort(443))
			atLeast(t, "connect", start, rtt)
			start = time.Now()
			if err := tls.Client(raw, s.trust).Handshake(); err != nil {
				t.Fatal(err)
			}
			atLeast(t, "TLS", start, rtt)
			checkInfo(t, raw.(*lab.Conn), 0)
		})
	}
}

func TestOversizedChainCostsAFurtherRoundTrip(t *testing.T) {
	const window = 10 * 1460 // RFC 6928
	s := newSite(t, lab.CertOptions{Intermediates: 2, ChainBytes: 2 * window})
	raw := dial(t, s.client, "tcp", s.server.AddrPort(443))
	start := time.Now()
	c := tls.Client(raw, s.trust)
	if err := c.Handshake(); err != nil {
		t.Fatal(err)
	}
	atLeast(t, "TLS with an oversized chain", start, 2*rtt)
	chain := 0
	for _, cert := range c.ConnectionState().PeerCertificates {
		chain += len(cert.Raw)
	}
	if got := len(c.ConnectionState().PeerCertificates); got != 3 || chain < 2*window {
		t.Errorf("chain of %d certificates, %d bytes; want 3 and at least %d", got, chain, 2*window)
	}
}

func TestQUICTakesOneRoundTrip(t *testing.T) {
	for _, network := range []string{"udp4", "udp6"} {
		t.Run(network, func(t *testing.T) {
			s := newSite(t, lab.CertOptions{})
			family := map[string]int{"udp4": 4, "udp6": 6}[network]
			start := time.Now()
			conn := s.dialQUIC(t, network, addrOf(t, s.server, family, 443))
			atLeast(t, "QUIC", start, rtt)
			_ = conn.CloseWithError(0, "")
		})
	}
}

func (s site) dialQUIC(t testing.TB, network string, addr netip.AddrPort) *quic.Conn {
	t.Helper()
	pc, err := s.client.ListenPacket(context.Background(), network)
	if err != nil {
		t.Fatal(err)
	}
	tr := &quic.Transport{Conn: pc}
	t.Cleanup(func() {
		_ = tr.Close()
		_ = pc.Close()
	})
	trust := s.trust.Clone()
	trust.NextProtos = []string{http3.NextProtoH3}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := tr.Dial(ctx, net.UDPAddrFromAddrPort(addr), trust, nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestHTTPExchanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, lab.CertOptions{})
	cases := map[string]struct {
		transport http.RoundTripper
		setup     time.Duration
	}{
		"HTTP/1.1": {s.overTCP("http/1.1"), 2 * rtt},
		"HTTP/2.0": {s.overTCP("h2"), 2 * rtt},
		"HTTP/3.0": {s.overQUIC(t), rtt},
	}
	for want, c := range cases {
		t.Run(want, func(t *testing.T) {
			start := time.Now()
			got := fetch(t, c.transport)
			atLeast(t, "cold request", start, c.setup+rtt)
			if got != want {
				t.Errorf("origin saw %q, want %q", got, want)
			}
			start = time.Now()
			fetch(t, c.transport)
			atLeast(t, "warm request", start, rtt)
		})
	}
}

func (s site) overTCP(alpn string) *http.Transport {
	trust := s.trust.Clone()
	trust.NextProtos = []string{alpn}
	return &http.Transport{
		TLSClientConfig:   trust,
		ForceAttemptHTTP2: alpn == "h2",
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return s.dialTLS(ctx)
		},
	}
}

func (s site) overQUIC(t *testing.T) *http3.Transport {
	tr := &http3.Transport{
		TLSClientConfig: s.trust,
		Dial: func(context.Context, string, *tls.Config, *quic.Config) (*quic.Conn, error) {
			return s.dialQUIC(t, "udp4", s.server.AddrPort(443)), nil
		},
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func fetch(t *testing.T, rt http.RoundTripper) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+siteName+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestUntrustedRootIsRefused(t *testing.T) {
	s := newSite(t, lab.CertOptions{})
	other, err := lab.NewCA("another root")
	if err != nil {
		t.Fatal(err)
	}
	raw := dial(t, s.client, "tcp", s.server.AddrPort(443))
	err = tls.Client(raw, &tls.Config{RootCAs: other.Pool(), ServerName: siteName}).Handshake()
	var verification *tls.CertificateVerificationError
	if !errors.As(err, &verification) {
		t.Errorf("handshake under another root: %v, want a certificate error", err)
	}
}
