package probe

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"

	"golang.org/x/net/ipv4"
)

// errNotTuned keeps quic-go from inspecting the buffers it just set.
var errNotTuned = errors.New("socket buffers are still being set")

// firstDatagram looks at the first datagram that leaves a socket: only there does a token prove that an
// earlier connection was remembered; a later one answers a Retry.
type firstDatagram struct {
	gone  atomic.Bool
	token atomic.Bool
}

func (f *firstDatagram) leaves(b []byte) {
	if f.gone.CompareAndSwap(false, true) {
		f.token.Store(initialToken(b))
	}
}

// quiet dresses a packet socket so that quic-go prints no warning about its buffers to the program's
// log. quic-go looks through SyscallConn whether the buffers grew and warns when the kernel's limit
// (net.core.rmem_max) forbade it; without SyscallConn it takes the setters' word. The raw socket is
// shown once both buffers are set, so batched reads, ECN and segmentation offload stay on.
func quiet(socket net.PacketConn, first *firstDatagram) net.PacketConn {
	if udp, ok := socket.(*net.UDPConn); ok {
		return &quietUDP{UDPConn: udp, first: first}
	}
	return &quietSocket{PacketConn: socket, first: first}
}

type quietUDP struct {
	*net.UDPConn
	first *firstDatagram
	tuned atomic.Bool
}

func (q *quietUDP) SetReadBuffer(n int) error {
	_ = q.UDPConn.SetReadBuffer(n) // as much as the kernel grants
	return nil
}

func (q *quietUDP) SetWriteBuffer(n int) error {
	_ = q.UDPConn.SetWriteBuffer(n)
	q.tuned.Store(true)
	return nil
}

func (q *quietUDP) SyscallConn() (syscall.RawConn, error) {
	if !q.tuned.Load() {
		return nil, errNotTuned
	}
	return q.UDPConn.SyscallConn()
}

func (q *quietUDP) WriteMsgUDP(b, oob []byte, addr *net.UDPAddr) (n, oobn int, err error) {
	q.first.leaves(b)
	return q.UDPConn.WriteMsgUDP(b, oob, addr)
}

func (q *quietUDP) WriteTo(b []byte, addr net.Addr) (int, error) {
	q.first.leaves(b)
	return q.UDPConn.WriteTo(b, addr)
}

// stampedUDP notes when datagrams leave and come. quic-go reads in batches through the method of that
// name, and takes no notice of control messages it did not ask for: with the largest of its own there is
// exactly room for the stamp's.
type stampedUDP struct {
	*quietUDP
	seen  *datagrams
	batch *ipv4.PacketConn
}

// ReadBatch reads like [ipv4.PacketConn], which serves IPv6 sockets as well.
func (s *stampedUDP) ReadBatch(ms []ipv4.Message, flags int) (int, error) {
	n, err := s.batch.ReadBatch(ms, flags)
	for i := range max(n, 0) {
		m := &ms[i]
		if at := stampOf(m.OOB[:m.NN]); !at.IsZero() {
			s.seen.arrive(m.Buffers[0][:m.N], at)
		}
	}
	return n, err
}

func (s *stampedUDP) WriteMsgUDP(b, oob []byte, addr *net.UDPAddr) (n, oobn int, err error) {
	err = s.seen.leave(len(b), func() (err error) {
		n, oobn, err = s.quietUDP.WriteMsgUDP(b, oob, addr)
		return err
	})
	return n, oobn, err
}

func (s *stampedUDP) WriteTo(b []byte, addr net.Addr) (n int, err error) {
	err = s.seen.leave(len(b), func() (err error) {
		n, err = s.quietUDP.WriteTo(b, addr)
		return err
	})
	return n, err
}

// quietSocket is for networks that have no kernel buffers.
type quietSocket struct {
	net.PacketConn
	first *firstDatagram
}

func (*quietSocket) SetReadBuffer(int) error  { return nil }
func (*quietSocket) SetWriteBuffer(int) error { return nil }

func (q *quietSocket) WriteTo(b []byte, addr net.Addr) (int, error) {
	q.first.leaves(b)
	return q.PacketConn.WriteTo(b, addr)
}

// initialToken reports whether b begins with a QUIC Initial packet that carries a token (RFC 9000
// section 17.2.2). Header protection covers neither the type's bits nor the token.
func initialToken(b []byte) bool {
	const longHeader, initialType = 0x80, 0x00
	if len(b) < 6 || b[0]&longHeader == 0 || b[0]&0x30 != initialType {
		return false
	}
	rest := b[5:] // after the first byte and the version
	for range 2 { // destination and source connection IDs
		if len(rest) == 0 || len(rest) < 1+int(rest[0]) {
			return false
		}
		rest = rest[1+int(rest[0]):]
	}
	return len(rest) > 0 && rest[0] != 0 // the token's length, a variable-length integer
}
