package probe

import (
	"net/http"
	"time"
)

// link is a connection ready for requests, under any protocol.
type link struct {
	protocol string // negotiated
	trip     http.RoundTripper
	wire     *wire        // nil over QUIC
	quic     *quicEnd     // nil over TCP
	requests int          // begun so far
	shut     func()       // closes the connection; the first call counts
	gone     func() error // why the connection can carry no more requests; nil when it can
	closed   bool
}

// begin opens the books of the next request. Those of the first were opened with the link itself: a
// server may speak before it is asked.
func (l *link) begin() {
	l.requests++
	if l.requests == 1 {
		return
	}
	if l.wire != nil {
		l.wire.begin()
	}
	if l.quic != nil {
		l.quic.before = l.quic.log.facts()
	}
}

// sawFirstByte ends the time in which a write counts as the request's.
func (l *link) sawFirstByte() {
	if l.wire != nil {
		l.wire.seal()
	}
}

// sent is the boundary between send and wait, as far as the marks and the wire tell at this moment:
// the last byte of the request was handed to the network. It is false while that is not so.
//
// The hook WroteRequest means something else in each protocol. HTTP/1: formatted into a buffer, so
// the end of the last raw write counts when it is later (golang/go#60576). HTTP/2: after the frames
// were flushed. HTTP/3: copied into the stream, so the packet that carries the stream's end counts.
func (l *link) sent(x *exchange, m marks) (time.Duration, bool) {
	if l.quic != nil {
		if at, ok := l.quic.finSent(l.requests); ok {
			return x.since(at), true
		}
		return m.wrote, m.hasWrote
	}
	if !m.hasWrote || l.protocol == string(HTTP2) {
		return m.wrote, m.hasWrote
	}
	w := l.wire.writes()
	if w.inFlight || w.wrote.IsZero() {
		return 0, false
	}
	return max(m.wrote, x.since(w.wrote)), true
}

// unsolicited reports whether bytes came in before the request began to leave. Only HTTP/1.1 is
// asked: an HTTP/2 or QUIC server speaks first by right. Over TLS the bytes may be session tickets, so
// there the first byte of the response decides.
func (l *link) unsolicited(x *exchange, m marks) bool {
	if l.wire == nil || l.protocol == string(HTTP2) {
		return false
	}
	w := l.wire.writes()
	if x.t.URL.Scheme == "http" && !w.firstRead.IsZero() {
		return w.began.IsZero() || w.firstRead.Before(w.began)
	}
	return m.hasFirst && (w.began.IsZero() || x.since(w.began) > m.first)
}

// lastRead is when the last raw bytes came in; false over QUIC and when none came.
func (l *link) lastRead() (time.Time, bool) {
	if l.wire == nil {
		return time.Time{}, false
	}
	at := l.wire.writes().lastRead
	return at, !at.IsZero()
}

// close ends the connection; it may be called more than once.
func (l *link) close() {
	if !l.closed {
		l.closed = true
		l.shut()
	}
}
