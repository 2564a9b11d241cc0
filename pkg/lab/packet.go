package lab

import (
	"net/netip"

	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// Proto is what an IP packet carries.
type Proto uint8

// The protocols a Rule can tell apart; everything else (ICMP, fragments after the
// first) is Other.
const (
	Other Proto = iota
	TCP
	UDP
)

// Packet is what a Rule gets to see.
type Packet struct {
	Src, Dst           netip.AddrPort // ports are 0 for Other
	Proto              Proto
	Size               int // of the IP packet, in bytes
	SYN, ACK, FIN, RST bool
}

// parsed is a Packet with what the flow meter needs besides.
type parsed struct {
	Packet
	seq, ack uint32
	payload  uint32 // bytes of data
}

// span is how much sequence space the segment takes: RFC 9293 section 3.4 counts
// SYN and FIN as one each.
func (p parsed) span() uint32 {
	n := p.payload
	if p.SYN {
		n++
	}
	if p.FIN {
		n++
	}
	return n
}

// parse reads the headers of an outgoing packet; ok is false if it has none we know.
func parse(pkt *stack.PacketBuffer) (p parsed, ok bool) {
	p.Size = pkt.Size()
	src, dst, inner, ok := parseIP(pkt)
	if !ok {
		return parsed{}, false
	}
	var ports [2]uint16
	t := pkt.TransportHeader().Slice()
	switch {
	case inner == uint8(header.TCPProtocolNumber) && len(t) >= header.TCPMinimumSize:
		p.tcp(header.TCP(t), pkt.Data().Size())
		ports = [2]uint16{header.TCP(t).SourcePort(), header.TCP(t).DestinationPort()}
	case inner == uint8(header.UDPProtocolNumber) && len(t) >= header.UDPMinimumSize:
		p.Proto = UDP
		ports = [2]uint16{header.UDP(t).SourcePort(), header.UDP(t).DestinationPort()}
	}
	p.Src, p.Dst = netip.AddrPortFrom(src, ports[0]), netip.AddrPortFrom(dst, ports[1])
	return p, true
}

func parseIP(pkt *stack.PacketBuffer) (src, dst netip.Addr, inner uint8, ok bool) {
	b := pkt.NetworkHeader().Slice()
	switch {
	case pkt.NetworkProtocolNumber == header.IPv4ProtocolNumber && len(b) >= header.IPv4MinimumSize:
		ip := header.IPv4(b)
		return toAddr(ip.SourceAddress()), toAddr(ip.DestinationAddress()), ip.Protocol(), true
	case pkt.NetworkProtocolNumber == header.IPv6ProtocolNumber && len(b) >= header.IPv6MinimumSize:
		ip := header.IPv6(b)
		return toAddr(ip.SourceAddress()), toAddr(ip.DestinationAddress()), ip.NextHeader(), true
	}
	return netip.Addr{}, netip.Addr{}, 0, false
}

func (p *parsed) tcp(t header.TCP, data int) {
	flags := t.Flags()
	p.Proto = TCP
	p.SYN = flags&header.TCPFlagSyn != 0
	p.ACK = flags&header.TCPFlagAck != 0
	p.FIN = flags&header.TCPFlagFin != 0
	p.RST = flags&header.TCPFlagRst != 0
	p.seq, p.ack, p.payload = t.SequenceNumber(), t.AckNumber(), uint32(data)
}
