package probe

import (
	"context"
	"errors"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/quic-go/quic-go"
)

// The notes of an exchange whose boundaries needed a rule.
const (
	noteEarly       = "early response: the answer began before the request was sent"
	noteUnsolicited = "unsolicited response: the server spoke before it was asked"
)

// hasInterim reports a non-final response; 101 is final (RFC 9110 section 15.2.2).
func hasInterim(m marks) bool {
	for _, i := range m.interim {
		if i.Status != 101 {
			return true
		}
	}
	return false
}

// settleFirst ends send and wait of an exchange whose final response began; it reports whether the
// network saw both ends of wait. Where the answer overtook the request, send ends at the first byte and
// wait is 0.
func (x *exchange) settleFirst(l *link, headers boundary) (stamped bool) {
	m := x.seal()
	x.rec.Interim = m.interim
	first := l.firstByte(x, m, headers)
	sent, ok := l.sent(x, m, first.at)
	if !ok || sent.at > first.at {
		sent = boundary{at: first.at}
		x.note(noteEarly)
	}
	if l.unsolicited(x, m) {
		x.note(noteUnsolicited)
	}
	if l.gaveUpStamps() {
		x.note(noteUnstamped)
	}
	x.tl.End(segment.Send, sent.at)
	x.tl.End(segment.Wait, first.at)
	return sent.stamped && first.stamped
}

// settle ends all three segments.
func (x *exchange) settle(l *link, headers, end boundary) {
	stamped := x.settleFirst(l, headers)
	if in, ok := l.quicResponse(); ok {
		end = boundary{at: min(x.since(in.last), end.at), stamped: true}
	}
	if stamped && end.stamped {
		x.rec.Clock = "kernel"
	}
	x.tl.End(segment.Transfer, end.at)
}

// failInFlight ends an exchange that failed before a final response was complete, in the segment
// whose end is the first missing boundary.
func (x *exchange) failInFlight(ctx context.Context, l *link, err error, at time.Duration) {
	x.endInFlight(ctx, l, err, at)
	if x.state == Early && errors.Is(err, quic.Err0RTTRejected) {
		x.invalidate(segment.Send, "not early: the server did not accept early data")
	}
}

func (x *exchange) endInFlight(ctx context.Context, l *link, err error, at time.Duration) {
	m := x.seal()
	x.rec.Interim = m.interim
	sent, ok := l.sent(x, m, at)
	if l.unsolicited(x, m) {
		x.note(noteUnsolicited)
	}
	began := m.hasFirst && !hasInterim(m)
	switch {
	case began:
		x.settleFirst(l, boundary{at: at})
		x.fail(ctx, segment.Transfer, err, at)
	case ok && sent.at <= at:
		x.tl.End(segment.Send, sent.at)
		x.fail(ctx, segment.Wait, err, at)
	default:
		x.fail(ctx, segment.Send, err, at)
	}
}
