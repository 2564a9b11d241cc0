package lab

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
)

// Rule says whether a packet is dropped. It is asked once for each packet of the
// direction it was set on, in sending order. One Rule used on several directions
// is asked concurrently; those made in this package allow it and count across all.
type Rule func(Packet) (drop bool)

// IsSYN reports whether p opens a TCP connection (SYN without ACK).
func IsSYN(p Packet) bool { return p.Proto == TCP && p.SYN && !p.ACK }

// IsSYNACK reports whether p answers one.
func IsSYNACK(p Packet) bool { return p.Proto == TCP && p.SYN && p.ACK }

// IsUDP reports whether p is a datagram, to or from any of the ports if some are given.
func IsUDP(ports ...uint16) func(Packet) bool { return protoOn(UDP, ports) }

// IsTCP reports whether p is a segment, to or from any of the ports if some are given.
func IsTCP(ports ...uint16) func(Packet) bool { return protoOn(TCP, ports) }

func protoOn(proto Proto, ports []uint16) func(Packet) bool {
	return func(p Packet) bool {
		if p.Proto != proto {
			return false
		}
		return len(ports) == 0 || slices.Contains(ports, p.Src.Port()) || slices.Contains(ports, p.Dst.Port())
	}
}

// IsIPv6 reports whether p travels over IPv6.
func IsIPv6(p Packet) bool { return p.Dst.Addr().Is6() }

// IsIPv4 reports whether p travels over IPv4.
func IsIPv4(p Packet) bool { return p.Dst.Addr().Is4() }

// Drop drops every packet that matches: Drop(IsIPv6) makes IPv6 a black hole,
// Drop(IsUDP(443)) blocks QUIC.
func Drop(match func(Packet) bool) Rule { return match }

// DropNth drops the packets whose place among those that match is listed,
// counting from 1: DropNth(IsSYN, 1) loses the first SYN and lets the one sent
// again through.
func DropNth(match func(Packet) bool, places ...int) Rule {
	var mu sync.Mutex
	seen := 0
	return func(p Packet) bool {
		if !match(p) {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		seen++
		return slices.Contains(places, seen)
	}
}

// DropFirst drops the first count matching packets of every flow, a flow being a
// pair of addresses and ports: DropFirst(IsSYN, 1) costs each connection one
// retransmission. It remembers every flow it has seen.
func DropFirst(match func(Packet) bool, count int) Rule {
	var mu sync.Mutex
	seen := map[[2]netip.AddrPort]int{}
	return func(p Packet) bool {
		if !match(p) {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		key := [2]netip.AddrPort{p.Src, p.Dst}
		seen[key]++
		return seen[key] <= count
	}
}

// DropShare drops each matching packet with the given probability, from a stream
// of its own that starts at seed.
func DropShare(match func(Packet) bool, share float64, seed uint64) Rule {
	var mu sync.Mutex
	draw := rand.New(rand.NewPCG(seed, 0))
	return func(p Packet) bool {
		if !match(p) {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		return draw.Float64() < share
	}
}
