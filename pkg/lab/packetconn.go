package lab

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"
	"gvisor.dev/gvisor/pkg/waiter"
)

// PacketConn is a UDP socket of a Host, a net.PacketConn and, once dialed, a
// net.Conn. QUIC runs over it as over any PacketConn that is not the system's: one
// datagram at a time, without ECN and without probing for a larger MTU.
type PacketConn struct {
	socket
	family tcpip.NetworkProtocolNumber
	local  *net.UDPAddr
	remote *net.UDPAddr // nil unless dialed
}

var (
	_ net.PacketConn = (*PacketConn)(nil)
	_ net.Conn       = (*PacketConn)(nil)
)

// ListenPacket opens an unconnected UDP socket on a free port, "udp4", "udp6" or,
// for both families, "udp". What it returns is a *PacketConn.
func (h *Host) ListenPacket(_ context.Context, network string) (net.PacketConn, error) {
	return h.listenPacket(network, netip.AddrPort{})
}

// ListenUDP opens a UDP port on all of the host's addresses of both families. A
// host with several addresses of one family answers from the first; ListenUDPAddr
// is for servers that must answer from another.
func (h *Host) ListenUDP(port uint16) (net.PacketConn, error) {
	return h.listenPacket("udp", netip.AddrPortFrom(netip.Addr{}, port))
}

// ListenUDPAddr opens a UDP port on one of the host's addresses only.
func (h *Host) ListenUDPAddr(addr netip.AddrPort) (net.PacketConn, error) {
	return h.listenPacket(familyNetwork("udp", addr.Addr()), addr)
}

func (h *Host) listenPacket(network string, at netip.AddrPort) (net.PacketConn, error) {
	c, err := h.openUDP(network, at)
	if err != nil {
		return nil, opError("listen", network, nil, udpAddr(at), err)
	}
	return c, nil
}

func (h *Host) openUDP(network string, at netip.AddrPort) (*PacketConn, error) {
	ep, wq, err := h.open(network, "udp", udp.ProtocolNumber, at)
	if err != nil {
		return nil, err
	}
	bound, _ := ep.GetLocalAddress()
	family := header.IPv6ProtocolNumber
	if network == "udp4" {
		family = header.IPv4ProtocolNumber
	}
	return &PacketConn{socket: newSocket(h, ep, wq), family: family, local: udpAddr(wildcard(bound, network))}, nil
}

// connect fixes the peer, as connect(2) does for UDP: no packet is sent.
func (c *PacketConn) connect(addr netip.AddrPort) error {
	if err := c.ep.Connect(fullAddress(addr, c.family)); err != nil {
		return errno(err)
	}
	local, _ := c.ep.GetLocalAddress()
	c.local, c.remote = udpAddr(toAddrPort(local)), udpAddr(addr)
	return nil
}

// ReadFrom implements net.PacketConn; the address is a *net.UDPAddr. What does
// not fit into b is lost.
func (c *PacketConn) ReadFrom(b []byte) (int, net.Addr, error) {
	var got tcpip.ReadResult
	err := c.do(waiter.ReadableEvents, &c.read, func() (err tcpip.Error) {
		w := tcpip.SliceWriter(b)
		got, err = c.ep.Read(&w, tcpip.ReadOptions{NeedRemoteAddr: true})
		return err
	})
	if err != nil {
		return 0, nil, opError("read", "udp", c.local, c.peer(), err)
	}
	return got.Count, udpAddr(toAddrPort(got.RemoteAddr)), nil
}

// Read implements net.Conn.
func (c *PacketConn) Read(b []byte) (int, error) {
	n, _, err := c.ReadFrom(b)
	return n, err
}

// WriteTo implements net.PacketConn. The address is a *net.UDPAddr or prints as
// one with a literal address.
func (c *PacketConn) WriteTo(b []byte, addr net.Addr) (int, error) {
	to, err := udpAddrPort(addr)
	if err != nil {
		return 0, opError("write", "udp", c.local, addr, err)
	}
	full := fullAddress(to, c.family)
	return c.datagram(b, tcpip.WriteOptions{To: &full}, addr)
}

// Write implements net.Conn; it needs a dialed socket.
func (c *PacketConn) Write(b []byte) (int, error) {
	return c.datagram(b, tcpip.WriteOptions{}, c.peer())
}

func (c *PacketConn) datagram(b []byte, opts tcpip.WriteOptions, to net.Addr) (int, error) {
	err := c.do(waiter.WritableEvents, &c.write, func() tcpip.Error {
		_, err := c.ep.Write(bytes.NewReader(b), opts)
		return err
	})
	if err != nil {
		return 0, opError("write", "udp", c.local, to, err)
	}
	return len(b), nil
}

func udpAddrPort(addr net.Addr) (netip.AddrPort, error) {
	if u, ok := addr.(*net.UDPAddr); ok {
		return u.AddrPort(), nil
	}
	if addr == nil {
		return netip.AddrPort{}, fmt.Errorf("no address")
	}
	return netip.ParseAddrPort(addr.String())
}

// Close implements net.PacketConn and net.Conn.
func (c *PacketConn) Close() error {
	if !c.shut(c.ep.Close) {
		return opError("close", "udp", c.local, c.peer(), net.ErrClosed)
	}
	return nil
}

// LocalAddr implements net.PacketConn and net.Conn; it is a *net.UDPAddr.
func (c *PacketConn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn; it is nil unless the socket was dialed.
func (c *PacketConn) RemoteAddr() net.Addr { return c.peer() }

// peer avoids an interface that holds a nil pointer.
func (c *PacketConn) peer() net.Addr {
	if c.remote == nil {
		return nil
	}
	return c.remote
}

// SetReadBuffer does nothing: the buffer is 4 MiB already. It is there because
// QUIC asks for it.
func (c *PacketConn) SetReadBuffer(int) error { return nil }

// SetWriteBuffer does nothing: what is written leaves at once.
func (c *PacketConn) SetWriteBuffer(int) error { return nil }
