//go:build unix

package probe

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time this process has used so far.
func cpuTime() (time.Duration, bool) {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
