//go:build linux

package wan

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
)

// Net is one network. It is safe for concurrent use; [Net.Close] ends everything in it.
type Net struct {
	router *router

	mu    sync.Mutex // guards hosts
	hosts []*Host
}

// New starts a network without hosts; seed decides jitter, loss and reordering.
func New(seed uint64) (*Net, error) {
	r, err := newRouter(seed)
	if err != nil {
		return nil, fmt.Errorf("start the router: %w", err)
	}
	return &Net{router: r}, nil
}

// Host adds a host with an address of each family and any others given. The first host is 198.18.0.1
// and 2001:db8::1, the next 198.18.0.2 and so on (RFC 2544, RFC 3849): addresses nobody owns.
func (n *Net) Host(more ...netip.Addr) (*Host, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	number := byte(len(n.hosts) + 1)
	h := &Host{
		net: n,
		V4:  netip.AddrFrom4([4]byte{198, 18, 0, number}),
		V6:  netip.AddrFrom16([16]byte{0: 0x20, 1: 0x01, 2: 0x0d, 3: 0xb8, 15: number}),
	}
	if err := h.start(append([]netip.Addr{h.V4, h.V6}, more...)); err != nil {
		return nil, fmt.Errorf("host %d: %w", number, err)
	}
	n.hosts = append(n.hosts, h)
	return h, nil
}

// Connect sets the same path in both directions. Until a pair of hosts is connected no packet passes
// between them. Setting a path again takes effect for packets sent from then on.
func (n *Net) Connect(a, b *Host, p Path) {
	n.Route(a, b, p)
	n.Route(b, a, p)
}

// Route sets the path from one host to another.
func (n *Net) Route(from, to *Host, p Path) { n.router.route(from.port, to.port, p) }

// Close stops every process started on a host, the router and the namespaces. The network must not be
// used afterwards.
func (n *Net) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	var errs []error
	for _, h := range n.hosts {
		h.stop()
	}
	n.router.close()
	for _, h := range n.hosts {
		errs = append(errs, h.ns.close())
	}
	n.hosts = nil
	return errors.Join(errs...)
}
