package probetest

import (
	"context"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// Socket is an in-memory UDP socket. Datagrams between two sockets never overtake each other.
type Socket struct {
	network *Network
	addr    netip.AddrPort
	peer    netip.AddrPort // where Write goes; the zero value for an unconnected socket

	mu     sync.Mutex // guards all below
	change *sync.Cond
	queue  []datagram
	closed bool
	readBy time.Time
}

type datagram struct {
	at   time.Time
	from netip.AddrPort
	data []byte
}

// ListenUDP opens a socket at addr, for a server. It panics when the address is taken.
func (n *Network) ListenUDP(addr string) *Socket { return n.open(netip.MustParseAddrPort(addr)) }

// ListenPacket opens a socket of the client on a free port, for "udp4" or "udp6".
func (n *Network) ListenPacket(_ context.Context, network string) (net.PacketConn, error) {
	towards := client4
	if network == "udp6" {
		towards = client6
	}
	return n.open(n.clientPort(towards)), nil
}

func (n *Network) open(addr netip.AddrPort) *Socket {
	s := &Socket{network: n, addr: addr}
	s.change = sync.NewCond(&s.mu)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sockets[addr] != nil {
		panic("probetest: address taken: " + addr.String())
	}
	n.sockets[addr] = s
	return s
}

// dialUDP opens a socket of the client that talks to one peer, the scripted resolver among them.
func (n *Network) dialUDP(addr netip.AddrPort) (net.Conn, error) {
	s := n.open(n.clientPort(addr.Addr()))
	s.peer = addr
	return s, nil
}

// ReadFrom implements net.PacketConn.
func (s *Socket) ReadFrom(b []byte) (int, net.Addr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		now := time.Now()
		switch {
		case s.closed:
			return 0, nil, net.ErrClosed
		case !s.readBy.IsZero() && !now.Before(s.readBy):
			return 0, nil, os.ErrDeadlineExceeded
		case len(s.queue) > 0 && !now.Before(s.queue[0].at):
			d := s.queue[0]
			s.queue = s.queue[1:]
			return copy(b, d.data), net.UDPAddrFromAddrPort(d.from), nil
		}
		s.wait()
	}
}

func (s *Socket) wait() {
	next := s.readBy
	if len(s.queue) > 0 && (next.IsZero() || s.queue[0].at.Before(next)) {
		next = s.queue[0].at
	}
	if !next.IsZero() {
		timer := time.AfterFunc(time.Until(next), func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.change.Broadcast()
		})
		defer timer.Stop()
	}
	s.change.Wait()
}

// WriteTo implements net.PacketConn.
func (s *Socket) WriteTo(b []byte, to net.Addr) (int, error) {
	addr := to.(*net.UDPAddr).AddrPort()
	addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	if !s.network.routed(addr.Addr()) {
		return 0, &net.OpError{Op: "write", Net: "udp", Addr: to, Err: os.NewSyscallError("sendto", errNoRoute)}
	}
	s.network.carry(s.addr, addr, append([]byte(nil), b...))
	return len(b), nil
}

// carry takes a datagram to its socket, to the resolver, or nowhere.
func (n *Network) carry(from, to netip.AddrPort, data []byte) {
	if n.Drop != nil && n.Drop(from, to, data) {
		return
	}
	host := to.Addr()
	if host == client4 || host == client6 {
		host = from.Addr()
	}
	at := time.Now().Add(n.latency(host))
	n.mu.Lock()
	silent, socket := n.silent[to.Addr()], n.sockets[to]
	n.mu.Unlock()
	switch {
	case silent:
	case to == resolverAddr && n.Zone != nil:
		n.answer(from, data)
	case socket != nil:
		socket.arrive(datagram{at: at, from: from, data: data})
	}
}

// arrive queues a datagram in the order of arrival.
func (s *Socket) arrive(d datagram) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := len(s.queue)
	for i > 0 && s.queue[i-1].at.After(d.at) {
		i--
	}
	s.queue = append(s.queue[:i], append([]datagram{d}, s.queue[i:]...)...)
	s.change.Broadcast()
}

// Read implements net.Conn for a socket with a peer.
func (s *Socket) Read(b []byte) (int, error) {
	n, _, err := s.ReadFrom(b)
	return n, err
}

// Write implements net.Conn for a socket with a peer.
func (s *Socket) Write(b []byte) (int, error) { return s.WriteTo(b, s.RemoteAddr()) }

// Close implements net.Conn.
func (s *Socket) Close() error {
	s.mu.Lock()
	s.closed = true
	s.change.Broadcast()
	s.mu.Unlock()
	s.network.mu.Lock()
	defer s.network.mu.Unlock()
	delete(s.network.sockets, s.addr)
	return nil
}

// LocalAddr implements net.Conn.
func (s *Socket) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(s.addr) }

// RemoteAddr implements net.Conn.
func (s *Socket) RemoteAddr() net.Addr { return net.UDPAddrFromAddrPort(s.peer) }

// SetDeadline implements net.Conn; writes never block.
func (s *Socket) SetDeadline(at time.Time) error { return s.SetReadDeadline(at) }

// SetReadDeadline implements net.Conn.
func (s *Socket) SetReadDeadline(at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readBy = at
	s.change.Broadcast()
	return nil
}

// SetWriteDeadline implements net.Conn; writes never block.
func (s *Socket) SetWriteDeadline(time.Time) error { return nil }
