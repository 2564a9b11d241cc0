package record

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string or null, which is nil. The bytes belong to the scanner and hold until the next
// call. What is not UTF-8, or half a surrogate pair, is U+FFFD.
func (s *scanner) str() []byte {
	if s.peek() == '"' {
		return s.quoted()
	}
	if !s.null() {
		s.want("a string")
	}
	return nil
}

// quoted reads the string whose opening quote stands next.
func (s *scanner) quoted() []byte {
	s.i++
	from := s.i
	s.i = ordinary(s.b, from)
	if s.next('"') {
		s.i++
		return s.b[from : s.i-1]
	}
	return s.resolve(from)
}

// resolve reads on after the first byte that is not ordinary, copying.
func (s *scanner) resolve(from int) []byte {
	s.plain = append(s.plain[:0], s.b[from:s.i]...)
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return s.plain
		case c == '\\':
			s.escape()
		case c < ' ':
			s.want("a string without control characters")
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(s.b[s.i:])
			s.plain = utf8.AppendRune(s.plain, r)
			s.i += size
		default:
			next := ordinary(s.b, s.i)
			s.plain = append(s.plain, s.b[s.i:next]...)
			s.i = next
		}
	}
	s.want("a closing quote")
	return nil
}

// pass is quoted without the copy.
func (s *scanner) pass() {
	for s.i++; s.i < len(s.b); {
		s.i = ordinary(s.b, s.i)
		if s.i >= len(s.b) {
			break
		}
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return
		case c == '\\':
			s.plain = s.plain[:0]
			s.escape()
		case c < ' ':
			s.want("a string without control characters")
			return
		default:
			s.i++
		}
	}
	s.want("a closing quote")
}

// escape appends what the escape sequence at the position stands for.
func (s *scanner) escape() {
	if s.i+1 >= len(s.b) {
		s.i = len(s.b)
		s.want("an escaped character")
		return
	}
	c := s.b[s.i+1]
	if c == 'u' {
		s.unicode()
		return
	}
	plain, ok := unescape(c)
	if !ok {
		s.fail(fmt.Errorf("column %d: unknown escape \\%c", s.i+1, c))
		return
	}
	s.plain = append(s.plain, plain)
	s.i += 2
}

func unescape(c byte) (byte, bool) {
	switch c {
	case '"', '\\', '/':
		return c, true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	}
	return 0, false
}

func (s *scanner) unicode() {
	r, ok := hex4(s.b, s.i)
	if !ok {
		s.fail(fmt.Errorf("column %d: want four hex digits after \\u", s.i+1))
		return
	}
	s.i += 6
	if utf16.IsSurrogate(r) {
		second, ok := hex4(s.b, s.i)
		pair := utf16.DecodeRune(r, second)
		if ok && pair != utf8.RuneError {
			s.i += 6
		}
		r = pair
	}
	s.plain = utf8.AppendRune(s.plain, r)
}

// hex4 reads \uXXXX at i; not ok yields U+FFFD, which pairs with nothing.
func hex4(b []byte, i int) (rune, bool) {
	if len(b)-i < 6 || b[i] != '\\' || b[i+1] != 'u' {
		return utf8.RuneError, false
	}
	var r rune
	for _, c := range b[i+2 : i+6] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c-'a' <= 5:
			c -= 'a' - 10
		case c-'A' <= 5:
			c -= 'A' - 10
		default:
			return utf8.RuneError, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// ordinary returns the index of the first byte at or after i that is a quote, a backslash, a
// control or not ASCII; len(b) when none is. It looks at eight bytes a step: per byte, subtracting
// borrows into the top bit exactly where the byte is small enough; a false alarm can only stand
// above a true one, so the lowest is true.
func ordinary(b []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for len(b)-i >= 8 {
		v := binary.LittleEndian.Uint64(b[i:])
		quote, slash := v^ones*'"', v^ones*'\\'
		found := (quote-ones)&^quote | (slash-ones)&^slash | (v-ones*' ')&^v | v
		if found &= tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
		i += 8
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}
