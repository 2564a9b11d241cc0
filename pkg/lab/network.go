// Package lab is a small internet inside the process: hosts with a TCP/IP stack
// of their own, joined by paths with real delay, and the servers that live there.
//
// It knows packets, paths, names and certificates: a connection through it makes
// the handshakes a real one makes and waits for them in real time. It refuses to
// know what is measured over it: nothing here imports the prober, and no figure a
// reader will see is computed here. Its one rule: everything opened on a host ends
// with its Internet, so close the Internet last and use nothing of it afterwards.
//
// Delays are lower bounds. A packet is never handed over before its due time; how
// late it may be is what BenchmarkTiming reports.
package lab

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// Config says how an Internet behaves where no path was set.
type Config struct {
	// Seed starts every path's stream of losses and jitter. Two Internets with the
	// same seed and host names lose the same packets, counted per path and direction.
	Seed uint64
	// RTT is the round trip between two hosts without a path of their own; half of
	// it is spent each way. It must be symmetric and safe for concurrent use; nil
	// means no delay at all.
	RTT func(a, b *Host) time.Duration
}

// Internet is a set of hosts that can all reach each other. It is safe for
// concurrent use.
type Internet struct {
	cfg   Config
	start time.Time
	line  *delayLine

	mu     sync.RWMutex // guards everything below
	hosts  []*Host
	byName map[string]*Host
	byAddr map[netip.Addr]*Host
	pipes  map[direction]*pipe
	closed bool
}

type direction struct{ from, to *Host }

// New starts an Internet without hosts. Close must be called to end it.
// The error is the operating system's, for want of a timer.
func New(cfg Config) (*Internet, error) {
	n := &Internet{
		cfg:    cfg,
		start:  time.Now(),
		byName: map[string]*Host{},
		byAddr: map[netip.Addr]*Host{},
		pipes:  map[direction]*pipe{},
	}
	bell, err := newAlarm()
	if err != nil {
		return nil, fmt.Errorf("start lab clock: %w", err)
	}
	n.line = newDelayLine(bell, n.now)
	return n, nil
}

func (n *Internet) now() time.Duration { return time.Since(n.start) }

// AddHost starts a host. The name must be new; it is a label for people and for
// Host, and becomes a DNS name only where a DNS server is told so.
func (n *Internet) AddHost(name string, opts HostOptions) (*Host, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, fmt.Errorf("add host %q: %w", name, errInternetClosed)
	}
	if n.byName[name] != nil {
		return nil, fmt.Errorf("add host %q: name taken", name)
	}
	addrs := opts.addresses(len(n.hosts) + 1)
	for _, a := range addrs {
		if other := n.byAddr[a]; other != nil {
			return nil, fmt.Errorf("add host %q: address %v belongs to %q", name, a, other.name)
		}
	}
	h, err := newHost(n, name, addrs, opts)
	if err != nil {
		return nil, fmt.Errorf("add host %q: %w", name, err)
	}
	n.register(h)
	return h, nil
}

var errInternetClosed = errors.New("internet is closed")

func (n *Internet) register(h *Host) {
	n.hosts = append(n.hosts, h)
	n.byName[h.name] = h
	for _, a := range h.addrs {
		n.byAddr[a] = h
	}
}

// Host returns the host of that name.
func (n *Internet) Host(name string) (h *Host, ok bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	h, ok = n.byName[name]
	return h, ok
}

// Owner returns the host that holds addr.
func (n *Internet) Owner(addr netip.Addr) (h *Host, ok bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	h, ok = n.byAddr[addr.Unmap()]
	return h, ok
}

// Hosts returns the hosts in the order they were added; the slice is the caller's.
func (n *Internet) Hosts() []*Host {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return append([]*Host(nil), n.hosts...)
}

// Connect sets the path between a and b in both directions. It holds for packets
// sent from now on; those under way keep their due time.
func (n *Internet) Connect(a, b *Host, p Path) {
	n.SetPath(a, b, p)
	n.SetPath(b, a, p)
}

// SetPath sets one direction of the path between two hosts, under the terms of Connect.
func (n *Internet) SetPath(from, to *Host, p Path) { n.pipe(from, to).set(p) }

// Path returns what holds from one host to another: what was set, else what
// Config.RTT says.
func (n *Internet) Path(from, to *Host) Path { return n.pipe(from, to).get() }

// Traffic returns what became of the packets sent so far from one host to another.
func (n *Internet) Traffic(from, to *Host) Traffic { return n.pipe(from, to).traffic() }

func (n *Internet) pipe(from, to *Host) *pipe {
	key := direction{from, to}
	n.mu.RLock()
	p := n.pipes[key]
	n.mu.RUnlock()
	if p != nil {
		return p
	}
	fresh := newPipe(n.cfg.Seed, from.name, to.name, n.defaultPath(from, to))
	n.mu.Lock()
	defer n.mu.Unlock()
	if p := n.pipes[key]; p != nil {
		return p
	}
	n.pipes[key] = fresh
	return fresh
}

func (n *Internet) defaultPath(from, to *Host) Path {
	if n.cfg.RTT == nil || from == to {
		return Path{}
	}
	return PathRTT(n.cfg.RTT(from, to))
}

// Close ends every connection, listener and host, drops the packets under way and
// waits for the goroutines behind them. A second call does nothing.
func (n *Internet) Close() error {
	n.mu.Lock()
	hosts, closed := n.hosts, n.closed
	n.closed = true
	n.mu.Unlock()
	if closed {
		return nil
	}
	for _, h := range hosts {
		h.shut()
	}
	n.line.close()
	for _, h := range hosts {
		h.stack.Wait()
	}
	return nil
}
