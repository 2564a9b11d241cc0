package lab_test

import (
	"context"
	"errors"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// TestCloseLeavesNothingBehind walks most of what a lab can do and counts
// goroutines before and after.
func TestCloseLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("use", func(t *testing.T) {
		s := newSite(t, lab.CertOptions{})
		d := withDNS(t, s.net, s.client)
		if err := d.SetHost("site.example", s.server, lab.Answer{}); err != nil {
			t.Fatal(err)
		}
		set(t, d, "mute.example", "A", lab.Answer{Records: []string{"192.0.2.1"}, Delay: time.Hour})
		h1 := s.overTCP("http/1.1")
		fetch(t, h1)
		fetch(t, s.overQUIC(t))
		useHalfway(t, s.client, s.server)
		h1.CloseIdleConnections()
	})
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(time.Millisecond)
	}
}

// useHalfway leaves behind conns nobody closed, attempts nobody awaited and
// questions nobody will have answered.
func useHalfway(t *testing.T, client, server *lab.Host) {
	t.Helper()
	serve(t, server, 80, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) })
	open, err := client.Dial(context.Background(), "tcp", server.AddrPort(80))
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = open.Read(make([]byte, 1)) }()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	_, _ = client.Dial(ctx, "tcp", server.AddrPort(80))
	_, _ = client.Lookup(ctx, "mute.example")
}

func TestClosedInternetRefuses(t *testing.T) {
	n, client, server := twoHosts(t)
	serve(t, server, 80, echo)
	c := dial(t, client, "tcp", server.AddrPort(80))
	unblocked := make(chan error, 1)
	go func() {
		_, err := c.Read(make([]byte, 1))
		unblocked <- err
	}()
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-unblocked; err == nil {
		t.Error("read went on after the internet was closed")
	}
	if _, err := client.Dial(context.Background(), "tcp", server.AddrPort(80)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("dial on a closed internet: %v, want net.ErrClosed", err)
	}
	if _, err := n.AddHost("late", lab.HostOptions{}); err == nil {
		t.Error("a closed internet took a host")
	}
	if err := n.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}
