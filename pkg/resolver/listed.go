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

// Lists reports whether Prepare found host in the machine's own files, so that nobody is asked for it.
func (s Spec) Lists(host string) bool { return slices.Contains(s.listed, host) }

// listedAmong keeps those of hosts that the machine's own files settle, where its stub is the one to ask.
func listedAmong(ctx context.Context, n Network, hosts []string) []string {
	if len(n.Resolver()) > 0 {
		return nil
	}
	var listed []string
	for _, host := range hosts {
		if _, settled := lookIntoFiles(ctx, host); settled {
			listed = append(listed, host)
		}
	}
	return listed
}

// lookIntoFiles reads the addresses of host in the machine's own files; settled is false when somebody would
// be asked before they are read, or they do not list host. It is done in this goroutine.
func lookIntoFiles(ctx context.Context, host string) (addrs []netip.Addr, settled bool) {
	var asked atomic.Bool
	files := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		asked.Store(true)
		return nil, errors.New("only files are read")
	}}
	found, err := files.LookupHost(ctx, host)
	if err != nil || asked.Load() {
		return nil, false
	}
	for _, text := range found {
		if addr, err := netip.ParseAddr(text); err == nil {
			addrs = append(addrs, addr.Unmap())
		}
	}
	return addrs, true
}

// askListed settles A and AAAA, as far as qs asks for them, of a host in the machine's own files by one look
// into them. [system] has goroutines of the standard library look, one family each; among many exchanges
// that start together the turns of those goroutines would be told as time of the look-up. false when the
// files have no address that is asked for: the stub may know better.
func askListed(ctx context.Context, host string, qs []question) (a, aaaa *reply, settled bool) {
	start := time.Now()
	addrs, _ := lookIntoFiles(ctx, host)
	took := time.Since(start)
	answer := func(q question) *reply {
		if !slices.Contains(qs, q) {
			return nil
		}
		r := &reply{server: System, took: took}
		for _, addr := range addrs {
			if addr.Is4() == (q == questionA) {
				r.addrs, settled = append(r.addrs, addr), true
			}
		}
		if len(r.addrs) == 0 {
			r.err = &Error{Kind: NoAddress, Name: host, Type: q.String(), Server: System}
		}
		return r
	}
	a, aaaa = answer(questionA), answer(questionAAAA)
	return a, aaaa, settled
}
