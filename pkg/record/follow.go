package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// earlier is the line an exchange was last decoded from and where its top-level fields stand in it.
// Lines of a run are alike: what the next line has byte by byte the same, the exchange still holds.
type earlier struct {
	text   []byte
	fields []fieldSpan // in order; none when there is nothing to follow
	skip   Parts       // what was passed over
	plain  bool        // every key stands once, without escapes and white space around it
}

// fieldSpan is one field of a line: its key, in quotes and with its colon, ends where value begins.
type fieldSpan struct{ key, value, to int }

// longestFollowed bounds what is kept of a line.
const longestFollowed = 8 << 10

// whole decodes every field of a line.
func (d *Decoder) whole(line []byte, field func(key []byte)) {
	*d.x, d.sawTotal = Exchange{}, false
	d.s.reset(line)
	d.s.object(field)
	d.s.finish()
}

// noted is whole, and notes where the fields stand.
func (d *Decoder) noted(line []byte) {
	e := &d.mem.earlier
	e.fields, e.plain = e.fields[:0], true
	d.whole(line, func(key []byte) {
		f := fieldSpan{key: d.s.i - len(`"":`) - len(key), value: d.s.i}
		e.plain = e.plain && f.spells(line, key) && !e.has(line, key)
		d.exchangeField(key)
		f.to = d.s.i
		e.fields = append(e.fields, f)
	})
}

// spells reports whether key stands at f as a Writer writes it.
func (f fieldSpan) spells(line, key []byte) bool {
	return f.key > 0 && line[f.key] == '"' && line[f.value-2] == '"' && line[f.value-1] == ':' && bytes.Equal(f.name(line), key)
}

func (f fieldSpan) name(line []byte) []byte { return line[f.key+1 : f.value-2] }

func (e *earlier) has(line, key []byte) bool {
	for _, f := range e.fields {
		if bytes.Equal(f.name(line), key) {
			return true
		}
	}
	return false
}

// keep remembers the line that the fields were noted of, if it can be followed.
func (e *earlier) keep(line []byte, skip Parts) {
	if !e.plain || len(line) > longestFollowed {
		e.forget()
		return
	}
	e.text, e.skip = append(e.text[:0], line...), skip
}

func (e *earlier) forget() { e.fields = e.fields[:0] }

// follow decodes a line that has the keys of the earlier one in the same order into the exchange that
// holds the earlier one, and reads only the fields that differ. It reports false, having spoilt the
// exchange, for any other line; what is wrong with a field is the scanner's error, as in whole.
func (d *Decoder) follow(line []byte) bool {
	e, s := &d.mem.earlier, &d.s
	if len(e.fields) == 0 || e.skip != d.Skip {
		return false
	}
	s.reset(line)
	s.depth, d.sawTotal = 1, true
	for n, at := 0, 0; ; n++ {
		same := at + common(line[s.i:], e.text[at:])
		by := s.i - at
		if n = e.pass(n, same, by); n == len(e.fields) {
			s.i = e.fields[n-1].to
			break
		}
		f := &e.fields[n]
		if f.value > same {
			return false
		}
		at = f.to
		f.move(by)
		s.i = f.value
		if d.exchangeField(f.name(line)); s.err != nil {
			return true
		}
		f.to = s.i
	}
	if s.peek() != '}' {
		return false
	}
	s.leave()
	s.finish()
	return true
}

// pass moves on the fields from the n-th that end, with what closes them, before same, and returns the
// first that does not.
func (e *earlier) pass(n, same, by int) int {
	for ; n < len(e.fields) && e.fields[n].to < same; n++ {
		e.fields[n].move(by)
	}
	return n
}

func (f *fieldSpan) move(by int) { f.key, f.value, f.to = f.key+by, f.value+by, f.to+by }

// common returns how many bytes a and b begin with alike.
func common(a, b []byte) int {
	i, n := 0, min(len(a), len(b))
	for ; n-i >= 8; i += 8 {
		if differ := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); differ != 0 {
			return i + bits.TrailingZeros64(differ)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
