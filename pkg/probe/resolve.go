package probe

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// maxAttempts bounds the connection attempts of one exchange.
const maxAttempts = 16

// Prepare does before any clock starts what t's resolver would otherwise do within the first look-up, and
// keeps it in t.Resolver. The error tells what was not found; t is as it was then.
func (p *Prober) Prepare(ctx context.Context, t *Target) error {
	to, err := t.destination()
	if err != nil {
		return err
	}
	var hosts []string
	if to.pinned == nil {
		hosts = append(hosts, to.host)
	}
	found, err := t.Resolver.Prepare(ctx, p.network(), hosts...)
	if err != nil {
		return err
	}
	t.Resolver = found
	return nil
}

// resolve finds the addresses to dial, in the order of the attempts. dns is false when no look-up
// was needed.
func (x *exchange) resolve(ctx context.Context, to place) (addrs []netip.AddrPort, dns bool, err error) {
	found := to.pinned
	if found == nil {
		dns = true
		if found, err = x.lookup(ctx, to.host); err != nil {
			return nil, dns, err
		}
	}
	found = ofFamily(found, x.t.Family)
	if len(found) == 0 {
		return nil, dns, fmt.Errorf("%s: no address of family %d", to.host, x.t.Family)
	}
	return attemptOrder(found, to.port), dns, nil
}

func (x *exchange) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	answer, err := x.t.Resolver.Lookup(ctx, x.p.network(), host, x.t.Family)
	x.rec.DNS = dnsFacts(answer)
	if host != asciiHost(x.t.URL.Hostname()) {
		x.rec.DNS.Name = host
	}
	if err == nil {
		x.noteSilence(answer.ErrA)
		x.noteSilence(answer.ErrAAAA)
	}
	return answer.Addrs, err
}

// noteSilence tells of a family that was asked for in vain; that a name has no such address is no news.
func (x *exchange) noteSilence(err *resolver.Error) {
	if err != nil && err.Kind != resolver.NoSuchName && err.Kind != resolver.NoAddress {
		x.note("dns: " + record.SafeText(err.Error()))
	}
}

func dnsFacts(a resolver.Answer) *record.DNS {
	facts := &record.DNS{
		Server: record.SafeURL(a.Server), A: a.A, AAAA: a.AAAA, HasA: a.HasA, HasAAAA: a.HasAAAA,
		TTL: a.TTL, HasTTL: a.HasTTL, CNAME: a.CNAME, HTTPS: a.HTTPS,
	}
	for _, addr := range a.Addrs {
		facts.Addrs = append(facts.Addrs, addr.String())
	}
	return facts
}

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

// attemptOrder lists the attempts as RFC 8305 section 4 does: families in turn, beginning with that of
// the first address. addrs come sorted by RFC 6724, unroutable families last; each family keeps its
// own order.
func attemptOrder(addrs []netip.Addr, port uint16) []netip.AddrPort {
	var first, second []netip.AddrPort
	for _, a := range addrs {
		a = a.Unmap()
		if a.Is4() == addrs[0].Unmap().Is4() {
			first = append(first, netip.AddrPortFrom(a, port))
		} else {
			second = append(second, netip.AddrPortFrom(a, port))
		}
	}
	out := make([]netip.AddrPort, 0, min(len(addrs), maxAttempts))
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
