package eventstream

import (
	"bytes"
	"mime"
	"strconv"
	"time"
)

// DefaultMaxEvent is the largest content of one event that is kept when nothing else is said.
const DefaultMaxEvent = 16 << 20

// Event is what a blank line completed.
type Event struct {
	Type string // the event field; "message" when there was none
	ID   string // the last event ID, which an event inherits from those before it
	// Data is the data fields, joined by line feeds; bytes that are no UTF-8 stay as they came. It
	// belongs to the decoder and is overwritten after Handle returns.
	Data []byte
	// Cut says that the event was larger than MaxEvent and that Data is only its beginning.
	Cut bool

	Start int64 // offset in the stream of the first byte of the event's first field
	End   int64 // offset just past the byte that completed it
	At    time.Duration
}

// Decoder turns bytes into events. Set Handle, then write. The zero value without Handle counts
// only. A Decoder is not safe for concurrent use.
type Decoder struct {
	// Handle is called for each event, on the goroutine that writes.
	Handle func(Event)
	// MaxEvent bounds, in bytes, one line and the content of one event; 0 is DefaultMaxEvent.
	MaxEvent int

	offset   int64  // bytes consumed
	begin    int64  // offset of the line under way
	line     []byte // that line, as far as earlier writes brought it
	started  bool   // the first line is over, so no byte order mark can come
	skipLF   bool   // a CR ended the last line; an LF now belongs to it
	cutLine  bool
	retry    time.Duration
	hasRetry bool
	comments int

	event   event
	lastID  string
	pending string // the id field of the block under way, valid with hasID
	hasID   bool
}

// event is the block under way.
type event struct {
	kind    string
	data    []byte
	hasData bool
	cut     bool
	open    bool // a field was read
	start   int64
}

// Write consumes the next bytes of the stream, which arrived at the given offset from the start of
// the exchange. It keeps no reference to p and cannot fail: a stream has no wrong bytes.
func (d *Decoder) Write(p []byte, at time.Duration) {
	for len(p) > 0 {
		if d.skipLF {
			d.skipLF = false
			if p[0] == '\n' {
				p = p[1:]
				d.offset++
				d.begin = d.offset
				continue
			}
		}
		end := bytes.IndexAny(p, "\r\n")
		if end < 0 {
			d.keep(p)
			d.offset += int64(len(p))
			return
		}
		line := p[:end]
		if len(d.line) > 0 || len(line) > d.limit() {
			d.keep(line)
			line = d.line
		}
		d.offset += int64(end) + 1
		d.skipLF = p[end] == '\r'
		p = p[end+1:]
		d.endLine(line, at)
		d.line, d.cutLine, d.begin = d.line[:0], false, d.offset
	}
}

func (d *Decoder) limit() int {
	if d.MaxEvent > 0 {
		return d.MaxEvent
	}
	return DefaultMaxEvent
}

func (d *Decoder) keep(p []byte) {
	room := d.limit() - len(d.line)
	if len(p) > room {
		p, d.cutLine = p[:max(room, 0)], true
	}
	d.line = append(d.line, p...)
}

// endLine interprets one line (section 9.2.6). A byte order mark may stand before the first.
func (d *Decoder) endLine(line []byte, at time.Duration) {
	start := d.begin
	if !d.started {
		d.started = true
		if rest, ok := bytes.CutPrefix(line, []byte("\xef\xbb\xbf")); ok {
			line, start = rest, start+3
		}
	}
	switch {
	case len(line) == 0:
		d.dispatch(at)
	case line[0] == ':':
		d.comments++
	default:
		d.field(line, start)
	}
}

func (d *Decoder) field(line []byte, start int64) {
	if !d.event.open {
		d.event.open, d.event.start = true, start
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		d.addData(value)
	case "event":
		d.event.kind = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			d.pending, d.hasID = string(value), true
		}
	case "retry":
		d.setRetry(value)
	}
}

func (d *Decoder) addData(value []byte) {
	if d.event.hasData {
		d.event.data = append(d.event.data, '\n')
	}
	d.event.hasData = true
	room := max(d.limit()-len(d.event.data), 0)
	if len(value) > room {
		value, d.event.cut = value[:room], true
	}
	d.event.cut = d.event.cut || d.cutLine
	d.event.data = append(d.event.data, value...)
}

// setRetry takes digits only; a number too large for a Duration is as good as none.
func (d *Decoder) setRetry(value []byte) {
	for _, c := range value {
		if c < '0' || c > '9' {
			return
		}
	}
	ms, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || ms > int64(1<<63-1)/int64(time.Millisecond) {
		return
	}
	d.retry, d.hasRetry = time.Duration(ms)*time.Millisecond, true
}

// dispatch ends a block: with a data field it is an event, without one it only sets the ID.
func (d *Decoder) dispatch(at time.Duration) {
	if d.hasID {
		d.lastID, d.hasID = d.pending, false
	}
	done := d.event
	d.event = event{data: done.data[:0]}
	if !done.hasData || d.Handle == nil {
		return
	}
	kind := done.kind
	if kind == "" {
		kind = "message"
	}
	d.Handle(Event{Type: kind, ID: d.lastID, Data: done.data, Cut: done.cut, Start: done.start, End: d.offset, At: at})
}

// Offset returns how many bytes were written.
func (d *Decoder) Offset() int64 { return d.offset }

// Comments returns how many comment lines came; servers use them to keep a connection alive.
func (d *Decoder) Comments() int { return d.comments }

// Retry returns the reconnection time the stream asked for, false when it asked for none.
func (d *Decoder) Retry() (time.Duration, bool) { return d.retry, d.hasRetry }

// Unfinished reports whether the bytes so far end within an event: it is never dispatched.
func (d *Decoder) Unfinished() bool { return d.event.open || len(d.line) > 0 && d.line[0] != ':' }

// IsEventStream reports whether a Content-Type field value names this format.
func IsEventStream(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return mediaType == "text/event-stream" && (err == nil || err == mime.ErrInvalidMediaParameter)
}
