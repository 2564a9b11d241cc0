package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

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
	c := s.peek()
	if c == 'n' {
		s.literal("null")
		return 0, false
	}
	if c == '-' {
		s.i++
	}
	from, i, b := s.i, s.i, s.b
	if len(b)-i >= 8 {
		if eight, ok := eightDigits(binary.LittleEndian.Uint64(b[i:])); ok {
			v, i = eight, i+8
		}
	}
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		v = v*10 + uint64(b[i]-'0')
	}
	s.i = i
	s.checkInteger(from)
	if i-from > 18 && s.err == nil {
		v = s.checkSize(from, limit)
	}
	return v, c == '-'
}

// eightDigits reads eight ASCII digits, the first in the lowest byte, at once: pairs of digits, then
// pairs of pairs are added up side by side. Most times have nine digits or so.
func eightDigits(w uint64) (v uint64, ok bool) {
	const ones, tops = 0x0101010101010101, 0xf0f0f0f0f0f0f0f0
	if w&tops != '0'*ones || (w+6*ones)&tops != '0'*ones {
		return 0, false
	}
	w -= '0' * ones
	w = w*10 + w>>8
	w = (w&0x000000ff000000ff*(100+1000000<<32) + w>>16&0x000000ff000000ff*(1+10000<<32)) >> 32
	return w, true
}

// checkSize reads the digits again where 64 bits may not hold them.
func (s *scanner) checkSize(from int, limit uint64) uint64 {
	v, err := strconv.ParseUint(string(s.b[from:s.i]), 10, 64)
	if err != nil || v > limit {
		s.fail(fmt.Errorf("column %d: number does not fit 64 bits", from+1))
	}
	return v
}

func (s *scanner) next(c byte) bool { return s.i < len(s.b) && s.b[s.i] == c }

func (s *scanner) checkInteger(from int) {
	switch {
	case s.i == from:
		s.want("a whole number")
	case s.b[from] == '0' && s.i > from+1:
		s.fail(fmt.Errorf("column %d: number starts with 0", from+1))
	case s.i < len(s.b) && (s.b[s.i] == '.' || s.b[s.i]|0x20 == 'e'):
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
	if s.next('-') {
		s.i++
	}
	switch {
	case s.next('0'):
		s.i++
	default:
		s.digits()
	}
	if s.next('.') {
		s.i++
		s.digits()
	}
	if s.next('e') || s.next('E') {
		s.i++
		if s.next('+') || s.next('-') {
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
