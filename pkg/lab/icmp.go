package lab

import (
	"net/netip"

	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/checksum"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// packetTooBig builds what a router says that cannot pass a packet on: for IPv4
// RFC 1191 section 4, for IPv6 RFC 4443 section 3.2. The router borrows the
// destination's address.
func packetTooBig(pkt *stack.PacketBuffer, info parsed, mtu int) (*stack.PacketBuffer, parsed) {
	whole := pkt.ToView()
	defer whole.Release()
	var reply []byte
	if info.Dst.Addr().Is4() {
		reply = fragmentationNeeded(whole.AsSlice(), info, mtu)
	} else {
		reply = packetTooBig6(whole.AsSlice(), info, mtu)
	}
	back := parsed{Packet: Packet{
		Src:  netip.AddrPortFrom(info.Dst.Addr(), 0),
		Dst:  netip.AddrPortFrom(info.Src.Addr(), 0),
		Size: len(reply),
	}}
	return stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithData(reply)}), back
}

func fragmentationNeeded(cause []byte, info parsed, mtu int) []byte {
	// RFC 1812 section 4.3.2.3: as much of the packet as fits into 576 bytes.
	quote := cause[:min(len(cause), 576-header.IPv4MinimumSize-header.ICMPv4MinimumSize)]
	b := make([]byte, header.IPv4MinimumSize+header.ICMPv4MinimumSize+len(quote))
	ip := header.IPv4(b)
	ip.Encode(&header.IPv4Fields{
		TotalLength: uint16(len(b)),
		TTL:         64,
		Protocol:    uint8(header.ICMPv4ProtocolNumber),
		SrcAddr:     tcpip.AddrFromSlice(info.Dst.Addr().AsSlice()),
		DstAddr:     tcpip.AddrFromSlice(info.Src.Addr().AsSlice()),
	})
	ip.SetChecksum(^ip.CalculateChecksum())
	msg := header.ICMPv4(b[header.IPv4MinimumSize:])
	msg.SetType(header.ICMPv4DstUnreachable)
	msg.SetCode(header.ICMPv4FragmentationNeeded)
	msg.SetMTU(uint16(mtu))
	copy(msg[header.ICMPv4MinimumSize:], quote)
	msg.SetChecksum(^checksum.Checksum(msg, 0))
	return b
}

func packetTooBig6(cause []byte, info parsed, mtu int) []byte {
	// RFC 4443 section 3.2: as much as fits into the least IPv6 MTU.
	quote := cause[:min(len(cause), header.IPv6MinimumMTU-header.IPv6MinimumSize-header.ICMPv6PacketTooBigMinimumSize)]
	size := header.ICMPv6PacketTooBigMinimumSize + len(quote)
	b := make([]byte, header.IPv6MinimumSize+size)
	src := tcpip.AddrFromSlice(info.Dst.Addr().AsSlice())
	dst := tcpip.AddrFromSlice(info.Src.Addr().AsSlice())
	header.IPv6(b).Encode(&header.IPv6Fields{
		PayloadLength:     uint16(size),
		TransportProtocol: header.ICMPv6ProtocolNumber,
		HopLimit:          64,
		SrcAddr:           src,
		DstAddr:           dst,
	})
	msg := header.ICMPv6(b[header.IPv6MinimumSize:])
	msg.SetType(header.ICMPv6PacketTooBig)
	msg.SetMTU(uint32(mtu))
	copy(msg[header.ICMPv6PacketTooBigMinimumSize:], quote)
	msg.SetChecksum(header.ICMPv6Checksum(header.ICMPv6ChecksumParams{Header: msg, Src: src, Dst: dst}))
	return b
}
