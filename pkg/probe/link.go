package probe

import "net/http"

// link is a connection ready for requests, under any protocol.
type link struct {
	protocol string // negotiated
	trip     http.RoundTripper
	wire     *wire        // nil over QUIC
	quic     *quicEnd     // nil over TCP
	requests int          // begun so far
	shut     func()       // closes the connection; the first call counts
	rest     func()       // watches the connection until the next request, where nobody does
	gone     func() error // why the connection can carry no more requests; nil when it can
	closed   bool
}

// begin opens the books of the next request, whose content has the length given. Those of the first
// were opened with the link itself: a server may speak before it is asked.
func (l *link) begin(content int) {
	l.requests++
	if l.requests == 1 {
		return
	}
	if l.wire != nil {
		l.wire.begin(content)
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

// sawWritten keeps which raw write carried the end of the request, where the hook that calls it tells.
func (l *link) sawWritten() {
	if l.wire != nil && l.protocol == string(HTTP2) {
		l.wire.mark()
	}
}

// unsolicited reports whether bytes came in before the request began to leave. Only HTTP/1.1 is
// asked: an HTTP/2 or QUIC server speaks first by right. Over TLS the bytes may be session tickets, so
// there the first byte of the response decides.
func (l *link) unsolicited(x *exchange, m marks) bool {
	if l.wire == nil || l.protocol == string(HTTP2) {
		return false
	}
	w := l.wire.writes()
	if x.t.URL.Scheme == "http" && !x.proxySecured() && !w.firstRead.IsZero() {
		return w.began.IsZero() || w.firstRead.Before(w.began)
	}
	return m.hasFirst && (w.began.IsZero() || x.since(w.began) > m.first || w.first.stamped && w.first.at.Before(w.began))
}

// close ends the connection; it may be called more than once.
func (l *link) close() {
	if !l.closed {
		l.closed = true
		l.shut()
	}
}
