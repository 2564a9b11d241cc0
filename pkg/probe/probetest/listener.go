package probetest

import (
	"net"
	"net/netip"
	"sync"
)

// listener accepts the streams dialled to one address.
type listener struct {
	network *Network
	addr    netip.AddrPort
	queue   chan *Stream
	once    sync.Once
	done    chan struct{}
}

// Listen opens a listener at addr ("192.0.2.1:443"). It panics when the address is taken.
func (n *Network) Listen(addr string) net.Listener {
	at := netip.MustParseAddrPort(addr)
	l := &listener{network: n, addr: at, queue: make(chan *Stream, 64), done: make(chan struct{})}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners[at] != nil {
		panic("probetest: address taken: " + addr)
	}
	n.listeners[at] = l
	return l
}

func (l *listener) deliver(s *Stream) {
	select {
	case l.queue <- s:
	case <-l.done:
		s.Reset()
	}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case s := <-l.queue:
		return s, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener: later dials are refused.
func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.done)
		l.network.mu.Lock()
		defer l.network.mu.Unlock()
		delete(l.network.listeners, l.addr)
	})
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.addr) }
