//go:build linux

package wan

import (
	"encoding/binary"
	"net/netip"
)

// Packet is one IPv4 or IPv6 packet as it crosses the router. A Filter must not change it.
type Packet []byte

const (
	protocolTCP = 6
	protocolUDP = 17
	flagSYN     = 0x02
	flagACK     = 0x10
)

// Destination is the address the packet goes to; the zero Addr when it is no IP packet.
func (p Packet) Destination() netip.Addr {
	switch {
	case p.version() == 4 && len(p) >= 20:
		return netip.AddrFrom4([4]byte(p[16:20]))
	case p.version() == 6 && len(p) >= 40:
		return netip.AddrFrom16([16]byte(p[24:40]))
	}
	return netip.Addr{}
}

// IsSYN reports a TCP segment that opens a connection (RFC 9293 section 3.5), not its answer.
func (p Packet) IsSYN() bool {
	t := p.transport(protocolTCP)
	return len(t) >= 20 && t[13]&(flagSYN|flagACK) == flagSYN
}

// IsUDP reports a UDP datagram.
func (p Packet) IsUDP() bool { return len(p.transport(protocolUDP)) >= 8 }

// ToPort reports a TCP or UDP packet to the port given.
func (p Packet) ToPort(port uint16) bool {
	for _, protocol := range []byte{protocolTCP, protocolUDP} {
		if t := p.transport(protocol); len(t) >= 4 {
			return binary.BigEndian.Uint16(t[2:]) == port
		}
	}
	return false
}

func (p Packet) version() byte {
	if len(p) == 0 {
		return 0
	}
	return p[0] >> 4
}

// transport is what follows the IP header when that names protocol; extension headers of IPv6 are
// not looked through.
func (p Packet) transport(protocol byte) []byte {
	switch {
	case p.version() == 4 && len(p) >= 20 && p[9] == protocol:
		return p[min(int(p[0]&0x0f)*4, len(p)):]
	case p.version() == 6 && len(p) >= 40 && p[6] == protocol:
		return p[40:]
	}
	return nil
}
