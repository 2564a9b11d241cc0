package probe

import (
	"sync"

	"golang.org/x/sys/unix"
)

// keepStamping keeps the kernel stamping for as long as this process lives. Linux stamps for the whole
// machine or not at all: the first socket that asks switches it on and the last one to close off, each time
// by rewriting code on every core. Without a socket that stays, every one of exchanges that follow each
// other would be interrupted twice, in the middle of its handshake and of its goodbye.
var keepStamping = sync.OnceFunc(func() {
	for _, family := range []int{unix.AF_INET, unix.AF_INET6} {
		fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			continue
		}
		const arrivals = unix.SOF_TIMESTAMPING_SOFTWARE | unix.SOF_TIMESTAMPING_RX_SOFTWARE
		if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW, arrivals) == nil {
			return // and never closed
		}
		unix.Close(fd)
	}
})
