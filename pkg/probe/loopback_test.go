package probe_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/quic-go/quic-go/http3"
)

// think is how long the loopback origin thinks: a lower bound of wait, long against its own cost.
const think = 20 * time.Millisecond

func startOrigin(t *testing.T, h2 bool) (*url.URL, *x509.CertPool) {
	t.Helper()
	origin := httptest.NewUnstartedServer(http.HandlerFunc(thinkTwice))
	origin.EnableHTTP2 = h2
	origin.StartTLS()
	t.Cleanup(origin.Close)
	u, err := url.Parse(origin.URL)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(origin.Certificate())
	return u, pool
}

// thinkTwice answers in two halves, thinking before each.
func thinkTwice(w http.ResponseWriter, r *http.Request) {
	time.Sleep(think)
	io.WriteString(w, "hello")
	w.(http.Flusher).Flush()
	time.Sleep(think)
	io.WriteString(w, "world")
}

// startQUICOrigin serves HTTP/3 on loopback with the certificate of a TLS test server.
func startQUICOrigin(t *testing.T) (*url.URL, *x509.CertPool) {
	t.Helper()
	twin := httptest.NewTLSServer(nil)
	t.Cleanup(twin.Close)
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	server := &http3.Server{Handler: http.HandlerFunc(thinkTwice), TLSConfig: &tls.Config{Certificates: twin.TLS.Certificates}}
	go server.Serve(socket)
	t.Cleanup(func() {
		server.Close()
		socket.Close()
	})
	pool := x509.NewCertPool()
	pool.AddCert(twin.Certificate())
	return &url.URL{Scheme: "https", Host: socket.LocalAddr().String(), Path: "/"}, pool
}

func TestLoopbackQUIC(t *testing.T) {
	u, roots := startQUICOrigin(t)
	var p probe.Prober
	got := p.Do(context.Background(), &probe.Target{URL: u, Protocol: probe.HTTP3, RootCAs: roots}).Exchange
	checkExchange(t, got, "h3")
	if got.Segments.Has(segment.TCP) || got.Segments.Has(segment.TLS) || !got.Segments.Has(segment.QUIC) {
		t.Errorf("segments %+v", got.Segments)
	}
	if got.QUIC == nil || got.QUIC.MinRTT <= 0 || got.QUIC.Retry || got.QUIC.Used0RTT {
		t.Errorf("quic facts %+v", got.QUIC)
	}
	if got.TLS == nil || got.TLS.Version != "1.3" || !got.TLS.Verified {
		t.Errorf("tls facts %+v", got.TLS)
	}
}

// checkExchange holds what is true of every exchange that was ok.
func checkExchange(t *testing.T, e record.Exchange, protocol string) {
	t.Helper()
	if e.Outcome != record.OK {
		t.Fatalf("outcome %s, error %+v", e.Outcome, e.Error)
	}
	if err := e.Segments.Check(e.Total); err != nil {
		t.Error(err)
	}
	if e.Protocol != protocol {
		t.Errorf("protocol %q, want %q", e.Protocol, protocol)
	}
	// A busy machine may take the clock late at the inner boundaries, never at the outer ones.
	send, _ := e.Segments.Get(segment.Send)
	wait, _ := e.Segments.Get(segment.Wait)
	transfer, ok := e.Segments.Get(segment.Transfer)
	if !ok || send+wait < think || send+wait+transfer < 2*think {
		t.Errorf("send %v, wait %v, transfer %v, want at least %v of thinking, twice", send, wait, transfer, think)
	}
	if e.Bytes.Wire != 10 || e.Bytes.Decoded != 10 || e.BodySHA == "" {
		t.Errorf("bytes %+v, sha %q", e.Bytes, e.BodySHA)
	}
}

func TestLoopbackTLS(t *testing.T) {
	for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.Auto} {
		t.Run(string(protocol), func(t *testing.T) {
			u, roots := startOrigin(t, protocol != probe.HTTP11)
			var p probe.Prober
			got := p.Do(context.Background(), &probe.Target{URL: u, Protocol: protocol, RootCAs: roots}).Exchange
			want := string(protocol)
			if protocol == probe.Auto {
				want = "h2"
			}
			checkExchange(t, got, want)
			if got.TLS == nil || !got.TLS.Verified || got.TLS.Resumed || got.TLS.Verify <= 0 {
				t.Errorf("tls facts %+v", got.TLS)
			}
			if got.Segments.Has(segment.DNS) || got.Segments.Has(segment.Race) {
				t.Error("a literal address has a dns or race segment")
			}
		})
	}
}

func TestPrewarmTimesEachStep(t *testing.T) {
	did, roots, err := probe.Prewarm(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if roots == nil || did.Roots <= 0 || did.Resolver <= 0 || did.Protocols <= 0 {
		t.Errorf("prewarm %+v, roots %v", did, roots)
	}
}

func TestLoopbackStates(t *testing.T) {
	tcp, tcpRoots := startOrigin(t, true)
	udp, udpRoots := startQUICOrigin(t)
	for _, c := range []struct {
		state    probe.State
		protocol probe.Protocol
	}{{probe.Warm, probe.HTTP2}, {probe.Warm, probe.HTTP3}, {probe.Resumed, probe.HTTP2}, {probe.Resumed, probe.HTTP3}} {
		t.Run(string(c.state)+" "+string(c.protocol), func(t *testing.T) {
			target := &probe.Target{URL: tcp, RootCAs: tcpRoots, Protocol: c.protocol, State: c.state}
			if c.protocol == probe.HTTP3 {
				target.URL, target.RootCAs = udp, udpRoots
			}
			var p probe.Prober
			got := p.Do(context.Background(), target)
			checkExchange(t, got.Exchange, string(c.protocol))
			if got.Prime == nil || got.Prime.Outcome != record.OK {
				t.Errorf("prime %+v", got.Prime)
			}
			if c.state == probe.Warm && got.Exchange.Segments.Len() != 3 {
				t.Errorf("a warm exchange has segments %+v", got.Exchange.Segments)
			}
		})
	}
}

func TestLoopbackName(t *testing.T) {
	u, roots := startOrigin(t, true)
	target := &probe.Target{URL: &url.URL{Scheme: "https", Host: "localhost:" + u.Port()}, RootCAs: roots, ServerName: "example.com"}
	var p probe.Prober
	got := p.Do(context.Background(), target).Exchange
	checkExchange(t, got, "h2")
	if !got.Segments.Has(segment.DNS) || got.DNS == nil || len(got.DNS.Addrs) == 0 {
		t.Errorf("dns facts %+v", got.DNS)
	}
	if runtime.GOOS == "linux" && (got.TCP == nil || got.TCP.ConnectRTT <= 0) {
		t.Errorf("tcp facts %+v", got.TCP)
	}
}

func TestLoopbackRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	var p probe.Prober
	got := p.Do(context.Background(), &probe.Target{URL: &url.URL{Scheme: "http", Host: closed}}).Exchange
	if got.Outcome != record.Failed || got.Error.Class != record.ClassReset || got.Error.Segment != segment.TCP {
		t.Errorf("outcome %s, error %+v", got.Outcome, got.Error)
	}
	if err := got.Segments.Check(got.Total); err != nil {
		t.Error(err)
	}
}
