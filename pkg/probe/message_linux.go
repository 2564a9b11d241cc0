package probe

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// message is what one recvmsg(2) or sendmsg(2) is told. It is made once and used again, one call at a
// time: package unix makes room for an address each time, which a connected socket has no use for.
type message struct {
	header  unix.Msghdr
	content unix.Iovec
	control [256]byte
}

// receive takes in at most len(b) bytes, and the control messages that came with them, which are valid
// until the next call.
func (m *message) receive(fd uintptr, b []byte, flags int) (n int, control []byte, err error) {
	m.point(b, len(m.control))
	n, err = m.call(unix.SYS_RECVMSG, fd, flags)
	if err != nil {
		return 0, nil, err
	}
	return n, m.control[:m.header.Controllen], nil
}

// send sends as much of b as there is room for, with control messages.
func (m *message) send(fd uintptr, b, control []byte) (int, error) {
	m.point(b, copy(m.control[:], control))
	return m.call(unix.SYS_SENDMSG, fd, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
}

func (m *message) point(b []byte, control int) {
	m.content.Base = unsafe.SliceData(b)
	m.content.SetLen(len(b))
	m.header = unix.Msghdr{Iov: &m.content, Iovlen: 1, Control: &m.control[0]}
	m.header.SetControllen(control)
}

func (m *message) call(trap, fd uintptr, flags int) (int, error) {
	n, _, errno := unix.Syscall(trap, fd, uintptr(unsafe.Pointer(&m.header)), uintptr(flags))
	m.content.Base = nil
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// stampThis is the control message of a write whose departure is asked for.
var stampThis = func() []byte {
	control := make([]byte, unix.CmsgSpace(4))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&control[0]))
	h.Level, h.Type = unix.SOL_SOCKET, unix.SO_TIMESTAMPING // SO_TIMESTAMPING_NEW is understood here since Linux 6.8 only
	h.SetLen(unix.CmsgLen(4))
	binary.NativeEndian.PutUint32(control[unix.CmsgLen(0):], stampDeparture)
	return control
}()
