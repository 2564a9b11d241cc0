package resolver

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/miekg/dns"
)

// carry takes a query to a server on a connection of its own and brings the answer back.
type carry func(ctx context.Context, server netip.AddrPort, out *dns.Msg) (*dns.Msg, error)

// stub asks servers as a stub resolver does: each in turn, twice around, a server that answered
// with a failure not a second time.
type stub struct {
	servers []netip.AddrPort
	carry   carry
	label   func(netip.AddrPort) string
	timeout time.Duration
}

func (s stub) ask(ctx context.Context, host string, q question) reply {
	settled := make([]bool, len(s.servers))
	var last reply
	for range attempts {
		for i, server := range s.servers {
			if settled[i] {
				continue
			}
			r := s.askServer(ctx, server, host, q)
			if r.err == nil || r.err.Kind.final() || ctx.Err() != nil {
				return r
			}
			settled[i] = r.err.Kind.definite()
			last = weightier(last, r)
		}
	}
	return last
}

// weightier prefers what a server said over silence.
func weightier(a, b reply) reply {
	if a.err != nil && a.err.Kind.definite() {
		return a
	}
	return b
}

// askServer puts the question to one server once; one that does not know EDNS is asked again
// without it (RFC 6891 section 7).
func (s stub) askServer(ctx context.Context, server netip.AddrPort, host string, q question) reply {
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("waited %v", s.timeout))
	defer cancel()
	in, err := s.carry(ctx, server, query(host, q, true))
	if err == nil && in.Rcode == dns.RcodeFormatError {
		in, err = s.carry(ctx, server, query(host, q, false))
	}
	fail := &Error{Name: host, Type: q.String(), Server: s.label(server)}
	if err != nil {
		fail.Kind, fail.Err = classify(err), cause(ctx, err)
		return reply{server: fail.Server, err: fail}
	}
	r := read(in, q)
	r.server = fail.Server
	if fail.Kind, fail.Err = verdict(in, r); fail.Kind != "" {
		r.err = fail
	}
	return r
}

// cause replaces the words of an expired context or deadline by what was being waited for.
func cause(ctx context.Context, err error) error {
	if classify(err) != NoAnswer || ctx.Err() == nil {
		return err
	}
	if why := context.Cause(ctx); !errors.Is(why, ctx.Err()) {
		return why
	}
	return ctx.Err()
}

func verdict(in *dns.Msg, r reply) (Kind, error) {
	switch in.Rcode {
	case dns.RcodeSuccess:
		if len(r.addrs) == 0 && r.alpn == "" {
			return NoAddress, nil
		}
		return "", nil
	case dns.RcodeNameError:
		return NoSuchName, nil
	case dns.RcodeRefused:
		return Refused, nil
	case dns.RcodeServerFailure:
		return ServerFailure, nil
	}
	return BadAnswer, fmt.Errorf("response code %s", rcodeName(in.Rcode))
}

func rcodeName(code int) string {
	if name, ok := dns.RcodeToString[code]; ok {
		return name
	}
	return fmt.Sprint(code)
}
