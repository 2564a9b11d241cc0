package resolver

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Network is what lookups run over. The system's network, a simulated one and a test's differ in
// nothing else. Implementations must be safe for concurrent use.
type Network interface {
	// Dial connects to addr; network is "udp" or "tcp".
	Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error)
	// Resolver returns the servers that [System] asks, in order; none means the machine's own stub.
	Resolver() []netip.AddrPort
}

// Answer is what a lookup told. Durations count from the moment the queries were released.
type Answer struct {
	Addrs  []netip.Addr // in the order to try: routable first, then by RFC 6724
	Server string       // who answered: "system", "192.0.2.53", "tls://dns.example.net (192.0.2.53)"

	A       time.Duration // until the A query was answered, even if only with "none"
	AAAA    time.Duration
	HasA    bool // an answer came; false when not asked, or asked in vain
	HasAAAA bool

	TTL    time.Duration // the smallest of the chain and the addresses
	HasTTL bool          // the system's stub tells no TTL
	CNAME  []string      // the aliases followed, in order, without their final dots
	HTTPS  string        // ALPN identifiers of the HTTPS record, comma separated; told, not followed

	ErrA    *Error // why there is no IPv4 address; nil when there is one or none was asked for
	ErrAAAA *Error
}

// asker puts one question, and blocks until it is settled or ctx ends.
type asker interface {
	ask(ctx context.Context, host string, q question) reply
}

// reply is the outcome of one question.
type reply struct {
	addrs  []netip.Addr
	ttl    time.Duration
	hasTTL bool
	cname  []string
	alpn   string
	server string
	took   time.Duration
	err    *Error
}

// answered reports whether a server settled the question, if only by "none".
func (r reply) answered() bool { return r.err == nil || r.err.Kind.definite() }

// Prepare does before any clock starts what look-ups of hosts would otherwise pay for, and returns a Spec
// that no longer needs to: it finds the addresses of a resolver given by name, through the system's
// resolver; of the system's own it learns which hosts the machine's files list. The error is an *Error.
func (s Spec) Prepare(ctx context.Context, n Network, hosts ...string) (Spec, error) {
	if s.IsSystem() {
		s.listed = listedAmong(ctx, n, hosts)
		return s, nil
	}
	return s.findServers(ctx, n)
}

// findServers looks a resolver given by name up, once.
func (s Spec) findServers(ctx context.Context, n Network) (Spec, error) {
	if s.IsSystem() || len(s.servers) > 0 {
		return s, nil
	}
	found, err := Spec{Timeout: s.Timeout}.Lookup(ctx, n, s.Host, 0)
	if err != nil {
		return s, fmt.Errorf("resolver %s: %w", s, err)
	}
	for _, addr := range found.Addrs {
		s.servers = append(s.servers, netip.AddrPortFrom(addr, s.Port))
	}
	return s, nil
}

// Lookup resolves host over n: A and AAAA side by side, or one of them when family is 4 or 6. A
// host that is an address already is its own answer and nothing is asked. When no address comes
// back the error is an *Error (below what Prepare adds), and the Answer still holds what was
// timed. An answer of one family is a success; ErrA or ErrAAAA then tells of the other.
// Each query takes at most two attempts of Spec.Timeout at each server, within ctx.
func (s Spec) Lookup(ctx context.Context, n Network, host string, family int) (Answer, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return Answer{Addrs: []netip.Addr{addr.Unmap()}}, nil
	}
	ctx = untraced{ctx}
	s, err := s.findServers(ctx, n)
	if err != nil {
		return Answer{}, err
	}
	a, aaaa, https := s.put(ctx, n, host, s.questions(family))
	answer := combine(a, aaaa, https)
	if err := failure(ctx, answer); err != nil {
		return answer, err
	}
	answer.Addrs = s.order(ctx, n, answer.Addrs)
	return answer, nil
}

// failure is what the whole lookup failed with. A context that ended takes the answers that came
// in time with it: nothing could be done with them any more.
func failure(ctx context.Context, answer Answer) error {
	err := merge(answer.ErrA, answer.ErrAAAA)
	if err != nil && (len(answer.Addrs) == 0 || ctx.Err() != nil) {
		return err
	}
	return nil
}

func (s Spec) questions(family int) (qs []question) {
	if family != 6 {
		qs = append(qs, questionA)
	}
	if family != 4 {
		qs = append(qs, questionAAAA)
	}
	if s.AskHTTPS {
		qs = append(qs, questionHTTPS)
	}
	return qs
}

// put puts the questions to whom s names. A question that was not put has no reply.
func (s Spec) put(ctx context.Context, n Network, host string, qs []question) (a, aaaa, https *reply) {
	if s.Lists(host) {
		if a, aaaa, settled := askListed(ctx, host, qs); settled {
			return a, aaaa, nil
		}
	}
	return askAll(ctx, s.asker(n), host, qs)
}

func (s Spec) asker(n Network) asker {
	if !s.IsSystem() {
		return stub{servers: s.servers, carry: s.carrier(n), label: s.label, timeout: s.timeout()}
	}
	if servers := n.Resolver(); len(servers) > 0 {
		plain := Spec{Scheme: UDP}
		return stub{servers: servers, carry: plain.carrier(n), label: plain.label, timeout: s.timeout()}
	}
	return system{}
}

// askAll releases all questions at once, one of them from this goroutine: the fewer have to be woken, the
// less their turns count as time of the look-up. The HTTPS record may come along while the addresses are
// awaited; when both are there it is given up, so that it never delays them.
func askAll(ctx context.Context, by asker, host string, qs []question) (a, aaaa, https *reply) {
	start := time.Now()
	put := func(ctx context.Context, q question) *reply {
		r := by.ask(ctx, host, q)
		r.took = time.Since(start)
		return &r
	}
	giveUp := func() {}
	var extra, other sync.WaitGroup
	if slices.Contains(qs, questionHTTPS) {
		var optional context.Context
		optional, giveUp = context.WithCancel(ctx)
		extra.Go(func() { https = put(optional, questionHTTPS) })
	}
	if slices.Contains(qs, questionAAAA) {
		other.Go(func() { aaaa = put(ctx, questionAAAA) })
	}
	if slices.Contains(qs, questionA) {
		a = put(ctx, questionA)
	}
	other.Wait()
	giveUp()
	extra.Wait()
	return a, aaaa, https
}

func combine(a, aaaa, https *reply) Answer {
	var answer Answer
	if a != nil {
		answer.A, answer.HasA, answer.ErrA = a.took, a.answered(), a.err
		answer.add(a)
	}
	if aaaa != nil {
		answer.AAAA, answer.HasAAAA, answer.ErrAAAA = aaaa.took, aaaa.answered(), aaaa.err
		answer.add(aaaa)
	}
	if https != nil && https.err == nil {
		answer.HTTPS = https.alpn
	}
	if len(answer.Addrs) > 0 {
		answer.ErrA, answer.ErrAAAA = existing(answer.ErrA), existing(answer.ErrAAAA)
	}
	return answer
}

// existing corrects what the system's stub cannot tell apart, and some servers get wrong: a name
// that has an address of one family exists, so the other family is only absent (RFC 8020).
func existing(err *Error) *Error {
	if err == nil || err.Kind != NoSuchName {
		return err
	}
	absent := *err
	absent.Kind = NoAddress
	return &absent
}

func (a *Answer) add(r *reply) {
	a.Addrs = append(a.Addrs, r.addrs...)
	if r.hasTTL && (!a.HasTTL || r.ttl < a.TTL) {
		a.TTL, a.HasTTL = r.ttl, true
	}
	if len(a.CNAME) == 0 {
		a.CNAME = r.cname
	}
	if a.Server == "" && r.answered() {
		a.Server = r.server
	}
}

// untraced hides a context's values: a client trace in them would report the resolver's own
// sockets as connections to the target.
type untraced struct{ context.Context }

func (untraced) Value(any) any { return nil }
