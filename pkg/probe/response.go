package probe

import (
	"time"

	"github.com/quic-go/quic-go/qlog"
)

// streamIn is what came in on one stream.
type streamIn struct {
	first time.Time // arrival of the stream's first bytes
	last  time.Time // of those that came last
	blind bool      // some came without a stamp
	got   int64     // bytes, those sent twice counted twice
	end   int64     // the stream's length, -1 until known
}

// took notes the STREAM frames of a packet that arrived at at, zero when unknown.
func (l *quicLog) took(frames []qlog.Frame, at time.Time) {
	for _, f := range frames {
		frame, ok := f.Frame.(*qlog.StreamFrame)
		if !ok {
			continue
		}
		in := l.streams[int64(frame.StreamID)]
		if in == nil {
			in = &streamIn{end: -1}
			if l.streams == nil {
				l.streams = map[int64]*streamIn{}
			}
			l.streams[int64(frame.StreamID)] = in
		}
		in.add(frame, at)
	}
}

func (in *streamIn) add(frame *qlog.StreamFrame, at time.Time) {
	in.blind = in.blind || at.IsZero()
	in.got += frame.Length
	if frame.Fin {
		in.end = frame.Offset + frame.Length
	}
	if frame.Offset == 0 && in.first.IsZero() {
		in.first = at
	}
	if at.After(in.last) {
		in.last = at
	}
}

// response is what came in on a stream, once all of it was told of: quic-go hands content over a moment
// before it tells of the packet. It is false when part of it came without a stamp, or is still missing
// after a few milliseconds.
func (l *quicLog) response(stream int64) (streamIn, bool) {
	const patience, step = 40, 100 * time.Microsecond
	for range patience {
		if in, whole := l.streamIn(stream); whole {
			return in, !in.blind && !in.first.IsZero()
		}
		time.Sleep(step)
	}
	return streamIn{}, false
}

func (l *quicLog) streamIn(stream int64) (in streamIn, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.streams[stream]; s != nil {
		return *s, s.end >= 0 && s.got >= s.end
	}
	return streamIn{}, false
}
