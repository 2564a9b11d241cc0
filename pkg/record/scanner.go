package record

import (
	"fmt"
	"math"
	"strconv"
)

// scanner reads one JSON value from b (RFC 8259) in one pass. The first error sticks and moves the
// position to the end, so loops over it end by themselves. It accepts what encoding/json accepts.
type scanner struct {
	b     []byte
	i     int
	depth int
	err   error
	plain []byte // holds a string whose escapes had to be resolved
}

// maxDepth is encoding/json's own limit of nesting.
const maxDepth = 10000

func (s *scanner) reset(b []byte) { s.b, s.i, s.depth, s.err = b, 0, 0, nil }

func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.i = len(s.b)
}

func (s *scanner) want(what string) {
	if s.err != nil {
		return
	}
	if s.i >= len(s.b) {
		s.fail(fmt.Errorf("line ends where %s should stand", what))
		return
	}
	s.fail(fmt.Errorf("column %d: want %s, got %q", s.i+1, what, s.b[s.i]))
}

// peek returns the next byte that is no white space, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.i < len(s.b); s.i++ {
		if c := s.b[s.i]; c > ' ' || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// finish fails unless only white space is left.
func (s *scanner) finish() {
	if s.peek(); s.i < len(s.b) {
		s.want("the end of the line")
	}
}

// object calls field for each key; field must read exactly one value and not keep key. A null has
// no keys.
func (s *scanner) object(field func(key []byte)) {
	if s.null() || !s.enter('{', "an object") {
		return
	}
	if s.peek() == '}' {
		s.leave()
		return
	}
	for {
		key := s.key()
		if s.err != nil {
			return
		}
		field(key)
		if !s.more('}', "a comma or }") {
			return
		}
	}
}

// array calls item for each element; item must read exactly one value. A null has no elements.
func (s *scanner) array(item func()) {
	if s.null() || !s.enter('[', "an array") {
		return
	}
	if s.peek() == ']' {
		s.leave()
		return
	}
	for s.err == nil {
		item()
		if !s.more(']', "a comma or ]") {
			return
		}
	}
}

func (s *scanner) enter(open byte, what string) bool {
	if s.peek() != open {
		s.want(what)
		return false
	}
	s.i++
	if s.depth++; s.depth > maxDepth {
		s.fail(fmt.Errorf("nested deeper than %d", maxDepth))
	}
	return s.err == nil
}

func (s *scanner) leave() {
	s.i++
	s.depth--
}

func (s *scanner) more(shut byte, what string) bool {
	switch s.peek() {
	case ',':
		s.i++
		return s.err == nil
	case shut:
		s.leave()
	default:
		s.want(what)
	}
	return false
}

func (s *scanner) key() []byte {
	if s.peek() != '"' {
		s.want("a key")
		return nil
	}
	key := s.quoted()
	if s.peek() != ':' {
		s.want("a colon")
		return nil
	}
	s.i++
	return key
}

// null consumes a null if one stands next.
func (s *scanner) null() bool { return s.peek() == 'n' && s.literal("null") }

func (s *scanner) literal(word string) bool {
	if len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.want(word)
		return false
	}
	s.i += len(word)
	return true
}

// bool reads true, false or null, which is false.
func (s *scanner) bool() bool {
	switch s.peek() {
	case 't':
		return s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		s.want("true or false")
	}
	return false
}

// int64 reads a whole number without fraction or exponent; null is 0.
func (s *scanner) int64() int64 {
	digits, minus := s.magnitude(1 << 63)
	switch {
	case minus:
		return -int64(digits) // 1<<63 wraps to the smallest int64, as it should
	case digits > math.MaxInt64:
		s.fail(fmt.Errorf("column %d: number does not fit 64 bits", s.i))
	}
	return int64(digits)
}

func (s *scanner) int() int {
	v := s.int64()
	if int64(int(v)) != v {
		s.fail(fmt.Errorf("column %d: number does not fit", s.i))
	}
	return int(v)
}

func (s *scanner) uint64() uint64 {
	at := s.peek()
	v, minus := s.magnitude(math.MaxUint64)
	if minus {
		s.fail(fmt.Errorf("column %d: want a number that is not negative, got %q", s.i, at))
	}
	return v
}

// magnitude reads an integer whose absolute value is at most limit.
func (s *scanner) magnitude(limit uint64) (v uint64, minus bool) {
	if s.null() || s.err != nil {
		return 0, false
	}
	if minus = s.b2('-'); minus {
		s.i++
	}
	from := s.i
	for ; s.i < len(s.b); s.i++ {
		c := s.b[s.i] - '0'
		if c > 9 {
			break
		}
		if v > (limit-uint64(c))/10 {
			s.fail(fmt.Errorf("column %d: number does not fit 64 bits", from+1))
			return 0, minus
		}
		v = v*10 + uint64(c)
	}
	s.checkInteger(from)
	return v, minus
}

func (s *scanner) b2(c byte) bool { return s.i < len(s.b) && s.b[s.i] == c }

func (s *scanner) checkInteger(from int) {
	switch {
	case s.i == from:
		s.want("a whole number")
	case s.b[from] == '0' && s.i > from+1:
		s.fail(fmt.Errorf("column %d: number starts with 0", from+1))
	case s.b2('.') || s.b2('e') || s.b2('E'):
		s.want("a whole number without fraction or exponent")
	}
}

// float64 reads any JSON number that fits; null is 0.
func (s *scanner) float64() float64 {
	if s.null() {
		return 0
	}
	from := s.i
	s.number()
	if s.err != nil {
		return 0
	}
	v, err := strconv.ParseFloat(string(s.b[from:s.i]), 64)
	if err != nil {
		s.fail(fmt.Errorf("column %d: number %s does not fit a float64", from+1, s.b[from:s.i]))
	}
	return v
}

// number passes over one JSON number.
func (s *scanner) number() {
	if s.b2('-') {
		s.i++
	}
	switch {
	case s.b2('0'):
		s.i++
	default:
		s.digits()
	}
	if s.b2('.') {
		s.i++
		s.digits()
	}
	if s.b2('e') || s.b2('E') {
		s.i++
		if s.b2('+') || s.b2('-') {
			s.i++
		}
		s.digits()
	}
}

func (s *scanner) digits() {
	from := s.i
	for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
		s.i++
	}
	if s.i == from {
		s.want("a digit")
	}
}

// skip passes over one value of any kind, checking its grammar.
func (s *scanner) skip() {
	switch c := s.peek(); {
	case c == '"':
		s.pass()
	case c == '{':
		s.object(s.skipField)
	case c == '[':
		s.array(s.skip)
	case c == '-' || c-'0' <= 9:
		s.number()
	case c == 't' || c == 'f':
		s.bool()
	case c == 'n':
		s.literal("null")
	default:
		s.want("a value")
	}
}

func (s *scanner) skipField([]byte) { s.skip() }

// raw returns the bytes of one value, nil for null.
func (s *scanner) raw() []byte {
	if s.null() {
		return nil
	}
	from := s.i
	s.skip()
	if s.err != nil {
		return nil
	}
	return s.b[from:s.i]
}
