package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/miekg/dns"
)

// DialContext dials "name:port" or "address:port" the way a server's HTTP client
// does: it asks the host's resolver for both families, anew each time, and tries
// the addresses in turn, IPv4 first. It fits http.Transport.
func (h *Host) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	name, port, err := splitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("dial %q: %w", address, err)
	}
	addrs, err := h.Lookup(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("dial %q: %w", address, err)
	}
	var failures []error
	for _, a := range addrs {
		c, err := h.Dial(ctx, network, netip.AddrPortFrom(a, port))
		if err == nil {
			return c, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

func splitHostPort(address string) (name string, port uint16, err error) {
	name, digits, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	number, err := strconv.ParseUint(digits, 10, 16)
	return name, uint16(number), err
}

// Lookup returns the addresses of a name, IPv4 first, from the host's resolver. A
// literal address is returned as it is. Nothing is cached.
func (h *Host) Lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{a}, nil
	}
	v6 := make(chan lookup, 1)
	go func() { v6 <- h.ask(ctx, name, dns.TypeAAAA) }()
	first := h.ask(ctx, name, dns.TypeA)
	second := <-v6
	addrs := append(first.addrs, second.addrs...)
	if len(addrs) > 0 {
		return addrs, nil
	}
	if err := errors.Join(first.err, second.err); err != nil {
		return nil, fmt.Errorf("look up %q: %w", name, err)
	}
	return nil, fmt.Errorf("look up %q: no addresses", name)
}

type lookup struct {
	addrs []netip.Addr
	err   error
}

// askTimeout is after how long a question is sent again; the resolvers of a host
// are asked askRounds times in turn.
const (
	askTimeout = time.Second
	askRounds  = 3
)

func (h *Host) ask(ctx context.Context, name string, qtype uint16) lookup {
	query := new(dns.Msg)
	query.SetQuestion(dns.Fqdn(name), qtype)
	err := errors.New("host has no resolver")
	resolvers := h.Resolver()
	for i := range askRounds * len(resolvers) {
		var reply *dns.Msg
		reply, err = h.exchange(ctx, query, resolvers[i%len(resolvers)])
		if err == nil {
			return readLookup(reply)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return lookup{err: err}
}

// exchange asks over UDP, and over TCP if the answer did not fit.
func (h *Host) exchange(ctx context.Context, query *dns.Msg, resolver netip.AddrPort) (*dns.Msg, error) {
	reply, err := h.exchangeOver(ctx, "udp", query, resolver)
	if err == nil && reply.Truncated {
		return h.exchangeOver(ctx, "tcp", query, resolver)
	}
	return reply, err
}

func (h *Host) exchangeOver(ctx context.Context, network string, query *dns.Msg, resolver netip.AddrPort) (*dns.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	c, err := h.Dial(ctx, network, resolver)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })
	defer stop()
	client := dns.Client{Net: network, Timeout: askTimeout}
	reply, _, err := client.ExchangeWithConn(query, &dns.Conn{Conn: c})
	return reply, err
}

func readLookup(reply *dns.Msg) (found lookup) {
	if reply.Rcode != dns.RcodeSuccess {
		return lookup{err: errors.New(dns.RcodeToString[reply.Rcode])}
	}
	for _, rr := range reply.Answer {
		var ip net.IP
		switch rr := rr.(type) {
		case *dns.A:
			ip = rr.A
		case *dns.AAAA:
			ip = rr.AAAA
		}
		if a, ok := netip.AddrFromSlice(ip); ok {
			found.addrs = append(found.addrs, a.Unmap())
		}
	}
	return found
}
