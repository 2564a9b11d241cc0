package lab

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// HostOptions says where a host stands and how it is addressed. The zero value
// makes a host with one address of each family and no resolver.
type HostOptions struct {
	// Place is where the host stands, in whatever words Config.RTT understands.
	Place string
	// Addrs are the host's addresses; none means one of each family is chosen, from
	// the ranges set aside for benchmarks (RFC 2544, RFC 5180).
	Addrs []netip.Addr
	// IPv4Only and IPv6Only narrow that choice; they have no say over Addrs.
	IPv4Only, IPv6Only bool
	// MTU is the largest IP packet the host sends, in bytes; 0 means 1500.
	MTU int
	// Resolver is the recursive resolver the host asks.
	Resolver []netip.AddrPort
}

const defaultMTU = 1500

// addresses returns the host's addresses; index tells hosts apart.
func (o HostOptions) addresses(index int) []netip.Addr {
	if len(o.Addrs) > 0 {
		return slices.Clone(o.Addrs)
	}
	hi, lo := byte(index>>8), byte(index)
	v4 := netip.AddrFrom4([4]byte{198, 18, hi, lo})
	v6 := netip.AddrFrom16([16]byte{0x20, 0x01, 0x00, 0x02, 14: hi, 15: lo})
	switch {
	case o.IPv4Only:
		return []netip.Addr{v4}
	case o.IPv6Only:
		return []netip.Addr{v6}
	}
	return []netip.Addr{v4, v6}
}

// Host is one machine of an Internet. It is safe for concurrent use. Its Dial,
// ListenPacket and Resolver are the whole of what a prober needs of a network.
type Host struct {
	internet *Internet
	name     string
	place    string
	addrs    []netip.Addr
	stack    *stack.Stack
	nic      *nic
	meter    *meter
	down     chan struct{} // closed when the Internet closes

	mu       sync.RWMutex // guards resolver
	resolver []netip.AddrPort
}

func newHost(n *Internet, name string, addrs []netip.Addr, opts HostOptions) (*Host, error) {
	h := &Host{
		internet: n,
		name:     name,
		place:    opts.Place,
		addrs:    addrs,
		meter:    newMeter(),
		down:     make(chan struct{}),
		resolver: slices.Clone(opts.Resolver),
	}
	mtu := opts.MTU
	if mtu == 0 {
		mtu = defaultMTU
	}
	h.nic = &nic{host: h, mtu: uint32(mtu)}
	var err error
	h.stack, err = newStack(h.nic, addrs)
	return h, err
}

// Name returns the name the host was added under.
func (h *Host) Name() string { return h.name }

// Place returns HostOptions.Place.
func (h *Host) Place() string { return h.place }

// Internet returns the Internet the host belongs to.
func (h *Host) Internet() *Internet { return h.internet }

// Addrs returns the host's addresses without loopback; the slice is the caller's.
func (h *Host) Addrs() []netip.Addr { return slices.Clone(h.addrs) }

// Addr returns the host's first address of the family, 4 or 6.
func (h *Host) Addr(family int) (addr netip.Addr, ok bool) {
	for _, a := range h.addrs {
		if a.Is4() == (family == 4) {
			return a, true
		}
	}
	return netip.Addr{}, false
}

// AddrPort returns the host's first address, of whatever family, with port.
func (h *Host) AddrPort(port uint16) netip.AddrPort {
	return netip.AddrPortFrom(h.addrs[0], port)
}

// Resolver returns the addresses of the recursive resolver the host asks, in order
// of preference; empty if it has none.
func (h *Host) Resolver() []netip.AddrPort {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return slices.Clone(h.resolver)
}

// SetResolver replaces what Resolver returns.
func (h *Host) SetResolver(addrs ...netip.AddrPort) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resolver = slices.Clone(addrs)
}

// send puts a packet of the stack on the path to its destination. A destination
// nobody holds swallows it, as the real one would.
func (h *Host) send(pkt *stack.PacketBuffer) {
	info, ok := parse(pkt)
	if !ok {
		return
	}
	n := h.internet
	now := n.now()
	h.meter.sent(info, now)
	to, ok := n.Owner(info.Dst.Addr())
	if !ok {
		return
	}
	way := n.pipe(h, to)
	switch due, fate := way.admit(info.Packet, now); fate {
	case carried:
		n.line.push(cargo{due: due, to: to, pkt: copyPacket(pkt, way.segmentLimit(info)), info: info})
	case tooBig:
		h.refuse(pkt, info, way.get(), now)
	}
}

// receive takes a packet off the delay line.
func (h *Host) receive(c cargo) {
	h.meter.received(c.info, h.internet.now())
	h.nic.deliver(c.pkt, familyOf(c.info.Dst.Addr()))
}

// refuse answers a packet too large for the path.
func (h *Host) refuse(pkt *stack.PacketBuffer, info parsed, p Path, now time.Duration) {
	if p.Mute {
		return
	}
	reply, back := packetTooBig(pkt, info, p.MTU)
	h.internet.line.push(cargo{due: now + p.Delay, to: h, pkt: reply, info: back})
}

// shut ends the host's sockets and begins to stop its stack.
func (h *Host) shut() {
	close(h.down)
	h.stack.Close()
}

var errNoAddress = errors.New("host has no address")

func checkAddresses(addrs []netip.Addr) error {
	if len(addrs) == 0 {
		return errNoAddress
	}
	for _, a := range addrs {
		if !a.IsValid() || a.Is4In6() || a.IsUnspecified() || a.IsLoopback() || a.IsMulticast() {
			return fmt.Errorf("address %v: want a plain unicast address", a)
		}
	}
	return nil
}
