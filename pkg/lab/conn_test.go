package lab_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

func echo(c net.Conn) {
	defer c.Close()
	_, _ = io.Copy(c, c)
}

func TestConnectTakesOneRoundTrip(t *testing.T) {
	for _, family := range []int{4, 6} {
		t.Run(map[int]string{4: "IPv4", 6: "IPv6"}[family], func(t *testing.T) {
			_, client, server := twoHosts(t)
			serve(t, server, 80, echo)
			start := time.Now()
			c := dial(t, client, "tcp", addrOf(t, server, family, 80)).(*lab.Conn)
			atLeast(t, "connect", start, rtt)
			start = time.Now()
			exchange(t, c, []byte("hello"))
			atLeast(t, "echo", start, rtt)
			checkInfo(t, c, 0)
			if c.LastRead().Before(start) {
				t.Errorf("last read at %v, before the exchange began at %v", c.LastRead(), start)
			}
		})
	}
}

func exchange(t testing.TB, c net.Conn, b []byte) {
	t.Helper()
	if _, err := c.Write(b); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(b))
	if _, err := io.ReadFull(c, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, b) {
		t.Fatalf("echo of %d bytes differs", len(b))
	}
}

func checkInfo(t *testing.T, c *lab.Conn, wantRetrans uint32) {
	t.Helper()
	connect, least, retrans, ok := c.TCPInfo()
	if !ok || connect < rtt || least < rtt || least > connect || retrans != wantRetrans {
		t.Errorf("TCPInfo() = %v, %v, %d, %v; want both at least %v, the second not above the first, %d, true",
			connect, least, retrans, ok, rtt, wantRetrans)
	}
	t.Logf("connect RTT %v and min RTT %v beyond %v", connect-rtt, least-rtt, rtt)
}

func TestAcceptedConnKnowsItsRoundTrip(t *testing.T) {
	_, client, server := twoHosts(t)
	conns := make(chan net.Conn, 1)
	serve(t, server, 80, func(c net.Conn) { conns <- c })
	dial(t, client, "tcp", addrOf(t, server, 4, 80))
	c := (<-conns).(*lab.Conn)
	checkInfo(t, c, 0)
}

func TestLostSYNCostsASecond(t *testing.T) {
	t.Parallel()
	n, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	p := lab.PathRTT(rtt)
	p.Rules = []lab.Rule{lab.DropNth(lab.IsSYN, 1)}
	n.SetPath(client, server, p)
	start := time.Now()
	c := dial(t, client, "tcp", addrOf(t, server, 4, 80)).(*lab.Conn)
	atLeast(t, "connect", start, time.Second+rtt)
	checkInfo(t, c, 1)
	if got := n.Traffic(client, server).Ruled; got != 1 {
		t.Errorf("rules dropped %d packets, want 1", got)
	}
}

func TestClosedPortRefuses(t *testing.T) {
	_, client, server := twoHosts(t)
	start := time.Now()
	_, err := client.Dial(context.Background(), "tcp", addrOf(t, server, 4, 81))
	atLeast(t, "refusal", start, rtt)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial a closed port: %v, want connection refused", err)
	}
}

func TestBlackHoleHonoursDeadline(t *testing.T) {
	n, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	n.SetPath(client, server, lab.Path{Rules: []lab.Rule{lab.Drop(lab.IsIPv6)}})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err := client.Dial(ctx, "tcp", addrOf(t, server, 6, 80))
	var timeout net.Error
	if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("dial into a black hole: %v, want a timeout that is context.DeadlineExceeded", err)
	}
	dial(t, client, "tcp", addrOf(t, server, 4, 80))
}

func TestNobodysAddressIsSilent(t *testing.T) {
	_, client, _ := twoHosts(t)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	_, err := client.Dial(ctx, "tcp", netip.MustParseAddrPort("198.51.100.7:80"))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("dial an address nobody holds: %v, want deadline exceeded", err)
	}
}

func TestMissingFamilyIsUnreachableAtOnce(t *testing.T) {
	n := newInternet(t)
	client := addHost(t, n, "client", lab.HostOptions{IPv4Only: true})
	server := addHost(t, n, "server", lab.HostOptions{})
	for _, network := range []string{"tcp", "udp"} {
		_, err := client.Dial(context.Background(), network, addrOf(t, server, 6, 80))
		if !errors.Is(err, syscall.ENETUNREACH) && !errors.Is(err, syscall.EHOSTUNREACH) {
			t.Errorf("dial %s over a family the host lacks: %v, want unreachable", network, err)
		}
	}
}

func TestLoopbackWithinAHost(t *testing.T) {
	_, client, _ := twoHosts(t)
	serve(t, client, 80, echo)
	for _, addr := range []string{"127.0.0.1:80", "[::1]:80", addrOf(t, client, 4, 80).String(), addrOf(t, client, 6, 80).String()} {
		exchange(t, dial(t, client, "tcp", netip.MustParseAddrPort(addr)), []byte("here"))
	}
}

func TestBulkSurvivesLossAndJitter(t *testing.T) {
	t.Parallel()
	n, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	n.Connect(client, server, lab.Path{Delay: 2 * time.Millisecond, Jitter: time.Millisecond, Loss: 0.005})
	c := dial(t, client, "tcp", addrOf(t, server, 4, 80))
	sent := make([]byte, 1<<20)
	fill(sent)
	echoAll(t, c, sent)
	_, _, retrans, _ := c.(*lab.Conn).TCPInfo()
	if lost := n.Traffic(client, server).Lost; lost == 0 || retrans == 0 {
		t.Errorf("lost %d packets, sent %d again; want some of both", lost, retrans)
	}
}

func fill(b []byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

func TestHalfClose(t *testing.T) {
	_, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	c := dial(t, client, "tcp", addrOf(t, server, 4, 80)).(*lab.Conn)
	if _, err := c.Write([]byte("all of it")); err != nil {
		t.Fatal(err)
	}
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil || string(got) != "all of it" {
		t.Errorf("read %q, %v after half-close, want %q and the end", got, err, "all of it")
	}
}

func TestAbortResetsThePeer(t *testing.T) {
	_, client, server := twoHosts(t)
	serve(t, server, 80, func(c net.Conn) { _ = c.(*lab.Conn).Abort() })
	c := dial(t, client, "tcp", addrOf(t, server, 4, 80))
	_, err := c.Read(make([]byte, 1))
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("read after the peer's abort: %v, want connection reset", err)
	}
}

func TestReadEnds(t *testing.T) {
	cases := map[string]struct {
		stop func(net.Conn)
		want error
	}{
		"by deadline": {func(c net.Conn) { _ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond)) }, os.ErrDeadlineExceeded},
		"by close":    {func(c net.Conn) { _ = c.Close() }, net.ErrClosed},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, client, server := twoHosts(t)
			serve(t, server, 80, echo)
			c := dial(t, client, "tcp", addrOf(t, server, 4, 80))
			time.AfterFunc(10*time.Millisecond, func() { test.stop(c) })
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, test.want) {
				t.Errorf("read: %v, want %v", err, test.want)
			}
		})
	}
}

func TestDeadlineCanBeMoved(t *testing.T) {
	_, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	c := dial(t, client, "tcp", addrOf(t, server, 4, 80))
	_ = c.SetReadDeadline(time.Now().Add(-time.Second))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("read past its deadline: %v, want deadline exceeded", err)
	}
	_ = c.SetDeadline(time.Time{})
	exchange(t, c, []byte("again"))
}
