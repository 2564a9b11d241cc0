package lab_test

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// rtt is what every pair of hosts has between them unless a test says otherwise.
const rtt = 40 * time.Millisecond

func newInternet(t testing.TB) *lab.Internet {
	t.Helper()
	n, err := lab.New(lab.Config{Seed: 1, RTT: func(_, _ *lab.Host) time.Duration { return rtt }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

func addHost(t testing.TB, n *lab.Internet, name string, opts lab.HostOptions) *lab.Host {
	t.Helper()
	h, err := n.AddHost(name, opts)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// twoHosts returns an Internet with a client and a server.
func twoHosts(t testing.TB) (n *lab.Internet, client, server *lab.Host) {
	t.Helper()
	n = newInternet(t)
	return n, addHost(t, n, "client", lab.HostOptions{}), addHost(t, n, "server", lab.HostOptions{})
}

func addrOf(t testing.TB, h *lab.Host, family int, port uint16) netip.AddrPort {
	t.Helper()
	a, ok := h.Addr(family)
	if !ok {
		t.Fatalf("host %q has no IPv%d address", h.Name(), family)
	}
	return netip.AddrPortFrom(a, port)
}

// serve accepts on the port until the Internet closes and gives each conn to handle.
func serve(t testing.TB, h *lab.Host, port uint16, handle func(net.Conn)) {
	t.Helper()
	l, err := h.Listen("tcp", port)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go handle(c)
		}
	}()
}

func dial(t testing.TB, h *lab.Host, network string, addr netip.AddrPort) net.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c, err := h.Dial(ctx, network, addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// atLeast fails if what began at start took less than want, and logs the excess.
func atLeast(t testing.TB, what string, start time.Time, want time.Duration) {
	t.Helper()
	got := time.Since(start)
	if got < want {
		t.Errorf("%s took %v, want at least %v", what, got, want)
	}
	t.Logf("%s: %v beyond %v", what, got-want, want)
}

// What a prober asks of a network and of its connections.
var _ interface {
	Dial(context.Context, string, netip.AddrPort) (net.Conn, error)
	ListenPacket(context.Context, string) (net.PacketConn, error)
	Resolver() []netip.AddrPort
} = (*lab.Host)(nil)

var _ interface {
	TCPInfo() (connectRTT, minRTT time.Duration, totalRetrans uint32, ok bool)
	LastRead() time.Time
} = (*lab.Conn)(nil)
