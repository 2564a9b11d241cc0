package lab

import (
	"net"
	"net/netip"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

// backlog is Linux's net.core.somaxconn.
const backlog = 4096

// Listener accepts the TCP connections of one port of a Host.
type Listener struct {
	socket
	host *Host
	addr *net.TCPAddr
}

var _ net.Listener = (*Listener)(nil)

// Listen opens a port on all of the host's addresses, loopback included. The
// network is "tcp4", "tcp6" or, for both families, "tcp"; port 0 takes a free one.
// What it accepts is a *Conn.
func (h *Host) Listen(network string, port uint16) (net.Listener, error) {
	return h.listen(network, netip.AddrPortFrom(netip.Addr{}, port))
}

// ListenAddr opens a port on one of the host's addresses only.
func (h *Host) ListenAddr(addr netip.AddrPort) (net.Listener, error) {
	return h.listen(familyNetwork("tcp", addr.Addr()), addr)
}

func (h *Host) listen(network string, at netip.AddrPort) (net.Listener, error) {
	l, err := h.tryListen(network, at)
	if err != nil {
		return nil, opError("listen", network, nil, tcpAddr(at), err)
	}
	return l, nil
}

func (h *Host) tryListen(network string, at netip.AddrPort) (*Listener, error) {
	ep, wq, err := h.open(network, "tcp", tcp.ProtocolNumber, at)
	if err != nil {
		return nil, err
	}
	if err := ep.Listen(backlog); err != nil {
		ep.Close()
		return nil, errno(err)
	}
	bound, _ := ep.GetLocalAddress()
	return &Listener{socket: newSocket(h, ep, wq), host: h, addr: tcpAddr(wildcard(bound, network))}, nil
}

// open makes an endpoint of the network, one of kind, kind4 or kind6, bound to at.
// Kind alone speaks both families.
func (h *Host) open(network, kind string, proto tcpip.TransportProtocolNumber, at netip.AddrPort) (tcpip.Endpoint, *waiter.Queue, error) {
	if isClosed(h.down) {
		return nil, nil, net.ErrClosed
	}
	family := header.IPv6ProtocolNumber
	switch network {
	case kind, kind + "6":
	case kind + "4":
		family = header.IPv4ProtocolNumber
	default:
		return nil, nil, net.UnknownNetworkError(network)
	}
	wq := new(waiter.Queue)
	ep, err := h.stack.NewEndpoint(proto, family, wq)
	if err != nil {
		return nil, nil, errno(err)
	}
	ep.SocketOptions().SetV6Only(network == kind+"6")
	if err := ep.Bind(fullAddress(at, family)); err != nil {
		ep.Close()
		return nil, nil, errno(err)
	}
	return ep, wq, nil
}

func familyNetwork(kind string, a netip.Addr) string {
	if a.Unmap().Is4() {
		return kind + "4"
	}
	return kind + "6"
}

// wildcard spells an address not bound as package net does.
func wildcard(bound tcpip.FullAddress, network string) netip.AddrPort {
	a := toAddrPort(bound)
	if a.Addr().IsValid() && !a.Addr().IsUnspecified() {
		return a
	}
	if network == "tcp4" || network == "udp4" {
		return netip.AddrPortFrom(netip.IPv4Unspecified(), bound.Port)
	}
	return netip.AddrPortFrom(netip.IPv6Unspecified(), bound.Port)
}

// Accept implements net.Listener; after Close the error is net.ErrClosed.
func (l *Listener) Accept() (net.Conn, error) {
	var ep tcpip.Endpoint
	var wq *waiter.Queue
	err := l.do(waiter.ReadableEvents, &l.read, func() (err tcpip.Error) {
		ep, wq, err = l.ep.Accept(nil)
		return err
	})
	if err != nil {
		return nil, opError("accept", "tcp", nil, l.addr, err)
	}
	return newConn(l.host, ep, wq), nil
}

// Close implements net.Listener. Connections already accepted live on.
func (l *Listener) Close() error {
	if !l.shut(l.ep.Close) {
		return opError("close", "tcp", nil, l.addr, net.ErrClosed)
	}
	return nil
}

// Addr implements net.Listener; it is a *net.TCPAddr.
func (l *Listener) Addr() net.Addr { return l.addr }
