package probetest

import (
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Stream is one end of an in-memory TCP connection.
type Stream struct {
	local, remote netip.AddrPort
	latency       time.Duration
	in, out       *half
	arrived       atomic.Int64 // Unix nanoseconds
}

// half is one direction of a stream: chunks that become readable when they have travelled.
type half struct {
	mu       sync.Mutex // guards all below
	change   *sync.Cond
	chunks   []chunk
	buffered int
	window   int
	end      error     // io.EOF or a reset, after the chunks
	endAt    time.Time // when it arrives
	gone     bool      // the reader closed
	readBy   time.Time
	writeBy  time.Time
}

type chunk struct {
	at   time.Time
	data []byte
}

func newHalf(window int) *half {
	h := &half{window: window}
	h.change = sync.NewCond(&h.mu)
	return h
}

func newStream(near, far netip.AddrPort, latency time.Duration, window int) (*Stream, *Stream) {
	up, down := newHalf(window), newHalf(window)
	return &Stream{local: near, remote: far, latency: latency, in: down, out: up},
		&Stream{local: far, remote: near, latency: latency, in: up, out: down}
}

// wait sleeps until something changes or the given instant comes; the zero instant never does.
func (h *half) wait(until time.Time) {
	if !until.IsZero() {
		timer := time.AfterFunc(time.Until(until), func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.change.Broadcast()
		})
		defer timer.Stop()
	}
	h.change.Wait()
}

// Read implements net.Conn.
func (s *Stream) Read(b []byte) (int, error) {
	h := s.in
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if n, at, err, ok := h.take(b, time.Now()); ok {
			if n > 0 {
				s.arrived.Store(at.UnixNano())
			}
			return n, err
		}
		h.wait(h.wake())
	}
}

// take returns what can be read at this instant, and when it arrived.
func (h *half) take(b []byte, now time.Time) (n int, at time.Time, err error, ok bool) {
	switch {
	case h.gone:
		return 0, now, net.ErrClosed, true
	case !h.readBy.IsZero() && !now.Before(h.readBy):
		return 0, now, os.ErrDeadlineExceeded, true
	case len(b) == 0:
		return 0, now, nil, true
	case len(h.chunks) > 0 && !now.Before(h.chunks[0].at):
		at = h.chunks[0].at
		n = copy(b, h.chunks[0].data)
		if h.chunks[0].data = h.chunks[0].data[n:]; len(h.chunks[0].data) == 0 {
			h.chunks = h.chunks[1:]
		}
		h.buffered -= n
		h.change.Broadcast()
		return n, at, nil, true
	case h.ended(now):
		return 0, now, h.end, true
	}
	return 0, now, nil, false
}

// ended reports that the peer's goodbye has arrived and nothing is left to read.
func (h *half) ended(now time.Time) bool {
	return len(h.chunks) == 0 && h.end != nil && !now.Before(h.endAt)
}

// LastRead is when the bytes of the latest Read arrived.
func (s *Stream) LastRead() time.Time {
	if at := s.arrived.Load(); at != 0 {
		return time.Now().Add(time.Duration(at - time.Now().UnixNano()))
	}
	return time.Time{}
}

// wake is the next instant at which take may have an answer.
func (h *half) wake() time.Time {
	next := h.readBy
	sooner := func(at time.Time) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	if len(h.chunks) > 0 {
		sooner(h.chunks[0].at)
	} else if h.end != nil {
		sooner(h.endAt)
	}
	return next
}

// Write implements net.Conn; it blocks while the window is full. What is written to a peer that has
// closed is lost without a word until its goodbye has arrived, as on a real network.
func (s *Stream) Write(b []byte) (int, error) {
	s.in.mu.Lock()
	told := s.in.ended(time.Now())
	s.in.mu.Unlock()
	h := s.out
	h.mu.Lock()
	defer h.mu.Unlock()
	written := 0
	for {
		if h.gone && !told && h.end == nil {
			return written + len(b), nil
		}
		if err := h.refuses(time.Now()); err != nil {
			return written, err
		}
		n := h.put(b, time.Now().Add(s.latency))
		if written, b = written+n, b[n:]; len(b) == 0 {
			return written, nil
		}
		h.wait(h.writeBy)
	}
}

// refuses is why nothing can be written now.
func (h *half) refuses(now time.Time) error {
	switch {
	case h.end == io.EOF:
		return net.ErrClosed
	case h.end != nil:
		return syscall.ECONNRESET
	case h.gone:
		return syscall.EPIPE
	case !h.writeBy.IsZero() && !now.Before(h.writeBy):
		return os.ErrDeadlineExceeded
	}
	return nil
}

// put sends what the window allows.
func (h *half) put(b []byte, at time.Time) int {
	n := len(b)
	if h.window > 0 {
		n = min(n, h.window-h.buffered)
	}
	if n > 0 {
		h.chunks = append(h.chunks, chunk{at, append([]byte(nil), b[:n]...)})
		h.buffered += n
		h.change.Broadcast()
	}
	return n
}

// Close implements net.Conn: the peer reads the rest and then io.EOF.
func (s *Stream) Close() error {
	s.finish(io.EOF)
	return nil
}

// Reset ends the stream as a host does that no longer knows it: the peer gets a reset.
func (s *Stream) Reset() {
	s.out.mu.Lock()
	s.out.chunks, s.out.buffered = nil, 0
	s.out.mu.Unlock()
	s.finish(&net.OpError{Op: "read", Net: "tcp", Addr: s.RemoteAddr(), Err: os.NewSyscallError("read", syscall.ECONNRESET)})
}

func (s *Stream) finish(end error) {
	s.out.mu.Lock()
	if s.out.end == nil {
		s.out.end, s.out.endAt = end, time.Now().Add(s.latency)
	}
	s.out.change.Broadcast()
	s.out.mu.Unlock()
	s.in.mu.Lock()
	s.in.gone = true
	s.in.change.Broadcast()
	s.in.mu.Unlock()
}

// LocalAddr implements net.Conn.
func (s *Stream) LocalAddr() net.Addr { return net.TCPAddrFromAddrPort(s.local) }

// RemoteAddr implements net.Conn.
func (s *Stream) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(s.remote) }

// SetDeadline implements net.Conn.
func (s *Stream) SetDeadline(at time.Time) error {
	s.SetReadDeadline(at)
	return s.SetWriteDeadline(at)
}

// SetReadDeadline implements net.Conn.
func (s *Stream) SetReadDeadline(at time.Time) error {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	s.in.readBy = at
	s.in.change.Broadcast()
	return nil
}

// SetWriteDeadline implements net.Conn.
func (s *Stream) SetWriteDeadline(at time.Time) error {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.writeBy = at
	s.out.change.Broadcast()
	return nil
}

// TCPInfo tells what a kernel would: the round trip of an undisturbed connection.
func (s *Stream) TCPInfo() (connectRTT, minRTT time.Duration, totalRetrans uint32, ok bool) {
	return 2 * s.latency, 2 * s.latency, 0, true
}
