package probe

import (
	"context"
	"net"
	"net/netip"
)

// maxAttempts bounds the connection attempts of one exchange.
const maxAttempts = 16

// ofFamily keeps the addresses of one family, or all for family 0.
func ofFamily(addrs []netip.Addr, family int) []netip.Addr {
	if family == 0 {
		return addrs
	}
	kept := make([]netip.Addr, 0, len(addrs))
	for _, a := range addrs {
		if a.Unmap().Is4() == (family == 4) {
			kept = append(kept, a)
		}
	}
	return kept
}

// attemptOrder lists the attempts as RFC 8305 section 4 does: families in turn, IPv6 first as the
// policy table of RFC 6724 has it, unless this machine has no route or only a source of another
// label for IPv6. Only the families are sorted: within one, the resolver's order stays.
func attemptOrder(ctx context.Context, network Network, addrs []netip.Addr, port uint16) []netip.AddrPort {
	var four, six []netip.AddrPort
	for _, a := range addrs {
		if a = a.Unmap(); a.Is4() {
			four = append(four, netip.AddrPortFrom(a, port))
		} else {
			six = append(six, netip.AddrPortFrom(a, port))
		}
	}
	first, second := six, four
	if len(six) > 0 && len(four) > 0 && !prefersSix(ctx, network, six[0], four[0]) {
		first, second = four, six
	}
	return interleave(first, second)
}

func interleave(first, second []netip.AddrPort) []netip.AddrPort {
	out := make([]netip.AddrPort, 0, min(len(first)+len(second), maxAttempts))
	for i := 0; len(out) < cap(out); i++ {
		if i < len(first) {
			out = append(out, first[i])
		}
		if i < len(second) && len(out) < cap(out) {
			out = append(out, second[i])
		}
	}
	return out
}

// prefersSix asks the routing table: connecting a UDP socket sends nothing and tells the source
// address that would be used (RFC 6724 rules 1, 2 and 5).
func prefersSix(ctx context.Context, network Network, six, four netip.AddrPort) bool {
	source, ok := sourceFor(ctx, network, six)
	if !ok {
		_, other := sourceFor(ctx, network, four)
		return !other
	}
	if !source.IsValid() {
		return true
	}
	return label(source) == label(six.Addr()) && source.IsLinkLocalUnicast() == six.Addr().IsLinkLocalUnicast()
}

// sourceFor returns the source address used towards addr, and whether there is a route at all.
func sourceFor(ctx context.Context, network Network, addr netip.AddrPort) (netip.Addr, bool) {
	conn, err := network.Dial(ctx, "udp", addr)
	if err != nil {
		return netip.Addr{}, false
	}
	defer conn.Close()
	if local, ok := conn.LocalAddr().(*net.UDPAddr); ok {
		return local.AddrPort().Addr(), true
	}
	return netip.Addr{}, true
}

// label is the default policy table of RFC 6724 section 2.1.
func label(a netip.Addr) int {
	switch b := a.As16(); {
	case a.Unmap().Is4():
		return 4
	case a.IsLoopback():
		return 0
	case b[0] == 0x20 && b[1] == 0x02:
		return 2 // 6to4
	case b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0:
		return 5 // Teredo
	case b[0]&0xfe == 0xfc:
		return 13 // unique local
	default:
		return 1
	}
}
