package lab

import (
	"fmt"
	"net/netip"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/loopback"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv6"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/icmp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/tcpip/transport/udp"
)

const (
	wireNIC tcpip.NICID = 1
	selfNIC tcpip.NICID = 2

	// buffers hold what a fast path of 250 ms has in flight: 4 MiB is 134 Mbit/s.
	buffers = 4 << 20
	// timeWait is far below Linux's 60 s, to let memory go; a segment lives no longer
	// here than the longest path delays it.
	timeWait = 5 * time.Second
)

// newStack builds a host's TCP/IP: an interface on the wire and a loopback. What
// is not set here is as in Linux already: SYN sent again after 1 s, initial window
// of 10 segments, least retransmission timeout 200 ms, RACK. Congestion control is
// CUBIC as there; the stack's own default is Reno.
func newStack(wire *nic, addrs []netip.Addr) (*stack.Stack, error) {
	if err := checkAddresses(addrs); err != nil {
		return nil, err
	}
	s := stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, ipv6.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol, udp.NewProtocol, icmp.NewProtocol4, icmp.NewProtocol6},
		HandleLocal:        true,
	})
	if err := configure(s, wire, addrs); err != nil {
		s.Destroy()
		return nil, err
	}
	return s, nil
}

func configure(s *stack.Stack, wire *nic, addrs []netip.Addr) error {
	if err := tune(s); err != nil {
		return err
	}
	if err := plug(s, wireNIC, wire, addrs); err != nil {
		return err
	}
	self := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	if err := plug(s, selfNIC, loopback.New(), self); err != nil {
		return err
	}
	s.SetRouteTable(routes(addrs))
	return nil
}

func tune(s *stack.Stack) error {
	sack := tcpip.TCPSACKEnabled(true)
	moderate := tcpip.TCPModerateReceiveBufferOption(true)
	wait := tcpip.TCPTimeWaitTimeoutOption(timeWait)
	send := tcpip.TCPSendBufferSizeRangeOption{Min: tcp.MinBufferSize, Default: buffers, Max: 2 * buffers}
	receive := tcpip.TCPReceiveBufferSizeRangeOption{Min: tcp.MinBufferSize, Default: buffers, Max: 2 * buffers}
	cubic := tcpip.CongestionControlOption("cubic")
	for _, option := range []tcpip.SettableTransportProtocolOption{&sack, &moderate, &wait, &send, &receive, &cubic} {
		if err := s.SetTransportProtocolOption(tcp.ProtocolNumber, option); err != nil {
			return fmt.Errorf("set %T: %v", option, err)
		}
	}
	datagrams := tcpip.ReceiveBufferSizeOption{Min: stack.MinBufferSize, Default: buffers, Max: buffers}
	if err := s.SetOption(datagrams); err != nil {
		return fmt.Errorf("set %T: %v", datagrams, err)
	}
	return nil
}

func plug(s *stack.Stack, id tcpip.NICID, link stack.LinkEndpoint, addrs []netip.Addr) error {
	if err := s.CreateNIC(id, link); err != nil {
		return fmt.Errorf("create interface: %v", err)
	}
	for _, a := range addrs {
		bound := tcpip.ProtocolAddress{
			Protocol:          familyOf(a),
			AddressWithPrefix: tcpip.AddrFromSlice(a.AsSlice()).WithPrefix(),
		}
		if err := s.AddProtocolAddress(id, bound, stack.AddressProperties{}); err != nil {
			return fmt.Errorf("add address %v: %v", a, err)
		}
	}
	return nil
}

// routes leads a family nowhere if the host has no address of it, so that dialing
// it fails at once with "network is unreachable".
func routes(addrs []netip.Addr) []tcpip.Route {
	table := []tcpip.Route{
		{Destination: header.IPv4LoopbackSubnet, NIC: selfNIC},
		{Destination: header.IPv6Loopback.WithPrefix().Subnet(), NIC: selfNIC},
	}
	has := map[bool]bool{}
	for _, a := range addrs {
		has[a.Is4()] = true
	}
	if has[true] {
		table = append(table, tcpip.Route{Destination: header.IPv4EmptySubnet, NIC: wireNIC})
	}
	if has[false] {
		table = append(table, tcpip.Route{Destination: header.IPv6EmptySubnet, NIC: wireNIC})
	}
	return table
}
