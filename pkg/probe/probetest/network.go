package probetest

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// The addresses of the client and of the resolver (RFC 5737, RFC 3849).
var (
	client4      = netip.MustParseAddr("198.51.100.1")
	client6      = netip.MustParseAddr("2001:db8:c::1")
	resolverAddr = netip.MustParseAddrPort("198.51.100.53:53")
)

// Network is the network as its one client sees it; it satisfies probe.Network and is safe for
// concurrent use. Fields may be set until the first Dial.
type Network struct {
	// OneWay is the latency from the client to every host and back.
	OneWay time.Duration
	// Window bounds the bytes of a stream that the other side has not read; 0 is no bound.
	Window int
	// Zone answers look-ups; with a nil Zone the network names no resolver.
	Zone Zone
	// Drop, when set, decides for each datagram whether it gets lost.
	Drop func(from, to netip.AddrPort, datagram []byte) bool

	mu        sync.Mutex // guards all below
	far       map[netip.Addr]time.Duration
	silent    map[netip.Addr]bool
	noRoute   map[int]bool
	listeners map[netip.AddrPort]*listener
	sockets   map[netip.AddrPort]*Socket
	nextPort  uint16
	dials     []netip.AddrPort
	queries   int
}

// New returns a network with the given one-way latency.
func New(oneWay time.Duration) *Network {
	return &Network{
		OneWay: oneWay, nextPort: 40000,
		far: map[netip.Addr]time.Duration{}, silent: map[netip.Addr]bool{}, noRoute: map[int]bool{},
		listeners: map[netip.AddrPort]*listener{}, sockets: map[netip.AddrPort]*Socket{},
	}
}

// Far gives one host a latency of its own.
func (n *Network) Far(host string, oneWay time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.far[netip.MustParseAddr(host)] = oneWay
}

// Silence makes a host swallow everything sent to it.
func (n *Network) Silence(host string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.silent[netip.MustParseAddr(host)] = true
}

// NoRoute takes away the client's route for a family, 4 or 6.
func (n *Network) NoRoute(family int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.noRoute[family] = true
}

// Dials lists the TCP connections asked for so far, in order.
func (n *Network) Dials() []netip.AddrPort {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]netip.AddrPort(nil), n.dials...)
}

// Resolver names the scripted resolver when there is a Zone.
func (n *Network) Resolver() []netip.AddrPort {
	if n.Zone == nil {
		return nil
	}
	return []netip.AddrPort{resolverAddr}
}

// Source is the client's address towards addr, and false when it has no route.
func (n *Network) Source(addr netip.Addr) (netip.Addr, bool) {
	if !n.routed(addr) {
		return netip.Addr{}, false
	}
	return clientFor(addr), true
}

// Dial opens a stream to a listener, taking one round trip, or a datagram conversation.
func (n *Network) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	if !n.routed(addr.Addr()) {
		return nil, opError(network, addr, os.NewSyscallError("connect", syscall.ENETUNREACH))
	}
	if network == "udp" {
		return n.dialUDP(addr)
	}
	l, silent := n.noteDial(addr)
	if silent {
		<-ctx.Done()
		return nil, opError(network, addr, ended(ctx))
	}
	return n.dialTCP(ctx, addr, l)
}

func (n *Network) noteDial(addr netip.AddrPort) (*listener, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dials = append(n.dials, addr)
	return n.listeners[addr], n.silent[addr.Addr()]
}

func (n *Network) dialTCP(ctx context.Context, addr netip.AddrPort, l *listener) (net.Conn, error) {
	latency := n.latency(addr.Addr())
	if err := sleep(ctx, latency); err != nil {
		return nil, opError("tcp", addr, err)
	}
	if l == nil {
		if err := sleep(ctx, latency); err != nil {
			return nil, opError("tcp", addr, err)
		}
		return nil, opError("tcp", addr, os.NewSyscallError("connect", syscall.ECONNREFUSED))
	}
	local := n.clientPort(addr.Addr())
	near, distant := newStream(local, addr, latency, n.Window)
	l.deliver(distant)
	if err := sleep(ctx, latency); err != nil {
		near.Close()
		return nil, opError("tcp", addr, err)
	}
	return near, nil
}

func (n *Network) routed(addr netip.Addr) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !n.noRoute[family(addr)]
}

func (n *Network) latency(host netip.Addr) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	if d, ok := n.far[host]; ok {
		return d
	}
	return n.OneWay
}

func (n *Network) clientPort(towards netip.Addr) netip.AddrPort {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.nextPort++
	return netip.AddrPortFrom(clientFor(towards), n.nextPort)
}

func clientFor(addr netip.Addr) netip.Addr {
	if addr.Is4() {
		return client4
	}
	return client6
}

func family(addr netip.Addr) int {
	if addr.Is4() {
		return 4
	}
	return 6
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

// ended spells a context's end as package net does.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return os.ErrDeadlineExceeded
	}
	return errors.New("operation was canceled")
}

func opError(network string, addr netip.AddrPort, err error) error {
	return &net.OpError{Op: "dial", Net: network, Addr: net.TCPAddrFromAddrPort(addr), Err: err}
}
