package eventstream

import (
	"bytes"
	"slices"
	"time"
)

// Rules are what a user says about a stream that its events do not.
type Rules struct {
	// TextPath leads to the text inside each event's data, in place of the known dialects'.
	TextPath Path
	// Terminal is the event a complete stream ends with, in place of the dialect's: the whole data,
	// the event's type, or the data's member "type".
	Terminal string
	// MaxEvent is Decoder.MaxEvent.
	MaxEvent int
}

// maxGaps bounds the memory of a stream that does not end: 8 MiB.
const maxGaps = 1 << 20

// Summary is what a stream delivered and when. Durations that are points in time are offsets on
// the clock the writes were given.
type Summary struct {
	Events     int // dispatched, of any kind; comments are none
	Texts      int // events that carried text
	Comments   int
	Cut        int   // events larger than the bound; they count as no text when their JSON broke
	TextBytes  int64 // text delivered, as UTF-8
	FirstEvent time.Duration
	LastEvent  time.Duration
	FirstText  time.Duration
	LastText   time.Duration
	HasEvent   bool
	HasText    bool

	// Gaps is the number of gaps between neighbouring text events, Texts-1 or 0; the percentiles
	// are nearest-rank over the first 1,048,576 of them. With fewer than 100 gaps GapP99 is the
	// longest one. Stall is the longest of all.
	Gaps   int
	GapP50 time.Duration
	GapP99 time.Duration
	Stall  time.Duration

	Dialect    Dialect
	Terminal   string // the event the stream should end with; "" when nothing tells
	Done       bool   // the terminal event came
	Error      string // the first error event's words; "" when none came
	Unfinished bool   // the bytes ended within an event
}

// Complete reports whether the stream delivered what it promised: no error event, and its terminal
// event where one is known.
func (s Summary) Complete() bool { return s.Error == "" && (s.Done || s.Terminal == "") }

// Meter measures one stream. Make it with NewMeter. It is not safe for concurrent use.
type Meter struct {
	rules   Rules
	decoder Decoder
	sum     Summary
	gaps    []time.Duration
	seen    bool // a terminal mark that belongs to no dialect yet: [DONE]
}

// NewMeter returns a meter that reads events by rules; the zero Rules know the dialects.
func NewMeter(rules Rules) *Meter {
	m := &Meter{rules: rules}
	m.decoder.MaxEvent = rules.MaxEvent
	m.decoder.Handle = m.event
	return m
}

// Write consumes bytes as Decoder.Write does.
func (m *Meter) Write(p []byte, at time.Duration) { m.decoder.Write(p, at) }

func (m *Meter) event(e Event) {
	m.sum.Events++
	if !m.sum.HasEvent {
		m.sum.FirstEvent, m.sum.HasEvent = e.At, true
	}
	m.sum.LastEvent = e.At
	if e.Cut {
		m.sum.Cut++
	}
	said := interpret(e)
	if m.sum.Dialect == Unknown {
		m.sum.Dialect = said.dialect
	}
	m.note(e, said)
	if text := m.text(e, said); text != "" {
		m.addText(text, e.At)
	}
}

// note keeps how the stream ends, or that it failed.
func (m *Meter) note(e Event, said meaning) {
	if said.isError && m.sum.Error == "" {
		m.sum.Error = said.err
		if m.sum.Error == "" {
			m.sum.Error = "error event without words"
		}
	}
	if m.rules.Terminal != "" {
		m.sum.Done = m.sum.Done || m.rules.ends(e)
		return
	}
	mark := said.terminal && said.dialect == Unknown
	m.seen = m.seen || mark
	m.sum.Done = m.sum.Done || said.terminal && (!mark || m.markEnds())
}

// markEnds reports whether [DONE] ends this stream: a gateway that adds it to the events of another
// API does not know whether that API was done.
func (m *Meter) markEnds() bool { return m.sum.Dialect == Chat || m.sum.Dialect == Unknown }

func (r Rules) ends(e Event) bool {
	return string(bytes.TrimSpace(e.Data)) == r.Terminal || e.Type == r.Terminal || typePath.Text(e.Data) == r.Terminal
}

var typePath = Path{steps: []step{{name: "type"}}}

func (m *Meter) text(e Event, said meaning) string {
	if m.rules.TextPath.IsZero() {
		return said.text
	}
	return m.rules.TextPath.Text(e.Data)
}

func (m *Meter) addText(text string, at time.Duration) {
	if m.sum.HasText {
		m.addGap(at - m.sum.LastText)
	} else {
		m.sum.FirstText, m.sum.HasText = at, true
	}
	m.sum.Texts++
	m.sum.TextBytes += int64(len(text))
	m.sum.LastText = at
}

func (m *Meter) addGap(gap time.Duration) {
	m.sum.Gaps++
	m.sum.Stall = max(m.sum.Stall, gap)
	if len(m.gaps) < maxGaps {
		m.gaps = append(m.gaps, gap)
	}
}

// Summary returns what the bytes so far amount to. It may be asked for more than once.
func (m *Meter) Summary() Summary {
	s := m.sum
	s.Comments, s.Unfinished = m.decoder.Comments(), m.decoder.Unfinished()
	s.Terminal = m.terminal()
	if sorted := slices.Sorted(slices.Values(m.gaps)); len(sorted) > 0 {
		s.GapP50, s.GapP99 = nearestRank(sorted, 50), nearestRank(sorted, 99)
	}
	return s
}

func (m *Meter) terminal() string {
	switch {
	case m.rules.Terminal != "":
		return m.rules.Terminal
	case m.sum.Dialect == Unknown && m.seen:
		return doneMark
	}
	return m.sum.Dialect.Terminal()
}

// nearestRank is the value at rank ceil(percent*n/100), in integers so that no rounding of a
// fraction moves it (Hyndman and Fan 1996, definition 1).
func nearestRank(sorted []time.Duration, percent int) time.Duration {
	return sorted[(percent*len(sorted)+99)/100-1]
}
