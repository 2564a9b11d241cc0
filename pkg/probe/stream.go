package probe

import (
	"io"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// readStream takes an event stream apart with the times its bytes came, after the clock stopped. A
// stream that ended without its terminal event is a failure, however well it began.
func (x *exchange) readStream(a answer) {
	if len(a.pieces) == 0 {
		return
	}
	meter := eventstream.NewMeter(x.t.Stream)
	if err := x.feed(meter, a); err != nil && !x.failed {
		x.spoil(record.ClassBody, err.Error())
	}
	s := meter.Summary()
	x.rec.Stream = streamFacts(s)
	switch {
	case a.capped || x.rec.Outcome == record.Invalid || !x.accepts(a.resp.StatusCode):
	case x.failed && !s.Done && (x.rec.Error.Class == record.ClassBody || x.rec.Error.Class == record.ClassReset):
		x.spoil(record.ClassStream, "stream cut: "+x.rec.Error.Text)
	case !x.failed && !s.Complete():
		x.spoil(record.ClassStream, brokenStream(s))
	}
}

// feed replays the stream. Coded streams are decoded piece by piece: what a piece lets out came with it.
func (x *exchange) feed(meter *eventstream.Meter, a answer) error {
	chunks := make([]eventstream.Chunk, 0, len(a.pieces))
	from := 0
	for _, p := range a.pieces {
		// The network's clock may have the last bytes in before this process saw any of them.
		chunks = append(chunks, eventstream.Chunk{Bytes: a.body[from:p.end], At: min(p.at, x.tl.At())})
		from = p.end
	}
	coding := x.rec.Bytes.Encoding
	if coding == "" {
		for _, c := range chunks {
			meter.Write(c.Bytes, c.At)
		}
		return nil
	}
	return eventstream.Replay(meter, chunks, func(r io.Reader) (io.Reader, error) { return streamDecoder(coding, r) })
}

func streamFacts(s eventstream.Summary) *record.Stream {
	return &record.Stream{
		FirstEvent: s.FirstEvent, FirstText: s.FirstText, LastEvent: s.LastEvent,
		Events: s.Events, Texts: s.Texts, HasText: s.HasText,
		GapP50: s.GapP50, GapP99: s.GapP99, Stall: s.Stall, Done: s.Done,
	}
}

func brokenStream(s eventstream.Summary) string {
	switch {
	case s.Error != "":
		return "error event: " + clip(s.Error, maxReason)
	case s.Terminal != "":
		return "stream ended without " + s.Terminal
	}
	return "stream ended early"
}
