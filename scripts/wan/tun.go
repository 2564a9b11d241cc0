//go:build linux

package wan

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// device is the TUN device of every host: raw IP packets, no link layer and no offloading, so a packet
// here is a packet on the wire.
const device = "wan0"

// openTUN makes the device in the calling thread's namespace and returns its descriptor, which works
// from every namespace.
func openTUN() (int, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open /dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(device)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("make device %s: %w", device, err)
	}
	return fd, nil
}
