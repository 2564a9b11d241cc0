package resolver

import (
	"context"
	"math/bits"
	"net/netip"
	"slices"
)

// Sourcer is what a Network may also offer: the address packets to addr would leave from, and
// false when there is no route. Without it a network with servers of its own is taken to reach
// every address, and the system's is asked by connecting a UDP socket, which sends nothing.
type Sourcer interface {
	Source(addr netip.Addr) (netip.Addr, bool)
}

// candidate is a destination with the source it would be reached from.
type candidate struct {
	addr, source netip.Addr
	routable     bool
}

// order sorts addresses into the order to try them. What RFC 6724 calls "the order unchanged" is
// the server's order, IPv6 first.
func (s Spec) order(ctx context.Context, n Network, addrs []netip.Addr) []netip.Addr {
	if len(addrs) < 2 {
		return addrs
	}
	source := s.sourceFinder(ctx, n)
	list := make([]candidate, len(addrs))
	for i, addr := range addrs {
		from, ok := source(addr)
		list[i] = candidate{addr: addr, source: from, routable: ok}
	}
	slices.SortStableFunc(list, compareCandidates)
	sorted := make([]netip.Addr, len(list))
	for i, c := range list {
		sorted[i] = c.addr
	}
	return sorted
}

func (s Spec) sourceFinder(ctx context.Context, n Network) func(netip.Addr) (netip.Addr, bool) {
	if sourcer, ok := n.(Sourcer); ok {
		return sourcer.Source
	}
	if len(n.Resolver()) > 0 {
		return func(addr netip.Addr) (netip.Addr, bool) { return addr, true }
	}
	return func(addr netip.Addr) (netip.Addr, bool) { return connectedSource(ctx, n, addr) }
}

// connectedSource connects a datagram socket to addr; the port is of no account, as nothing is sent.
func connectedSource(ctx context.Context, n Network, addr netip.Addr) (netip.Addr, bool) {
	conn, err := n.Dial(ctx, "udp", netip.AddrPortFrom(addr, 53))
	if err != nil {
		return netip.Addr{}, false
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return addr, true
	}
	return local.Addr().Unmap().WithZone(""), true
}

// compareCandidates applies the rules of RFC 6724 section 6 that need no more than the addresses:
// 1 (unusable last), 2 (matching scope), 5 (matching label), 6 (precedence), 8 (smaller scope).
func compareCandidates(a, b candidate) int {
	return firstDifference(
		preferTrue(a.routable, b.routable),
		preferTrue(scope(a.addr) == scope(a.source), scope(b.addr) == scope(b.source)),
		preferTrue(label(a.addr) == label(a.source), label(b.addr) == label(b.source)),
		precedence(b.addr)-precedence(a.addr),
		scope(a.addr)-scope(b.addr),
	)
}

func firstDifference(diffs ...int) int {
	for _, d := range diffs {
		if d != 0 {
			return d
		}
	}
	return 0
}

func preferTrue(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// scope is the multicast-style scope number of RFC 6724 section 3.1 and 3.2.
func scope(a netip.Addr) int {
	switch {
	case !a.IsValid():
		return 0
	case a.IsLoopback(), a.IsLinkLocalUnicast():
		return 2
	case a.Is6() && netip.MustParsePrefix("fec0::/10").Contains(a):
		return 5
	}
	return 14
}

// policy is a row of the default policy table, RFC 6724 section 2.1.
type policy struct {
	prefix            netip.Prefix
	precedence, label int
}

func policyOf(a netip.Addr) policy {
	if a.Is4() {
		a = netip.AddrFrom16(a.As16())
	}
	best := policy{}
	for _, p := range policies() {
		if contains(p.prefix, a) && p.prefix.Bits() >= best.prefix.Bits() {
			best = p
		}
	}
	return best
}

func policies() []policy {
	return []policy{
		{netip.MustParsePrefix("::/0"), 40, 1},
		{netip.MustParsePrefix("::1/128"), 50, 0},
		{netip.MustParsePrefix("::ffff:0:0/96"), 35, 4},
		{netip.MustParsePrefix("2002::/16"), 30, 2},
		{netip.MustParsePrefix("2001::/32"), 5, 5},
		{netip.MustParsePrefix("fc00::/7"), 3, 13},
		{netip.MustParsePrefix("::/96"), 1, 3},
		{netip.MustParsePrefix("fec0::/10"), 1, 11},
		{netip.MustParsePrefix("3ffe::/16"), 1, 12},
	}
}

// contains differs from Prefix.Contains, which keeps IPv4-mapped addresses out of every prefix.
func contains(p netip.Prefix, a netip.Addr) bool {
	left, right := p.Addr().As16(), a.As16()
	for i := range left {
		n := min(max(p.Bits()-8*i, 0), 8)
		if bits.LeadingZeros8(left[i]^right[i]) < n {
			return false
		}
	}
	return true
}

func precedence(a netip.Addr) int { return policyOf(a).precedence }

func label(a netip.Addr) int {
	if !a.IsValid() {
		return -1
	}
	return policyOf(a).label
}
