package lab

import (
	"context"
	"net"
	"net/netip"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

// Dial connects to a literal address over "tcp" or "udp" (a trailing 4 or 6 must
// agree with it). The conn is a *Conn or a *PacketConn. When ctx ends first, the
// attempt is given up and the error wraps ctx.Err().
func (h *Host) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	switch network {
	case "tcp", familyNetwork("tcp", addr.Addr()):
		return h.dialTCP(ctx, addr)
	case "udp", familyNetwork("udp", addr.Addr()):
		return h.dialUDP(addr)
	}
	return nil, opError("dial", network, nil, tcpAddr(addr), net.UnknownNetworkError(network))
}

func (h *Host) dialUDP(addr netip.AddrPort) (net.Conn, error) {
	c, err := h.openUDP(familyNetwork("udp", addr.Addr()), netip.AddrPort{})
	if err != nil {
		return nil, opError("dial", "udp", nil, udpAddr(addr), err)
	}
	if err := c.connect(addr); err != nil {
		_ = c.Close()
		return nil, opError("dial", "udp", nil, udpAddr(addr), err)
	}
	return c, nil
}

func (h *Host) dialTCP(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	c, err := h.tryDial(ctx, addr)
	if err != nil {
		return nil, opError("dial", "tcp", nil, tcpAddr(addr), err)
	}
	return c, nil
}

func (h *Host) tryDial(ctx context.Context, addr netip.AddrPort) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if isClosed(h.down) {
		return nil, net.ErrClosed
	}
	wq := new(waiter.Queue)
	family := familyOf(addr.Addr())
	ep, err := h.stack.NewEndpoint(tcp.ProtocolNumber, family, wq)
	if err != nil {
		return nil, errno(err)
	}
	if family == header.IPv6ProtocolNumber {
		ep.SocketOptions().SetV6Only(true)
	}
	if err := h.handshake(ctx, ep, wq, addr); err != nil {
		h.abandon(ep, addr)
		return nil, err
	}
	return newConn(h, ep, wq), nil
}

// handshake waits until the endpoint is connected, refused or ctx ends.
func (h *Host) handshake(ctx context.Context, ep tcpip.Endpoint, wq *waiter.Queue, addr netip.AddrPort) error {
	entry, ready := waiter.NewChannelEntry(waiter.WritableEvents | waiter.EventHUp | waiter.EventErr)
	wq.EventRegister(&entry)
	defer wq.EventUnregister(&entry)
	err := ep.Connect(fullAddress(addr, familyOf(addr.Addr())))
	if _, started := err.(*tcpip.ErrConnectStarted); !started {
		return errno(err)
	}
	select {
	case <-ready:
		return errno(ep.LastError())
	case <-ctx.Done():
		return ctx.Err()
	case <-h.down:
		return net.ErrClosed
	}
}

// abandon drops an attempt and what the meter knows of it.
func (h *Host) abandon(ep tcpip.Endpoint, remote netip.AddrPort) {
	local, err := ep.GetLocalAddress()
	ep.Abort()
	if err == nil {
		h.meter.forget(flowKey{toAddrPort(local), remote})
	}
}
