package lab

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/waiter"
)

// socket is an endpoint with the blocking, deadlines and closing that package net
// gives a descriptor.
type socket struct {
	ep     tcpip.Endpoint
	wq     *waiter.Queue
	down   <-chan struct{} // the host's
	closed chan struct{}
	once   sync.Once
	read   deadline
	write  deadline
}

func newSocket(h *Host, ep tcpip.Endpoint, wq *waiter.Queue) socket {
	return socket{ep: ep, wq: wq, down: h.down, closed: make(chan struct{})}
}

// do runs op until it no longer would block. The error is io.EOF, net.ErrClosed,
// os.ErrDeadlineExceeded or what errno makes of it.
func (s *socket) do(events waiter.EventMask, limit *deadline, op func() tcpip.Error) error {
	if err := s.stopped(limit); err != nil {
		return err
	}
	if err := op(); !wouldBlock(err) {
		return s.outcome(err)
	}
	entry, ready := waiter.NewChannelEntry(events | waiter.EventHUp | waiter.EventErr)
	s.wq.EventRegister(&entry)
	defer s.wq.EventUnregister(&entry)
	for {
		if err := op(); !wouldBlock(err) {
			return s.outcome(err)
		}
		select {
		case <-ready:
		case <-limit.expired():
			return os.ErrDeadlineExceeded
		case <-s.closed:
			return net.ErrClosed
		case <-s.down:
			return net.ErrClosed
		}
	}
}

func (s *socket) stopped(limit *deadline) error {
	switch {
	case isClosed(s.closed), isClosed(s.down):
		return net.ErrClosed
	case isClosed(limit.expired()):
		return os.ErrDeadlineExceeded
	}
	return nil
}

// outcome blames a local close for whatever the endpoint says after it.
func (s *socket) outcome(err tcpip.Error) error {
	if err != nil && (isClosed(s.closed) || isClosed(s.down)) {
		return net.ErrClosed
	}
	return errno(err)
}

// shut runs release once and tells whether this call did.
func (s *socket) shut(release func()) bool {
	first := false
	s.once.Do(func() {
		first = true
		close(s.closed)
		release()
	})
	return first
}

// SetDeadline implements net.Conn and net.PacketConn.
func (s *socket) SetDeadline(t time.Time) error {
	s.read.set(t)
	s.write.set(t)
	return nil
}

// SetReadDeadline implements net.Conn and net.PacketConn.
func (s *socket) SetReadDeadline(t time.Time) error {
	s.read.set(t)
	return nil
}

// SetWriteDeadline implements net.Conn and net.PacketConn.
func (s *socket) SetWriteDeadline(t time.Time) error {
	s.write.set(t)
	return nil
}

func wouldBlock(err tcpip.Error) bool {
	_, ok := err.(*tcpip.ErrWouldBlock)
	return ok
}

// errno gives the stack's errors the values the system's network would, so that
// errors.Is(err, syscall.ECONNREFUSED) holds over both.
func errno(err tcpip.Error) error {
	switch err.(type) {
	case nil:
		return nil
	case *tcpip.ErrClosedForReceive:
		return io.EOF
	case *tcpip.ErrClosedForSend:
		return syscall.EPIPE
	case *tcpip.ErrConnectionRefused:
		return syscall.ECONNREFUSED
	case *tcpip.ErrConnectionReset:
		return syscall.ECONNRESET
	case *tcpip.ErrConnectionAborted:
		return syscall.ECONNABORTED
	case *tcpip.ErrTimeout:
		return syscall.ETIMEDOUT
	case *tcpip.ErrNetworkUnreachable:
		return syscall.ENETUNREACH
	case *tcpip.ErrHostUnreachable:
		return syscall.EHOSTUNREACH
	case *tcpip.ErrPortInUse:
		return syscall.EADDRINUSE
	case *tcpip.ErrBadLocalAddress, *tcpip.ErrNoPortAvailable:
		return syscall.EADDRNOTAVAIL
	case *tcpip.ErrMessageTooLong:
		return syscall.EMSGSIZE
	case *tcpip.ErrNotConnected:
		return syscall.ENOTCONN
	}
	return errors.New(err.String())
}

// opError dresses an error as package net does; io.EOF goes bare.
func opError(op, network string, source, addr net.Addr, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		err = os.NewSyscallError(systemCall(op), number)
	}
	return &net.OpError{Op: op, Net: network, Source: source, Addr: addr, Err: err}
}

// systemCall names the call behind an operation where the two differ.
func systemCall(op string) string {
	switch op {
	case "dial":
		return "connect"
	case "listen":
		return "bind"
	}
	return op
}
