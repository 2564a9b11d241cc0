package lab

import (
	"net"
	"net/netip"

	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
)

// toAddr reads an address of the stack; IPv4 mapped into IPv6 comes out as IPv4.
func toAddr(a tcpip.Address) netip.Addr {
	addr, _ := netip.AddrFromSlice(a.AsSlice())
	return addr.Unmap()
}

func toAddrPort(f tcpip.FullAddress) netip.AddrPort {
	return netip.AddrPortFrom(toAddr(f.Addr), f.Port)
}

// fullAddress is the form an endpoint of the given family takes: one that speaks
// both families wants IPv4 mapped. The unspecified address stays empty.
func fullAddress(a netip.AddrPort, family tcpip.NetworkProtocolNumber) tcpip.FullAddress {
	addr := a.Addr()
	if !addr.IsValid() || addr.IsUnspecified() {
		return tcpip.FullAddress{Port: a.Port()}
	}
	if family == header.IPv6ProtocolNumber {
		return tcpip.FullAddress{Addr: tcpip.AddrFrom16(addr.As16()), Port: a.Port()}
	}
	return tcpip.FullAddress{Addr: tcpip.AddrFromSlice(addr.Unmap().AsSlice()), Port: a.Port()}
}

func familyOf(a netip.Addr) tcpip.NetworkProtocolNumber {
	if a.Unmap().Is4() {
		return header.IPv4ProtocolNumber
	}
	return header.IPv6ProtocolNumber
}

func tcpAddr(a netip.AddrPort) *net.TCPAddr { return net.TCPAddrFromAddrPort(a) }
func udpAddr(a netip.AddrPort) *net.UDPAddr { return net.UDPAddrFromAddrPort(a) }
