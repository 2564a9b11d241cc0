package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// Resolver asks for the addresses of a name. It must ask anew at every call: an answer remembered
// would make the next exchange's dns segment a lie.
type Resolver interface {
	// Lookup asks for the addresses of host, of one family (4 or 6) or of both at once (0).
	// Every packet goes through network. An error must answer true to Timeout() bool when
	// nobody answered in time.
	Lookup(ctx context.Context, network Network, host string, family int) (Answer, error)
}

// Answer is what resolving told. A and AAAA are timed apart, from the call.
type Answer struct {
	Addrs   []netip.Addr
	Server  string
	A, AAAA time.Duration
	HasA    bool // the A question was answered, be it with no address
	HasAAAA bool
	TTL     time.Duration
	HasTTL  bool
	CNAME   []string
	HTTPS   string
}

// systemResolver asks the system's stub resolver, or the first resolver of a network that names one.
// Every call uses fresh net.Resolvers: a shared one merges simultaneous look-ups of one name.
type systemResolver struct{}

// familyAnswer is one half of a look-up.
type familyAnswer struct {
	addrs []netip.Addr
	took  time.Duration
	err   error
}

func (systemResolver) Lookup(ctx context.Context, network Network, host string, family int) (Answer, error) {
	start := time.Now()
	answer := Answer{Server: "system"}
	if servers := network.Resolver(); len(servers) > 0 {
		answer.Server = servers[0].String()
	}
	four, six := make(chan familyAnswer, 1), make(chan familyAnswer, 1)
	if family != 6 {
		go lookupFamily(ctx, network, "ip4", host, start, four)
	}
	if family != 4 {
		go lookupFamily(ctx, network, "ip6", host, start, six)
	}
	var errA, errAAAA error
	if family != 4 {
		a := <-six
		answer.AAAA, answer.HasAAAA, errAAAA = a.took, answered(a.err), a.err
		answer.Addrs = append(answer.Addrs, a.addrs...)
	}
	if family != 6 {
		a := <-four
		answer.A, answer.HasA, errA = a.took, answered(a.err), a.err
		answer.Addrs = append(answer.Addrs, a.addrs...)
	}
	if len(answer.Addrs) > 0 {
		return answer, nil
	}
	return answer, errors.Join(errA, dropEcho(errAAAA, errA))
}

// answered reports whether a resolver gave a definite answer, "no such name" included.
func answered(err error) bool {
	var dnsErr *net.DNSError
	return err == nil || errors.As(err, &dnsErr) && dnsErr.IsNotFound
}

// dropEcho leaves out err when it says the same as first.
func dropEcho(err, first error) error {
	if err != nil && first != nil && err.Error() == first.Error() {
		return nil
	}
	return err
}

func lookupFamily(ctx context.Context, network Network, family, host string, start time.Time, out chan<- familyAnswer) {
	addrs, err := freshResolver(network).LookupNetIP(ctx, family, host)
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	out <- familyAnswer{addrs: addrs, took: time.Since(start), err: err}
}

// freshResolver is the system's stub resolver when the network names none; else Go's own, its
// sockets led to the network's resolvers in turn.
func freshResolver(network Network) *net.Resolver {
	servers := network.Resolver()
	if len(servers) == 0 {
		return &net.Resolver{}
	}
	var turn atomic.Uint32
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, proto, _ string) (net.Conn, error) {
		i := int(turn.Add(1)-1) % len(servers)
		return network.Dial(ctx, proto[:3], servers[i])
	}}
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
		return nil, dns, fmt.Errorf("%s: no address of the family asked for", to.host)
	}
	return attemptOrder(ctx, x.p.network(), found, to.port), dns, nil
}

func (x *exchange) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	r := x.t.Resolver
	if r == nil {
		r = systemResolver{}
	}
	answer, err := r.Lookup(ctx, x.p.network(), host, x.t.Family)
	x.rec.DNS = dnsFacts(answer)
	return answer.Addrs, err
}
