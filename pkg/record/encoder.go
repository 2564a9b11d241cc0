package record

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// encoder appends one JSON object to b, key by key, without reflection. Methods named opt and yes
// leave their key out for the zero value: absent is a missing key.
type encoder struct{ b []byte }

func (e *encoder) key(k string) {
	if n := len(e.b); n > 0 && e.b[n-1] != '{' {
		e.b = append(e.b, ',')
	}
	e.b = append(e.b, '"')
	e.b = append(e.b, k...)
	e.b = append(e.b, '"', ':')
}

func (e *encoder) open(k string) {
	e.key(k)
	e.b = append(e.b, '{')
}

func (e *encoder) shut() { e.b = append(e.b, '}') }

func (e *encoder) str(k, v string) {
	e.key(k)
	e.b = appendString(e.b, v)
}

func (e *encoder) optStr(k, v string) {
	if v != "" {
		e.str(k, v)
	}
}

func (e *encoder) num(k string, v int64) {
	e.key(k)
	e.b = strconv.AppendInt(e.b, v, 10)
}

func (e *encoder) optNum(k string, v int64) {
	if v != 0 {
		e.num(k, v)
	}
}

func (e *encoder) ns(k string, d time.Duration)    { e.num(k, int64(d)) }
func (e *encoder) optNS(k string, d time.Duration) { e.optNum(k, int64(d)) }

func (e *encoder) float(k string, v float64) {
	e.key(k)
	e.b = strconv.AppendFloat(e.b, v, 'g', -1, 64)
}

func (e *encoder) flag(k string, v bool) {
	e.key(k)
	e.b = strconv.AppendBool(e.b, v)
}

func (e *encoder) yes(k string, v bool) {
	if v {
		e.flag(k, true)
	}
}

func (e *encoder) optStrs(k string, vs []string) {
	if len(vs) > 0 {
		e.key(k)
		e.b = appendStrings(e.b, vs)
	}
}

// list writes n values made by item, which must append exactly one value to e.b.
func (e *encoder) list(k string, n int, item func(i int)) {
	e.key(k)
	e.b = append(e.b, '[')
	for i := range n {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		item(i)
	}
	e.b = append(e.b, ']')
}

// time writes t in UTC, RFC 3339, with 3, 6 or 9 digits of the second, as many as t needs. A zero
// time, and one whose year RFC 3339 cannot write, is absent.
func (e *encoder) time(k string, t time.Time) {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return
	}
	layout := "2006-01-02T15:04:05.000Z"
	switch ns := t.Nanosecond(); {
	case ns%1000 != 0:
		layout = "2006-01-02T15:04:05.000000000Z"
	case ns%1_000_000 != 0:
		layout = "2006-01-02T15:04:05.000000Z"
	}
	e.key(k)
	e.b = append(e.b, '"')
	e.b = t.AppendFormat(e.b, layout)
	e.b = append(e.b, '"')
}

func appendStrings(b []byte, vs []string) []byte {
	b = append(b, '[')
	for i, v := range vs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, v)
	}
	return append(b, ']')
}

const hex = "0123456789abcdef"

// appendString appends s as a JSON string (RFC 8259 section 7). Bytes that are not UTF-8 become
// \ufffd. Header values and error texts come from strangers and run files get printed on terminals,
// so controls and characters that reorder a line are escaped although JSON would let some stand.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			b = append(b, s[from:i]...)
			b = appendEscaped(b, c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if (r == utf8.RuneError && size == 1) || risky(r) {
			b = append(b, s[from:i]...)
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
			from = i + size
		}
		i += size
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func appendEscaped(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// risky tells C1 controls, line separators and bidirectional overrides; all lie below U+10000.
func risky(r rune) bool {
	return r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
