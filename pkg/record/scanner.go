package record

import "fmt"

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
	if s.i < len(s.b) && s.b[s.i] > ' ' {
		return s.b[s.i]
	}
	return s.space()
}

func (s *scanner) space() byte {
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
	if !s.enter('{', "an object") {
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
	if !s.enter('[', "an array") {
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

// enter passes over an opening bracket, or over a null and reports false.
func (s *scanner) enter(open byte, what string) bool {
	if s.peek() != open {
		if !s.null() {
			s.want(what)
		}
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

// key reads a key and its colon. What a Writer writes - no white space, no escapes - takes the short
// way.
func (s *scanner) key() []byte {
	if s.next('"') {
		from := s.i + 1
		if to := ordinary(s.b, from); to+1 < len(s.b) && s.b[to] == '"' && s.b[to+1] == ':' {
			s.i = to + 2
			return s.b[from:to]
		}
	}
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

// skip passes over one value of any kind, checking its grammar. It does without the callbacks of
// object and array: most of a line is passed over.
func (s *scanner) skip() {
	switch c := s.peek(); {
	case c == '"':
		s.pass()
	case c == '{':
		s.skipAll('}', "a comma or }")
	case c == '[':
		s.skipAll(']', "a comma or ]")
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

// skipAll passes over an object or an array whose bracket stands next.
func (s *scanner) skipAll(shut byte, what string) {
	if !s.enter(s.b[s.i], "a bracket") {
		return
	}
	if s.peek() == shut {
		s.leave()
		return
	}
	for s.err == nil {
		if shut == '}' {
			s.passKey()
		}
		s.skip()
		if !s.more(shut, what) {
			return
		}
	}
}

func (s *scanner) passKey() {
	if s.peek() != '"' {
		s.want("a key")
		return
	}
	s.pass()
	if s.peek() != ':' {
		s.want("a colon")
		return
	}
	s.i++
}

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
