package probe

import (
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

// quicTrace hands quic-go the recorder once. HTTP/3 asks for a second one, of whose events nothing is
// needed; without it the headers are not copied for a log nobody reads.
type quicTrace struct {
	log   *quicLog
	given bool
}

func (t *quicTrace) AddProducer() qlogwriter.Recorder {
	if t.given {
		return nil
	}
	t.given = true
	return t.log
}

// quicLog keeps in memory what one connection's qlog events tell. Events carry no time of their own:
// the clock is read when they arrive.
type quicLog struct {
	mu     sync.Mutex // guards all below
	lost   int
	pto    int
	retry  bool
	vn     bool
	flight flights
	fins   map[int64]fin // stream: when its end first left
	early  bool          // the end of the first request left in a 0-RTT packet

	datagrams *datagrams // nil when the socket shows none; set before the first event
	built     int64      // bytes of all packets so far
	streams   map[int64]*streamIn
}

// fin is a packet that carried the end of a stream.
type fin struct {
	at  time.Time // when it was built, just before it was handed over
	end int64     // bytes of all packets with it
}

// RecordEvent implements qlogwriter.Recorder.
func (l *quicLog) RecordEvent(event qlogwriter.Event) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := event.(type) {
	case qlog.PacketSent:
		l.sent(e, now)
	case qlog.PacketReceived:
		l.received(e, now)
	case qlog.PacketLost:
		l.lost++
	case qlog.PTOCountUpdated:
		if e.PTOCount > 0 {
			l.pto++
		}
	case qlog.VersionNegotiationReceived:
		l.vn = true
	}
}

// Close implements qlogwriter.Recorder.
func (l *quicLog) Close() error { return nil }

func (l *quicLog) sent(e qlog.PacketSent, now time.Time) {
	l.built += int64(e.Raw.Length)
	switch e.Header.PacketType {
	case qlog.PacketType1RTT:
		l.noteFins(e.Frames, now)
	case qlog.PacketType0RTT:
		l.noteFins(e.Frames, now)
		_, l.early = l.fins[0]
		l.flight.sent(e.Raw.Length, now)
	default:
		l.flight.sent(e.Raw.Length, now)
	}
}

// noteFins keeps the first departure of a stream's end: a retransmission belongs to the wait.
func (l *quicLog) noteFins(frames []qlog.Frame, now time.Time) {
	for _, f := range frames {
		stream, ok := f.Frame.(*qlog.StreamFrame)
		if !ok || !stream.Fin {
			continue
		}
		if l.fins == nil {
			l.fins = map[int64]fin{}
		}
		if _, again := l.fins[int64(stream.StreamID)]; !again {
			l.fins[int64(stream.StreamID)] = fin{at: now, end: l.built}
		}
	}
}

func (l *quicLog) received(e qlog.PacketReceived, now time.Time) {
	if l.datagrams != nil {
		at := l.datagrams.arrival(e.DatagramPayloadChecksum, e.Raw.Length)
		l.took(e.Frames, at)
	}
	switch e.Header.PacketType {
	case qlog.PacketTypeRetry:
		l.retry = true
		l.flight = flights{}
	case qlog.PacketTypeInitial, qlog.PacketTypeHandshake:
		l.flight.received(e.Raw.Length, now)
	}
}

// finSent is when the end of a stream left; stamped tells whether by the kernel's clock.
func (l *quicLog) finSent(stream int64) (at time.Time, stamped, ok bool) {
	l.mu.Lock()
	f, ok := l.fins[stream]
	l.mu.Unlock()
	if !ok || l.datagrams == nil {
		return f.at, false, ok
	}
	if at, stamped, ok := l.datagrams.departed(f.end); ok {
		return at, stamped, true
	}
	return f.at, false, true
}

func (l *quicLog) sentEarly() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.early
}

func (l *quicLog) facts() record.QUIC {
	l.mu.Lock()
	defer l.mu.Unlock()
	return record.QUIC{Lost: l.lost, PTO: l.pto, Retry: l.retry, VN: l.vn, Stall: l.flight.stalled()}
}
