//go:build !linux

package probe

import (
	"net"
	"syscall"
	"time"
)

// stamps are the kernel's timestamps of a socket; only Linux has them in the form used here.
type stamps struct{ last time.Time }

func newStamps(*net.TCPConn, syscall.RawConn) *stamps { return nil }

func (*stamps) read([]byte) (int, error)  { panic("probe: no kernel timestamps on this system") }
func (*stamps) write([]byte) (int, error) { panic("probe: no kernel timestamps on this system") }
func (*stamps) clear()                    {}
func (*stamps) everyWrite(bool)           {}
func (*stamps) departed(uint32) time.Time { return time.Time{} }
func stampOf([]byte) time.Time            { return time.Time{} }
