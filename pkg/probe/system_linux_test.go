package probe_test

import (
	"context"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"golang.org/x/sys/unix"
)

// deafPort is a loopback port whose queue of connections is full, so that the kernel drops every SYN.
func deafPort(t *testing.T) int {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	deaf, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(err)
	t.Cleanup(func() { unix.Close(deaf) })
	must(unix.Bind(deaf, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	must(unix.Listen(deaf, 0))
	bound, err := unix.Getsockname(deaf)
	must(err)
	filler, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(err)
	t.Cleanup(func() { unix.Close(filler) })
	must(unix.Connect(filler, bound))
	return bound.(*unix.SockaddrInet4).Port
}

func TestUnansweredSYNsAreCounted(t *testing.T) {
	at := "127.0.0.1:" + strconv.Itoa(deafPort(t))
	var p probe.Prober
	got := p.Do(context.Background(), &probe.Target{URL: &url.URL{Scheme: "http", Host: at}, MaxTime: 1500 * time.Millisecond}).Exchange
	if got.Outcome != record.Failed || got.Error.Class != record.ClassTimeout || got.Error.Segment != segment.TCP {
		t.Fatalf("outcome %s, error %+v", got.Outcome, got.Error)
	}
	if got.TCP == nil || got.TCP.TotalRetrans < 1 {
		t.Errorf("tcp facts %+v, want the SYN sent again after 1 s", got.TCP)
	}
}
