package record

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

func (d *Decoder) interims() []Interim {
	if !d.begin(PartInterim) {
		return nil
	}
	all := d.mem.interim[:0]
	var v Interim
	field := func(key []byte) { d.interimField(&v, key) }
	d.s.array(func() {
		v = Interim{}
		d.s.object(field)
		all = append(all, v)
	})
	d.mem.interim = all
	if len(all) == 0 {
		return nil
	}
	return all
}

func (d *Decoder) interimField(v *Interim, key []byte) {
	switch string(key) {
	case "status":
		v.Status = d.s.int()
	case "at_ns":
		v.At = d.ns()
	default:
		d.s.skip()
	}
}

func (d *Decoder) stream(x *Exchange) {
	if x.Stream = nil; d.begin(PartStream) {
		d.mem.stream = Stream{}
		x.Stream = &d.mem.stream
		d.object(inStream, 0, d.streamField)
	}
}

func (d *Decoder) streamField(key []byte) {
	switch v, s := d.x.Stream, &d.s; string(key) {
	case "first_event_ns":
		v.FirstEvent = d.ns()
	case "first_text_ns":
		v.FirstText, v.HasText = d.optNS()
	case "last_event_ns":
		v.LastEvent = d.ns()
	case "events":
		v.Events = s.int()
	case "texts":
		v.Texts = s.int()
	case "gap_p50_ns":
		v.GapP50 = d.ns()
	case "gap_p99_ns":
		v.GapP99 = d.ns()
	case "stall_ns":
		v.Stall = d.ns()
	case "done":
		v.Done = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) throttleField(key []byte) {
	switch v := d.x.Throttle; string(key) {
	case "reason":
		v.Reason = d.str()
	case "retry_after_ns":
		v.RetryAfter, v.HasRetryAfter = d.optNS()
	case "limit":
		v.Limit = d.str()
	default:
		d.s.skip()
	}
}

func (d *Decoder) bytesField(key []byte) {
	switch v, s := &d.x.Bytes, &d.s; string(key) {
	case "wire":
		v.Wire = s.int64()
	case "decoded":
		v.Decoded = s.int64()
	case "sent":
		v.Sent = s.int64()
	case "encoding":
		v.Encoding = d.str()
	case "capped":
		v.Capped = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) failure(x *Exchange) {
	d.mem.err, d.sawWhere = Error{}, false
	x.Error = &d.mem.err
	d.s.object(d.errorField)
	if !d.sawWhere {
		d.s.fail(errors.New("error without the segment it happened in"))
	}
}

func (d *Decoder) errorField(key []byte) {
	switch v := d.x.Error; string(key) {
	case "class":
		v.Class = Class(d.str())
	case "segment":
		d.errorSegment(v)
	case "text":
		v.Text = d.str()
	default:
		d.s.skip()
	}
}

func (d *Decoder) errorSegment(v *Error) {
	word := d.s.str()
	if word == nil || d.s.err != nil {
		return
	}
	k, ok := segment.Parse(string(word))
	if !ok {
		d.s.fail(fmt.Errorf("unknown segment %q in error", word))
		return
	}
	v.Segment, d.sawWhere = k, true
}

// fieldMemory is a map of fields and how it was filled: most lines have the fields of the line
// before, at the same places of the memory their values share, and then the map is right as it is.
type fieldMemory struct {
	fields Fields
	values []string // of all fields
	filled []fieldAt
	first  *string // the memory of values it was filled from
}

type fieldAt struct {
	name     string
	from, to int // in the memory of values
}

func (d *Decoder) fields(kept *fieldMemory, in owner) Fields {
	if !d.begin(PartHeaders) {
		return nil
	}
	m := d.mem
	m.now, kept.values = m.now[:0], kept.values[:0]
	value := func() { kept.values = append(kept.values, d.value(in, len(kept.values))) }
	d.object(inFields, 0, func(key []byte) {
		at := fieldAt{name: d.fieldName(kept, len(m.now), key), from: len(kept.values)}
		d.s.array(value)
		at.to = len(kept.values)
		m.now = append(m.now, at)
	})
	if len(m.now) == 0 {
		return nil
	}
	kept.fill(m.now)
	return kept.fields
}

// fieldName is the name of the n-th field, most often that of the line before.
func (d *Decoder) fieldName(kept *fieldMemory, n int, key []byte) string {
	if n < len(kept.filled) && kept.filled[n].name == string(key) {
		return kept.filled[n].name
	}
	return d.intern.of(key)
}

func (f *fieldMemory) fill(now []fieldAt) {
	first := firstOf(f.values)
	if f.first == first && slices.Equal(f.filled, now) {
		return
	}
	f.first, f.filled = first, append(f.filled[:0], now...)
	if f.fields == nil {
		f.fields = Fields{}
	}
	clear(f.fields)
	for _, at := range now {
		f.fields[at.name] = nil
		if at.from < at.to {
			f.fields[at.name] = f.values[at.from:at.to:at.to]
		}
	}
}

// firstOf tells one array from another.
func firstOf(array []string) *string {
	if cap(array) == 0 {
		return nil
	}
	return &array[:1][0]
}
