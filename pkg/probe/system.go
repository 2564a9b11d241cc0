package probe

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

// Dial opens a socket to addr. Keep-alive probes are off: an exchange ends long before the first. A TCP
// connection that got no answer before ctx ended has an error that implements [TCPInformer] on Linux.
func (System) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	if network == "tcp" {
		return dialSystemTCP(ctx, addr)
	}
	var dialer net.Dialer
	return dialer.DialContext(ctx, network, addr.String())
}

// dialSystemTCP lets ctx end the dial only after the kernel was asked how often the SYN was sent: the
// socket is gone when package net returns.
func dialSystemTCP(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	var w dialWatch
	dialer := net.Dialer{KeepAlive: -1, FallbackDelay: -1, Control: w.opened}
	conn, err := dialer.DialContext(askingFirst{ctx, &w}, "tcp", addr.String())
	switch {
	case err == nil:
		return newSystemConn(conn.(*net.TCPConn)), nil
	case ctx.Err() != nil:
		return nil, w.unanswered(ctx, addr)
	}
	return nil, err
}

// askingFirst is a context whose end is heard of only after the kernel was asked. It hides the deadline,
// which package net would keep by itself, and the values, through which it would be passed by.
type askingFirst struct {
	context.Context
	watch *dialWatch
}

func (askingFirst) Deadline() (at time.Time, ok bool) { return time.Time{}, false }
func (askingFirst) Value(any) any                     { return nil }

// AfterFunc is how package context has a context tell of its end in its own way.
func (c askingFirst) AfterFunc(f func()) (stop func() bool) {
	return context.AfterFunc(c.Context, func() {
		c.watch.ask()
		f()
	})
}

// dialWatch holds the socket of a dial under way.
type dialWatch struct {
	mu   sync.Mutex // guards all below
	raw  syscall.RawConn
	info tcpInfo
	ok   bool
}

func (w *dialWatch) opened(_, _ string, raw syscall.RawConn) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.raw = raw
	return nil
}

func (w *dialWatch) ask() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.raw != nil {
		w.info, w.ok = readTCPInfo(w.raw)
	}
}

// unanswered spells the end of ctx as package net does.
func (w *dialWatch) unanswered(ctx context.Context, addr netip.AddrPort) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	cause := os.ErrDeadlineExceeded
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		cause = errors.New("operation was canceled")
	}
	op := &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(addr), Err: cause}
	return &unansweredError{OpError: op, info: w.info, ok: w.ok}
}

// unansweredError is a dial that got no answer.
type unansweredError struct {
	*net.OpError
	info tcpInfo
	ok   bool
}

// Unwrap leads to the error as package net would have made it.
func (e *unansweredError) Unwrap() error { return e.OpError }

// TCPInfo tells how often the SYN was sent again.
func (e *unansweredError) TCPInfo() (connectRTT, minRTT time.Duration, totalRetrans uint32, ok bool) {
	return 0, 0, e.info.totalRetrans, e.ok
}

// systemConn adds the kernel's view to a TCP connection. It embeds net.Conn and not *net.TCPConn,
// whose ReadFrom and WriteTo would bypass the wrappers above it.
type systemConn struct {
	net.Conn
	raw     syscall.RawConn // nil when the socket cannot be asked
	connect time.Duration
	resent  bool // the SYN went out more than once
	mss     int
	stamps  *stamps // nil when the kernel gives none

	opened tcpInfo // what the kernel told when the connection was opened
	untold bool    // nobody asked for opened yet
}

// tcpInfo is what the kernel tells of one connection.
type tcpInfo struct {
	rtt, minRTT  time.Duration
	totalRetrans uint32
	mss          uint32 // of packets to us
	received     int64  // bytes that came in
	ended        bool   // the peer said goodbye, or the connection broke
}

func newSystemConn(tcp *net.TCPConn) *systemConn {
	c := &systemConn{Conn: tcp}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return c
	}
	c.raw = raw
	if info, ok := readTCPInfo(raw); ok {
		c.connect, c.resent, c.mss = info.rtt, info.totalRetrans > 0, int(info.mss)
		c.opened, c.untold = info, true
	}
	c.stamps = newStamps(tcp, raw)
	return c
}

// unread reports whether more came in than the bytes taken, the peer's end included.
func (c *systemConn) unread(taken int64) bool {
	if c.raw == nil {
		return false
	}
	info, ok := readTCPInfo(c.raw)
	return ok && (info.received > taken || info.ended)
}

// TCPInfo implements [TCPInformer]. The call right after Dial gets what Dial itself was told: nothing was
// sent in between. Calls must not be made side by side.
func (c *systemConn) TCPInfo() (connectRTT, minRTT time.Duration, totalRetrans uint32, ok bool) {
	if c.raw == nil {
		return 0, 0, 0, false
	}
	if c.untold {
		c.untold = false
		return c.connect, c.opened.minRTT, c.opened.totalRetrans, true
	}
	info, ok := readTCPInfo(c.raw)
	return c.connect, info.minRTT, info.totalRetrans, ok
}
