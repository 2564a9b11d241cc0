package record

import (
	"fmt"
	"time"
)

// minutes remembers the last minute read: neighbouring lines share it, and turning a date into
// seconds is the dear part of reading a time.
type minutes struct {
	text [16]byte // 2026-11-30T01:02
	unix int64
}

// time reads an RFC 3339 time, returned in UTC; null is the zero time.
func (d *Decoder) time() time.Time {
	text := d.s.str()
	if text == nil || d.s.err != nil {
		return time.Time{}
	}
	if t, ok := d.clock.fast(text); ok {
		return t
	}
	var t time.Time
	if err := t.UnmarshalText(text); err != nil {
		d.s.fail(fmt.Errorf("time %q is not RFC 3339", text))
		return time.Time{}
	}
	if len(text) > 16 {
		d.clock.remember(text, t)
	}
	return t.UTC()
}

// fast reads a time of the minute remembered, written in UTC with 1 to 9 digits of the second.
func (m *minutes) fast(text []byte) (time.Time, bool) {
	if len(text) < 22 || len(text) > 30 || string(text[:16]) != string(m.text[:]) ||
		text[16] != ':' || text[19] != '.' || text[len(text)-1] != 'Z' {
		return time.Time{}, false
	}
	sec, ok := digits(text[17:19], 2)
	if !ok || sec > 59 {
		return time.Time{}, false
	}
	ns, ok := digits(text[20:len(text)-1], 9)
	return time.Unix(m.unix+sec, ns).UTC(), ok
}

func (m *minutes) remember(text []byte, t time.Time) {
	if t.Location() != time.UTC {
		return
	}
	copy(m.text[:], text)
	m.unix = t.Truncate(time.Minute).Unix()
}

// digits reads b as a number and pads it with zeros on the right to the given width.
func digits(b []byte, width int) (v int64, ok bool) {
	for i := range width {
		v *= 10
		if i >= len(b) {
			continue
		}
		c := b[i] - '0'
		if c > 9 {
			return 0, false
		}
		v += int64(c)
	}
	return v, true
}
