//go:build linux

package wan_test

import (
	"context"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertest"
	"github.com/coldsplit/coldsplit/scripts/wan"
)

// pair is a network of two hosts, the second of which echoes on port 7.
func pair(t *testing.T, there, back wan.Path) (client, server *wan.Host) {
	t.Helper()
	servertest.RequireRoot(t)
	servertest.Require(t, "ip")
	n, err := wan.New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	client, server = host(t, n), host(t, n)
	n.Route(client, server, there)
	n.Route(server, client, back)
	for _, a := range []netip.Addr{server.V4, server.V6} {
		echo(t, server, netip.AddrPortFrom(a, 7))
	}
	return client, server
}

func host(t *testing.T, n *wan.Net) *wan.Host {
	t.Helper()
	h, err := n.Host()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func echo(t *testing.T, h *wan.Host, addr netip.AddrPort) {
	t.Helper()
	var l net.Listener
	err := h.Do(func() (err error) {
		l, err = net.Listen("tcp", addr.String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				io.Copy(conn, conn)
			}()
		}
	}()
}

// roundTrip is how long connecting takes.
func roundTrip(t *testing.T, from *wan.Host, to netip.Addr) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	start := time.Now()
	conn, err := from.Dial(ctx, "tcp", netip.AddrPortFrom(to, 7))
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	conn.Close()
	return took
}

func TestConnectingTakesTheDelayOfBothPaths(t *testing.T) {
	client, server := pair(t, wan.Path{Delay: 4 * time.Millisecond}, wan.Path{Delay: 6 * time.Millisecond})
	for _, a := range []netip.Addr{server.V4, server.V6} {
		best := time.Hour
		for range 20 {
			best = min(best, roundTrip(t, client, a))
		}
		if best < 10*time.Millisecond {
			t.Errorf("connecting to %s took %v, less than the paths do", a, best)
		}
		t.Logf("%s: best of 20 is %v above the paths", a, best-10*time.Millisecond)
	}
}

func TestALostSYNCostsOneRetransmission(t *testing.T) {
	lossy := wan.Path{Drop: wan.DropFirst(1, wan.Packet.IsSYN)}
	client, server := pair(t, lossy, wan.Path{})
	if first := roundTrip(t, client, server.V4); first < time.Second {
		t.Errorf("the first SYN was lost, yet connecting took %v (RFC 6298 section 2: 1 s)", first)
	}
	if second := roundTrip(t, client, server.V4); second >= time.Second {
		t.Errorf("only the first SYN was to be lost, the second connection took %v", second)
	}
}

func TestABlackHoleCarriesNothing(t *testing.T) {
	client, server := pair(t, wan.Path{Loss: 1}, wan.Path{})
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if conn, err := client.Dial(ctx, "tcp", netip.AddrPortFrom(server.V4, 7)); err == nil {
		conn.Close()
		t.Error("a connection came about over a path that loses everything")
	}
}

// TestTCPSurvivesReordering holds that overtaking packets arrive in the end, all of them.
func TestTCPSurvivesReordering(t *testing.T) {
	rough := wan.Path{Delay: time.Millisecond, Jitter: time.Millisecond, Reorder: 0.2}
	client, server := pair(t, rough, rough)
	conn, err := client.Dial(context.Background(), "tcp", netip.AddrPortFrom(server.V4, 7))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	sent := strings.Repeat("0123456789", 20_000)
	go io.WriteString(conn, sent)
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != sent {
		t.Errorf("what came back differs (%v)", err)
	}
}

func TestAProcessSeesTheHostsInterfacesOnly(t *testing.T) {
	client, _ := pair(t, wan.Path{}, wan.Path{})
	var out strings.Builder
	cmd := exec.Command(servertest.Require(t, "ip"), "-o", "-4", "addr")
	cmd.Stdout = &out
	if err := client.Run(cmd); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], client.V4.String()) {
		t.Errorf("want lo and %s, got\n%s", client.V4, out.String())
	}
}

func TestAServerEndsWithTheNetwork(t *testing.T) {
	servertest.RequireRoot(t)
	n, err := wan.New(1)
	if err != nil {
		t.Fatal(err)
	}
	h := host(t, n)
	cmd := exec.Command("sleep", "60")
	if _, err := h.Serve(cmd); err != nil {
		t.Fatal(err)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if cmd.ProcessState == nil {
		t.Error("the process outlived the network")
	}
}
