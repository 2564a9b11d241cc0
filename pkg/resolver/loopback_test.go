package resolver_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// loopback is the system's network, with a resolver of the test's own.
type loopback struct{ resolvers []netip.AddrPort }

func (l loopback) Resolver() []netip.AddrPort { return l.resolvers }

func (l loopback) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, addr.String())
}

const aaaaDelay = 40 * time.Millisecond

// handler answers from records, AAAA after a delay, and big.example.com truncated over UDP.
func handler(t *testing.T) dns.HandlerFunc {
	records := zone(t, "api.example.com. 60 A 192.0.2.10", "api.example.com. 60 AAAA 2001:db8::10")
	return func(w dns.ResponseWriter, in *dns.Msg) {
		if in.Question[0].Qtype == dns.TypeAAAA {
			time.Sleep(aaaaDelay)
		}
		out := records(in.Question[0])
		out.SetReply(in)
		if strings.HasPrefix(in.Question[0].Name, "big.") && w.LocalAddr().Network() == "udp" {
			out.Truncated, out.Answer = true, nil
		}
		_ = w.WriteMsg(out)
	}
}

// authority makes a certificate for names and the pool that trusts it.
func authority(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "dns.example.net"}, DNSNames: []string{"dns.example.net"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// serveDNS runs UDP and TCP on one port and TLS on another.
func serveDNS(t *testing.T, cert tls.Certificate) (plain, secure netip.AddrPort) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	packets, err := net.ListenPacket("udp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	overTLS, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range []*dns.Server{{PacketConn: packets}, {Listener: listener}, {Listener: overTLS}} {
		server.Handler = handler(t)
		started := make(chan struct{})
		server.NotifyStartedFunc = func() { close(started) }
		go func() { _ = server.ActivateAndServe() }()
		<-started
		t.Cleanup(func() { _ = server.Shutdown() })
	}
	return netip.MustParseAddrPort(listener.Addr().String()), netip.MustParseAddrPort(overTLS.Addr().String())
}

// capture is the http side of a resolver: it answers one message per request.
type capture struct {
	handler dns.HandlerFunc
	out     *dns.Msg
}

func (c *capture) LocalAddr() net.Addr         { return &net.TCPAddr{} }
func (c *capture) RemoteAddr() net.Addr        { return &net.TCPAddr{} }
func (c *capture) WriteMsg(m *dns.Msg) error   { c.out = m; return nil }
func (c *capture) Write(p []byte) (int, error) { return len(p), nil }
func (c *capture) Close() error                { return nil }
func (c *capture) TsigStatus() error           { return nil }
func (c *capture) TsigTimersOnly(bool)         {}
func (c *capture) Hijack()                     {}
func (c *capture) Network() string             { return "tcp" }

func serveDoH(t *testing.T, cert tls.Certificate, h2 bool, answer http.HandlerFunc) netip.AddrPort {
	t.Helper()
	server := httptest.NewUnstartedServer(answer)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = h2
	server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return netip.MustParseAddrPort(server.Listener.Addr().String())
}

func answerDoH(t *testing.T, proto *atomic.Value) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		proto.Store(r.Proto)
		body, _ := io.ReadAll(r.Body)
		in := new(dns.Msg)
		if r.Method != http.MethodPost || r.URL.Path != "/dns-query" || in.Unpack(body) != nil || in.Id != 0 {
			http.Error(w, "not a query", http.StatusBadRequest)
			return
		}
		c := &capture{handler: handler(t)}
		c.handler(c, in)
		wire, _ := c.out.Pack()
		w.Header().Set("Content-Type", "application/dns-message")
		_, _ = w.Write(wire)
	}
}

func TestRealServersEveryWay(t *testing.T) {
	cert, pool := authority(t)
	plain, secure := serveDNS(t, cert)
	var proto1, proto2 atomic.Value
	doh1 := serveDoH(t, cert, false, answerDoH(t, &proto1))
	doh2 := serveDoH(t, cert, true, answerDoH(t, &proto2))
	for name, way := range map[string]string{
		"udp": "udp://" + plain.String(), "tcp": "tcp://" + plain.String(), "tls": "tls://" + secure.String(),
		"https over http/1.1": "https://" + doh1.String(), "https over h2": "https://" + doh2.String(), "network's own": "system",
	} {
		t.Run(name, func(t *testing.T) {
			spec := parse(t, way)
			spec.RootCAs = pool
			got, err := spec.Lookup(t.Context(), loopback{resolvers: []netip.AddrPort{plain}}, host, 0)
			if err != nil {
				t.Fatal(err)
			}
			if !got.HasA || !got.HasAAAA || got.AAAA < aaaaDelay || got.A <= 0 {
				t.Errorf("A %v, AAAA %v, want AAAA of at least %v", got.A, got.AAAA, aaaaDelay)
			}
			if got.TTL != time.Minute || got.Server == "" {
				t.Errorf("TTL %v from %q", got.TTL, got.Server)
			}
			checkAddrs(t, got, "2001:db8::10", "192.0.2.10")
		})
	}
	if proto1.Load() != "HTTP/1.1" || proto2.Load() != "HTTP/2.0" {
		t.Errorf("https spoke %v and %v", proto1.Load(), proto2.Load())
	}
}

func TestRealTruncatedAnswer(t *testing.T) {
	cert, _ := authority(t)
	plain, _ := serveDNS(t, cert)
	got, err := parse(t, "udp://"+plain.String()).Lookup(t.Context(), loopback{}, "big.example.com", 4)
	if err != nil {
		t.Fatal(err)
	}
	checkAddrs(t, got, "192.0.2.10")
}

func TestResolverCertificateIsVerified(t *testing.T) {
	cert, pool := authority(t)
	_, secure := serveDNS(t, cert)
	doh := serveDoH(t, cert, true, answerDoH(t, new(atomic.Value)))
	for _, way := range []string{"tls://" + secure.String(), "https://" + doh.String()} {
		spec := parse(t, way)
		spec.RootCAs = x509.NewCertPool()
		_, err := spec.Lookup(t.Context(), loopback{}, host, 4)
		checkKind(t, way, err, resolver.NoConnection)
		if err != nil && !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: %v, want a word about the certificate", way, err)
		}
		spec.RootCAs = pool
		if _, err := spec.Lookup(t.Context(), loopback{}, host, 4); err != nil {
			t.Errorf("%s with the pool: %v", way, err)
		}
	}
}

func TestHTTPSResolverThatIsNone(t *testing.T) {
	cert, pool := authority(t)
	for name, answer := range map[string]http.HandlerFunc{
		"status 403":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"content type": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"not a DNS answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/dns-message")
			_, _ = io.WriteString(w, "short")
		},
	} {
		spec := parse(t, "https://"+serveDoH(t, cert, true, answer).String())
		spec.RootCAs = pool
		_, err := spec.Lookup(t.Context(), loopback{}, host, 4)
		checkKind(t, name, err, resolver.BadAnswer)
		if err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTraceSeesNothingOfTheLookup(t *testing.T) {
	cert, pool := authority(t)
	plain, _ := serveDNS(t, cert)
	doh := serveDoH(t, cert, true, answerDoH(t, new(atomic.Value)))
	var seen atomic.Int64
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		ConnectStart:         func(string, string) { seen.Add(1) },
		GotFirstResponseByte: func() { seen.Add(1) },
		TLSHandshakeStart:    func() { seen.Add(1) },
	})
	for _, way := range []string{"udp://" + plain.String(), "https://" + doh.String()} {
		spec := parse(t, way)
		spec.RootCAs = pool
		if _, err := spec.Lookup(ctx, loopback{}, host, 4); err != nil {
			t.Fatal(err)
		}
	}
	if seen.Load() != 0 {
		t.Errorf("the caller's trace saw %d events of the resolver", seen.Load())
	}
}

func TestSystemAnswersFromTheHostsFile(t *testing.T) {
	got, err := resolver.Spec{}.Lookup(t.Context(), loopback{}, "localhost", 4)
	if err != nil {
		t.Fatal(err)
	}
	if got.Server != "system" || !got.HasA || got.HasAAAA || got.HasTTL {
		t.Errorf("got %+v, want an A by system and no TTL", got)
	}
	checkAddrs(t, got, "127.0.0.1")
}
