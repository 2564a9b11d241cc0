package resolver

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// system asks the machine's stub: the C library's or Go's own, as the standard library decides for
// this host. The resolver is a fresh one each time, because a shared one answers several waiting
// callers with a single query, and theirs would be the first one's time.
type system struct{}

func (system) ask(ctx context.Context, host string, q question) reply {
	var network string
	switch q {
	case questionA:
		network = "ip4"
	case questionAAAA:
		network = "ip6"
	default:
		return reply{server: System, err: &Error{Kind: NoAnswer, Name: host, Type: q.String(), Server: System}}
	}
	fresh := &net.Resolver{}
	found, err := fresh.LookupNetIP(ctx, network, host)
	if err != nil {
		return reply{server: System, err: systemError(ctx, host, q, err)}
	}
	addrs := make([]netip.Addr, 0, len(found))
	for _, addr := range found {
		addrs = append(addrs, addr.Unmap())
	}
	return reply{addrs: addrs, server: System}
}

func systemError(ctx context.Context, host string, q question, err error) *Error {
	e := &Error{Kind: ServerFailure, Name: host, Type: q.String(), Server: System}
	var dnsErr *net.DNSError
	if !errors.As(err, &dnsErr) {
		e.Kind, e.Err = systemKind(ctx, err), err
		return e
	}
	if dnsErr.Server != "" {
		e.Server = System + " (" + dnsErr.Server + ")"
	}
	switch {
	case dnsErr.IsNotFound:
		e.Kind = NoSuchName
	case ctx.Err() != nil:
		e.Kind, e.Err = classify(ctx.Err()), ctx.Err()
	case dnsErr.IsTimeout:
		e.Kind = NoAnswer
	default:
		e.Err = errors.New(dnsErr.Err)
	}
	return e
}

// systemKind is for errors the standard library does not dress as its own: an address that does
// not fit the family asked is one of them.
func systemKind(ctx context.Context, err error) Kind {
	var addrErr *net.AddrError
	switch {
	case errors.As(err, &addrErr):
		return NoAddress
	case ctx.Err() != nil:
		return classify(ctx.Err())
	}
	return ServerFailure
}
