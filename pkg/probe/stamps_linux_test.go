package probe_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/servertest"
	"github.com/coldsplit/coldsplit/scripts/wan"
	"github.com/quic-go/quic-go/http3"
)

// onHost is the system's network as it looks from a host of a test network.
type onHost struct {
	probe.System
	host *wan.Host
}

func (n onHost) ListenPacket(ctx context.Context, network string) (conn net.PacketConn, err error) {
	err = n.host.Do(func() (err error) {
		conn, err = n.System.ListenPacket(ctx, network)
		return err
	})
	return conn, err
}

func (n onHost) Dial(ctx context.Context, network string, addr netip.AddrPort) (conn net.Conn, err error) {
	err = n.host.Do(func() (err error) {
		conn, err = n.System.Dial(ctx, network, addr)
		return err
	})
	return conn, err
}

// farIPv6 is the far origin's other address, that of a network's second host.
const farIPv6 = "[2001:db8::2]"

// farOrigin serves over TLS, HTTP/2 included, at the end of a path whose round trip is 20 ms. It answers
// with as many bytes as the query asks for, after it read the request's content.
func farOrigin(t *testing.T) (probe.Network, *probe.Target) {
	t.Helper()
	n := wanNet(t)
	client, server := wanHost(t, n), wanHost(t, n)
	n.Connect(client, server, wan.Path{Delay: 10 * time.Millisecond})
	origin := originOn(t, server, ":443")
	origin.EnableHTTP2 = true
	origin.StartTLS()
	serveFarQUIC(t, server, origin.TLS.Certificates)
	return onHost{host: client}, &probe.Target{
		URL: &url.URL{Scheme: "https", Host: server.V4.String(), Path: "/"}, Insecure: true,
	}
}

// originOn listens at addr of a host and is yet to be started.
func originOn(t *testing.T, host *wan.Host, addr string) *httptest.Server {
	t.Helper()
	origin := httptest.NewUnstartedServer(http.HandlerFunc(swallow))
	origin.Listener.Close()
	err := host.Do(func() (err error) {
		origin.Listener, err = net.Listen("tcp", addr)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(origin.Close)
	return origin
}

func serveFarQUIC(t *testing.T, on *wan.Host, certs []tls.Certificate) {
	t.Helper()
	var socket net.PacketConn
	err := on.Do(func() (err error) {
		socket, err = net.ListenPacket("udp", ":443")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &http3.Server{Handler: http.HandlerFunc(swallow), TLSConfig: &tls.Config{Certificates: certs}}
	go server.Serve(socket)
	t.Cleanup(func() {
		server.Close()
		socket.Close()
	})
}

func wanNet(t *testing.T) *wan.Net {
	t.Helper()
	servertest.RequireRoot(t)
	servertest.Require(t, "ip")
	n, err := wan.New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

func wanHost(t *testing.T, n *wan.Net) *wan.Host {
	t.Helper()
	h, err := n.Host()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func swallow(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	size := 5
	if r.URL.RawQuery == "big" {
		size = 200_000
	}
	io.WriteString(w, strings.Repeat("x", size))
}

// okExchange performs one exchange and holds what is true of every one over the far path.
func okExchange(t *testing.T, network probe.Network, target *probe.Target) record.Exchange {
	t.Helper()
	p := probe.Prober{Network: network}
	e := p.Do(context.Background(), target).Exchange
	if e.Outcome != record.OK {
		t.Fatalf("outcome %s: %+v", e.Outcome, e.Error)
	}
	if err := e.Segments.Check(e.Total); err != nil {
		t.Errorf("segments %v: %v", e.Segments, err)
	}
	for _, k := range []segment.Key{segment.TCP, segment.TLS, segment.QUIC, segment.Wait} {
		if d, ok := e.Segments.Get(k); ok && d < 20*time.Millisecond {
			t.Errorf("%s %v, less than the path's round trip", k, d)
		}
	}
	return e
}

// TestTheKernelTimesQUIC holds that packets are matched with the datagrams that carried them.
func TestTheKernelTimesQUIC(t *testing.T) {
	u, roots := startQUICOrigin(t)
	p, target := probe.Prober{}, &probe.Target{URL: u, Protocol: probe.HTTP3, RootCAs: roots}
	p.Do(context.Background(), target)
	stamped := 0
	for range 10 {
		e := p.Do(context.Background(), target).Exchange
		checkExchange(t, e, "h3")
		if e.Clock == "kernel" {
			stamped++
		}
	}
	if stamped < 8 {
		t.Errorf("%d of 10 exchanges were timed by the kernel", stamped)
	}
}

func TestTheKernelTimesAShortRequest(t *testing.T) {
	network, target := farOrigin(t)
	for _, host := range []string{target.URL.Host, farIPv6} {
		for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.HTTP3} {
			t.Run(host+"/"+string(protocol), func(t *testing.T) {
				target := *target
				target.URL, target.Protocol = &url.URL{Scheme: "https", Host: host, Path: "/"}, protocol
				okExchange(t, network, &target) // the kernel turns stamps on a moment after they are first asked for
				if e := okExchange(t, network, &target); e.Clock != "kernel" {
					t.Errorf("clock %q, notes %q", e.Clock, e.Notes)
				}
			})
		}
	}
}

// TestLongUploadsKeepTheirSocket posts 1 MB: stamps of departures would fill the socket's error queue and
// break its poll, which loopback never shows.
func TestLongUploadsKeepTheirSocket(t *testing.T) {
	network, target := farOrigin(t)
	for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.HTTP3} {
		for _, size := range []int{12 << 10, 64 << 10, 1 << 20} {
			target := *target
			target.Protocol, target.Method, target.Body = protocol, "POST", bytes.Repeat([]byte("y"), size)
			e := okExchange(t, network, &target)
			noted := slices.ContainsFunc(e.Notes, func(n string) bool { return strings.Contains(n, "over 16 KiB") })
			if long := size > 16<<10; long != noted || long && e.Clock != "user" {
				t.Errorf("%s, %d bytes: clock %q, notes %q", protocol, size, e.Clock, e.Notes)
			}
		}
	}
}

// TestMergedPacketsAreNoted answers over a loopback device of ordinary packets, which hands many of them
// over as one.
func TestMergedPacketsAreNoted(t *testing.T) {
	n := wanNet(t)
	host := wanHost(t, n)
	err := host.Do(func() error { return exec.Command("ip", "link", "set", "lo", "up", "mtu", "1500").Run() })
	if err != nil {
		t.Fatal(err)
	}
	origin := originOn(t, host, "127.0.0.1:0")
	origin.Start()
	target := &probe.Target{URL: &url.URL{Scheme: "http", Host: origin.Listener.Addr().String(), Path: "/"}, Protocol: probe.HTTP11}
	p := probe.Prober{Network: onHost{host: host}}
	notes := func(query string) (noted int) {
		target.URL.RawQuery = query
		for range 50 {
			e := p.Do(context.Background(), target).Exchange
			if e.Outcome != record.OK {
				t.Fatalf("outcome %s: %+v", e.Outcome, e.Error)
			}
			if slices.ContainsFunc(e.Notes, func(n string) bool { return strings.Contains(n, "several packets") }) {
				noted++
			}
		}
		return noted
	}
	if n := notes(""); n > 0 {
		t.Errorf("of 50 answers of one packet, %d are said to have been merged", n)
	}
	if n := notes("big"); n == 0 {
		t.Error("of 50 answers of 140 packets each, handed over many at a time, none is said to have been merged")
	}
}

// unstamped hides what the kernel tells.
type unstamped struct{ probe.System }

func (n unstamped) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	conn, err := n.System.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{conn}, nil
}

// TestAFastAnswerIsNotEarly holds that an answer seen before our own write returned, as happens on
// loopback, is no answer to half a request.
func TestAFastAnswerIsNotEarly(t *testing.T) {
	origin := httptest.NewServer(http.HandlerFunc(swallow))
	defer origin.Close()
	u, err := url.Parse(origin.URL)
	if err != nil {
		t.Fatal(err)
	}
	for name, network := range map[string]probe.Network{"kernel": probe.System{}, "user": unstamped{}} {
		p := probe.Prober{Network: network}
		for range 500 {
			e := p.Do(context.Background(), &probe.Target{URL: u, Protocol: probe.HTTP11}).Exchange
			if wait, _ := e.Segments.Get(segment.Wait); e.Outcome != record.OK || len(e.Notes) > 0 || wait <= 0 {
				t.Fatalf("%s clock: %s, wait %v, notes %q", name, e.Outcome, wait, e.Notes)
			}
		}
	}
}

// TestOnlyWritesThatAskAreStamped holds that the stamp of one write is told apart from those around it,
// for a write of many packets as well.
func TestOnlyWritesThatAskAreStamped(t *testing.T) {
	origin, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer origin.Close()
	go func() {
		if conn, err := origin.Accept(); err == nil {
			io.Copy(io.Discard, conn)
			conn.Close()
		}
	}()
	conn, err := probe.System{}.Dial(context.Background(), "tcp", origin.Addr().(*net.TCPAddr).AddrPort())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stamper := conn.(probe.WriteStamper)
	written := int64(0)
	for i, size := range []int{1, 100, 100, 1 << 20, 1 << 20, 1} {
		write, asks := conn.Write, i%2 == 1
		if asks {
			write = stamper.WriteStamped
		}
		began := time.Now()
		n, err := write(make([]byte, size))
		if n != size || err != nil {
			t.Fatalf("write %d of %d bytes: %d, %v", i, size, n, err)
		}
		written += int64(n)
		at, ok := stamper.Departed(written)
		for range 1000 {
			if ok || !asks {
				break
			}
			time.Sleep(time.Millisecond) // the peer takes a megabyte in
			at, ok = stamper.Departed(written)
		}
		if ok != asks || ok && (at.Before(began) || at.After(time.Now())) {
			t.Errorf("write %d of %d bytes, begun %v: left %v, %t", i, size, began, at, ok)
		}
	}
}
