package lab_test

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

func serveUDP(t testing.TB, h *lab.Host, port uint16) {
	t.Helper()
	pc, err := h.ListenUDP(port)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 2048)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			_, _ = pc.WriteTo(buf[:n], from)
		}
	}()
}

func TestUDPEcho(t *testing.T) {
	t.Parallel()
	_, client, server := twoHosts(t)
	serveUDP(t, server, 9)
	for family, network := range map[int]string{4: "udp4", 6: "udp6"} {
		addr := addrOf(t, server, family, 9)
		start := time.Now()
		exchange(t, dial(t, client, network, addr), []byte("connected"))
		atLeast(t, network, start, rtt)
		for _, listened := range []string{network, "udp"} {
			echoUnconnected(t, client, listened, net.UDPAddrFromAddrPort(addr))
		}
	}
}

func echoUnconnected(t *testing.T, client *lab.Host, network string, addr *net.UDPAddr) {
	t.Helper()
	pc, err := client.ListenPacket(context.Background(), network)
	if err != nil {
		t.Fatal(err)
	}
	defer pc.Close()
	if _, err := pc.WriteTo([]byte("loose"), addr); err != nil {
		t.Fatalf("write to %v over %s: %v", addr, network, err)
	}
	buf := make([]byte, 16)
	n, from, err := pc.ReadFrom(buf)
	if err != nil || string(buf[:n]) != "loose" || from.String() != addr.String() {
		t.Errorf("%s: got %q from %v, %v; want %q from %v", network, buf[:n], from, err, "loose", addr)
	}
}

func TestUDPClosedPortIsToldByICMP(t *testing.T) {
	_, client, server := twoHosts(t)
	c := dial(t, client, "udp", addrOf(t, server, 4, 10))
	start := time.Now()
	if _, err := c.Write([]byte("anyone?")); err != nil {
		t.Fatal(err)
	}
	_, err := c.Read(make([]byte, 1))
	atLeast(t, "port unreachable", start, rtt)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("read: %v, want connection refused", err)
	}
}

func TestUDPReadDeadline(t *testing.T) {
	_, client, server := twoHosts(t)
	c := dial(t, client, "udp", addrOf(t, server, 4, 9))
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read: %v, want deadline exceeded", err)
	}
}

func TestPortsAreTakenOnce(t *testing.T) {
	_, client, _ := twoHosts(t)
	first, err := client.Listen("tcp", 80)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Listen("tcp", 80); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("listen twice: %v, want address in use", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept after close: %v, want net.ErrClosed", err)
	}
	if _, err := client.Listen("tcp", 80); err != nil {
		t.Errorf("listen after close: %v", err)
	}
}
