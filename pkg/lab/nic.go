package lab

import (
	"encoding/binary"
	"sync"

	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// nic is a host's only way out: it hands each packet to the path that leads to the
// packet's destination. Checksums are left out both ways, as nothing on a path can
// damage a packet.
type nic struct {
	host *Host

	mu         sync.RWMutex // guards everything below
	dispatcher stack.NetworkDispatcher
	mtu        uint32
	address    tcpip.LinkAddress
}

var _ stack.LinkEndpoint = (*nic)(nil)

func (c *nic) WritePackets(pkts stack.PacketBufferList) (int, tcpip.Error) {
	for _, pkt := range pkts.AsSlice() {
		c.host.send(pkt)
	}
	return pkts.Len(), nil
}

// deliver hands a packet to the stack and gives up its reference.
func (c *nic) deliver(pkt *stack.PacketBuffer, proto tcpip.NetworkProtocolNumber) {
	c.mu.RLock()
	d := c.dispatcher
	c.mu.RUnlock()
	if d != nil {
		d.DeliverNetworkPacket(proto, pkt)
	}
	pkt.DecRef()
}

func (c *nic) Attach(d stack.NetworkDispatcher) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dispatcher = d
}

func (c *nic) IsAttached() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.dispatcher != nil
}

func (c *nic) MTU() uint32 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.mtu
}

func (c *nic) SetMTU(mtu uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mtu = mtu
}

func (c *nic) LinkAddress() tcpip.LinkAddress {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.address
}

func (c *nic) SetLinkAddress(a tcpip.LinkAddress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.address = a
}

func (c *nic) Capabilities() stack.LinkEndpointCapabilities {
	return stack.CapabilityRXChecksumOffload | stack.CapabilityTXChecksumOffload
}

func (c *nic) MaxHeaderLength() uint16                 { return 0 }
func (c *nic) ARPHardwareType() header.ARPHardwareType { return header.ARPHardwareNone }
func (c *nic) AddHeader(*stack.PacketBuffer)           {}
func (c *nic) ParseHeader(*stack.PacketBuffer) bool    { return true }
func (c *nic) SetOnCloseAction(func())                 {}
func (c *nic) Close()                                  {}
func (c *nic) Wait()                                   {}

// copyPacket flattens an outgoing packet into an incoming one: the sender keeps
// its buffers for retransmission, so the receiver must not share them. A SYN's
// offer of a segment size above limit is lowered to it; 0 is no limit.
func copyPacket(pkt *stack.PacketBuffer, limit uint16) *stack.PacketBuffer {
	view := pkt.ToView()
	if limit > 0 {
		transport := len(pkt.NetworkHeader().Slice())
		clamp(view.AsSlice()[transport:], limit)
	}
	return stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: buffer.MakeWithView(view)})
}

// clamp lowers the maximum segment size option of a SYN; RFC 9293 section 3.2 has
// the options' form.
func clamp(segment header.TCP, limit uint16) {
	options := segment.Options()
	for i := 0; i+1 < len(options) && options[i] != header.TCPOptionEOL; {
		if options[i] == header.TCPOptionNOP {
			i++
			continue
		}
		length := int(options[i+1])
		if length < 2 || i+length > len(options) {
			return
		}
		if options[i] == header.TCPOptionMSS && length == header.TCPOptionMSSLength {
			offer := options[i+2 : i+4]
			binary.BigEndian.PutUint16(offer, min(binary.BigEndian.Uint16(offer), limit))
		}
		i += length
	}
}
