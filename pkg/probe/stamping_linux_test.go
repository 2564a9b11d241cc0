package probe_test

import (
	"context"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"golang.org/x/sys/unix"
)

// The kernel stops stamping with the last socket that asked for it, so one has to stay.
func TestASocketKeepsTheKernelStamping(t *testing.T) {
	u, roots := startOrigin(t, false)
	var p probe.Prober
	p.Do(context.Background(), &probe.Target{URL: u, Protocol: probe.HTTP11, RootCAs: roots})
	for fd := range 1024 {
		if flags, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW); err == nil && flags != 0 {
			return
		}
	}
	t.Error("no socket asks for stamps once the exchange is over")
}
