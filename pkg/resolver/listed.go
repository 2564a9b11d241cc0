package resolver

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// askListed settles A and AAAA, as far as qs asks for them, of a host that the machine's own files list. The
// system's stub tells both at once and without waiting for anybody. [system] has goroutines of the standard
// library look, one family each; among many exchanges that start together the turns of those goroutines
// would be told as time of the look-up.
func askListed(ctx context.Context, host string, qs []question) (a, aaaa *reply) {
	start := time.Now()
	fresh := &net.Resolver{}
	found, err := fresh.LookupHost(ctx, host)
	took := time.Since(start)
	settle := func(q question) *reply {
		if !slices.Contains(qs, q) {
			return nil
		}
		r := &reply{server: System, took: took}
		if err != nil {
			r.err = systemError(ctx, host, q, err)
			return r
		}
		if r.addrs = ofType(found, q); len(r.addrs) == 0 {
			r.err = &Error{Kind: NoAddress, Name: host, Type: q.String(), Server: System}
		}
		return r
	}
	return settle(questionA), settle(questionAAAA)
}

// ofType keeps the addresses that answer q.
func ofType(texts []string, q question) []netip.Addr {
	var addrs []netip.Addr
	for _, text := range texts {
		if addr, err := netip.ParseAddr(text); err == nil && addr.Unmap().Is4() == (q == questionA) {
			addrs = append(addrs, addr.Unmap())
		}
	}
	return addrs
}

// listedAmong keeps those of hosts that the machine's files settle before anybody is asked.
func listedAmong(ctx context.Context, n Network, hosts []string) []string {
	if len(n.Resolver()) > 0 {
		return nil
	}
	var listed []string
	for _, host := range hosts {
		var asked atomic.Bool
		files := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			asked.Store(true)
			return nil, errors.New("only files are read")
		}}
		if _, err := files.LookupHost(ctx, host); err == nil && !asked.Load() {
			listed = append(listed, host)
		}
	}
	return listed
}
