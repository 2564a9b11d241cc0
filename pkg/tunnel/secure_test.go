package tunnel_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// relay is a small proxy: it opens what CONNECT asks for and copies both ways.
func relay(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect || r.ProtoMajor != 1 {
		http.Error(w, "this is a proxy", http.StatusMethodNotAllowed)
		return
	}
	out, err := net.Dial("tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		_, _ = io.Copy(out, buffered)
		_ = out.Close()
	}()
	_, _ = io.Copy(in, out)
	_ = in.Close()
}

func newOrigin(t *testing.T) *httptest.Server {
	origin := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "origin") }))
	t.Cleanup(origin.Close)
	return origin
}

func newProxy(t *testing.T) (*httptest.Server, *x509.CertPool) {
	proxy := httptest.NewUnstartedServer(http.HandlerFunc(relay))
	proxy.EnableHTTP2 = true // it would take h2, if we offered it
	proxy.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	proxy.Config.ErrorLog = log.New(io.Discard, "", 0)
	proxy.StartTLS()
	t.Cleanup(proxy.Close)
	pool := x509.NewCertPool()
	pool.AddCert(proxy.Certificate())
	return proxy, pool
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestTLSOriginThroughTLSProxy(t *testing.T) {
	origin := newOrigin(t)
	server, pool := newProxy(t)
	address := server.Listener.Addr().String()
	conn, state, err := tunnel.Open(t.Context(), dial(t, address), proxyURL(t, "https://"+address),
		origin.Listener.Addr().String(), tunnel.Options{TLSConfig: &tls.Config{RootCAs: pool, NextProtos: []string{"h2"}}})
	if err != nil {
		t.Fatal(err)
	}
	if state == nil || state.NegotiatedProtocol != "http/1.1" || !state.HandshakeComplete {
		t.Errorf("state %+v, want http/1.1 agreed with the proxy", state)
	}
	inner := tls.Client(conn, &tls.Config{RootCAs: rootsOf(origin), ServerName: "example.com", NextProtos: []string{"http/1.1"}})
	req, _ := http.NewRequest(http.MethodGet, "https://example.com/", nil)
	if err := req.Write(inner); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(inner), req)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); string(body) != "origin" || err != nil {
		t.Errorf("the origin said %q, %v", body, err)
	}
}

func rootsOf(s *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

func TestProxyCertificateIsVerified(t *testing.T) {
	server, _ := newProxy(t)
	address := server.Listener.Addr().String()
	_, _, err := tunnel.Open(t.Context(), dial(t, address), proxyURL(t, "https://u:hunter2@"+address), target,
		tunnel.Options{TLSConfig: &tls.Config{RootCAs: x509.NewCertPool()}})
	var typed *tunnel.Error
	if !errors.As(err, &typed) || typed.Op != tunnel.OpTLS || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("got %v, want an *Error of the handshake", err)
	}
	var unknown x509.UnknownAuthorityError
	if !errors.As(err, &unknown) {
		t.Errorf("the cause is lost in %v", err)
	}
}

func TestTLSStateComesWithARefusal(t *testing.T) {
	server, pool := newProxy(t)
	address := server.Listener.Addr().String()
	_, state, err := tunnel.Open(t.Context(), dial(t, address), proxyURL(t, "https://"+address), "127.0.0.1:1",
		tunnel.Options{TLSConfig: &tls.Config{RootCAs: pool}})
	var typed *tunnel.Error
	if !errors.As(err, &typed) || typed.Status != http.StatusBadGateway || state == nil {
		t.Errorf("got %v, state %v, want 502 and the state", err, state)
	}
}

func TestSecureLeavesOtherProxiesAlone(t *testing.T) {
	client, _ := net.Pipe()
	conn, state, err := tunnel.Secure(t.Context(), client, &url.URL{Scheme: "http", Host: "p:1"}, nil)
	if conn != client || state != nil || err != nil {
		t.Errorf("got %v, %v, %v", conn, state, err)
	}
}
