package probe

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// Network is the seam between probe and whatever carries its packets: the system's sockets, the
// lab, or a test's in-memory network. Implementations must be safe for concurrent use.
type Network interface {
	// Dial connects to a literal address over "tcp" or "udp" and returns when ctx ends. A
	// refusal must unwrap to syscall.ECONNREFUSED, a reset to syscall.ECONNRESET, or answer
	// true to a method Reset() bool; a timeout must answer true to Timeout() bool.
	Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error)
	// ListenPacket opens an unconnected socket on any free port of "udp4" or "udp6".
	ListenPacket(ctx context.Context, network string) (net.PacketConn, error)
	// Resolver returns the recursive resolvers of this network; none means the system's own
	// stub resolver is asked.
	Resolver() []netip.AddrPort
}

// TCPInformer is what a connection may offer besides net.Conn, and the error of a Dial that got no answer
// besides its text: the network's own view of it.
type TCPInformer interface {
	// TCPInfo returns the round trip time seen when the connection was opened, the smallest
	// seen so far, and the number of segments sent again, SYN included. Times are 0 when
	// unknown. It is called right after Dial and again before Close.
	TCPInfo() (connectRTT, minRTT time.Duration, totalRetrans uint32, ok bool)
}

// ReadStamper is what a connection may offer besides net.Conn: when the bytes of its latest Read
// arrived, which may be earlier than the moment Read returned.
type ReadStamper interface {
	LastRead() time.Time
}

// System is the network of this machine. The zero System is ready to use and safe for concurrent
// use; on Linux its TCP connections implement [TCPInformer], [ReadStamper] and [WriteStamper].
type System struct{}

// ListenPacket opens a UDP socket on the unspecified address.
func (System) ListenPacket(ctx context.Context, network string) (net.PacketConn, error) {
	var config net.ListenConfig
	return config.ListenPacket(ctx, network, ":0")
}

// Resolver returns none: the system's stub resolver is asked.
func (System) Resolver() []netip.AddrPort { return nil }
