package probe

import "time"

// boundary is an instant between two segments and who saw it.
type boundary struct {
	at      time.Duration
	stamped bool // by the network, not by this process when it got to run
}

// noteMerged and noteUnstamped tell where the network's clock falls short.
const (
	noteMerged    = "the first read took in several packets: the first byte is timed by the last of them"
	noteUnstamped = "the request is over 16 KiB: its end is timed by this process, not by the kernel"
)

// sent is the boundary between send and wait: the last byte of the request was handed to the network.
// It is false when the response, whose first byte came at first, overtook the request.
//
// The hook WroteRequest means something else in each protocol. HTTP/1: formatted into a buffer, so
// the raw write after it counts (golang/go#60576). HTTP/2: after the frames were flushed. HTTP/3:
// copied into the stream, so the packet that carries the stream's end counts.
func (l *link) sent(x *exchange, m marks, first time.Duration) (boundary, bool) {
	if l.quic != nil {
		if at, stamped, ok := l.quic.log.finSent(stream(l.requests)); ok {
			return boundary{at: x.since(at), stamped: stamped}, true
		}
		return boundary{at: m.wrote}, m.hasWrote
	}
	r := l.wire.writes()
	rw, whole := x.lastWrite(m, r, l.protocol)
	if whole {
		if at, ok := l.wire.departed(rw); ok {
			return boundary{at: x.since(at), stamped: true}, true
		}
	}
	return x.handedOver(m, rw, whole, first)
}

// lastWrite is the raw write that is to carry the end of the request, and whether it is known to.
func (x *exchange) lastWrite(m marks, r requestWrites, protocol string) (rw rawWrite, whole bool) {
	if protocol == string(HTTP2) {
		// An answer to a request without content is no answer before the request left, whatever
		// the hooks had time to say.
		if r.marked.began.IsZero() {
			return r.last, m.hasFirst && len(x.t.Body) == 0 && !r.last.began.IsZero()
		}
		return r.marked, len(x.t.Body) == 0 || !r.overtaken
	}
	return r.last, m.hasWrote && r.late == 0 && x.since(r.last.began) >= m.wrote
}

// handedOver is the end of the raw write by this process's clock. The answer may be seen before the
// write returns: then the end of the request lies between the write's beginning, which stands for it,
// and the first byte.
func (x *exchange) handedOver(m marks, rw rawWrite, whole bool, first time.Duration) (boundary, bool) {
	at, ended := m.wrote, !rw.ended.IsZero()
	if ended {
		at = max(at, x.since(rw.ended))
	}
	if whole && m.hasFirst && (!ended || at > first) && x.since(rw.began) <= first {
		return boundary{at: x.since(rw.began)}, true
	}
	return boundary{at: at}, (m.hasWrote || whole) && ended
}

// firstByte is the boundary between wait and transfer. The hook fires at the first byte of a 1xx
// response and never again, so after one the final header section's end stands for it.
func (l *link) firstByte(x *exchange, m marks, headers boundary) boundary {
	if !m.hasFirst || hasInterim(m) {
		return headers
	}
	if in, ok := l.quicResponse(); ok {
		return boundary{at: min(x.since(in.first), m.first), stamped: true}
	}
	if l.wire != nil {
		if r := l.wire.writes(); r.first.stamped {
			if r.merged() {
				x.note(noteMerged)
			}
			return boundary{at: x.since(r.first.at), stamped: true}
		}
	}
	return boundary{at: m.first}
}

// latest is when the bytes that came last came in: by the network where it tells, else now.
func (l *link) latest(x *exchange) boundary {
	if l.wire != nil {
		if a := l.wire.writes().latest; a.stamped {
			return boundary{at: x.since(a.at), stamped: true}
		}
	}
	return boundary{at: x.now()}
}

// quicResponse is what came in on the stream of the request under way, where it was stamped.
func (l *link) quicResponse() (streamIn, bool) {
	if l.quic == nil || l.quic.log.datagrams == nil {
		return streamIn{}, false
	}
	return l.quic.log.response(stream(l.requests))
}

// gaveUpStamps reports that the request was too long to be stamped.
func (l *link) gaveUpStamps() bool {
	if l.quic != nil {
		return l.quic.log.datagrams != nil && !l.quic.log.datagrams.timesDepartures()
	}
	return l.wire.writes().tooLong
}
