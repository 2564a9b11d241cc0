package servertiming

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// Number is a decimal as it was written, kept exactly: no binary fraction
// stands between the text and the nanoseconds made of it. The zero value is
// not a number that was read; get one from ParseNumber.
type Number struct {
	text     string // sign, digits, point and exponent only
	decimals int    // digits after the point, lessened by the exponent
}

// ParseNumber reads the number at the start of s and returns what follows it.
// The rules are HTML's "rules for parsing floating-point number values": white
// space, one sign, digits or a point and digits, an optional exponent, then
// anything. NaN, Infinity, hexadecimal and a value beyond the range of a
// double are no numbers: ok is false and rest is s.
func ParseNumber(s string) (n Number, rest string, ok bool) {
	start := skipWhite(s, 0)
	end := numberEnd(s, start)
	if end == start {
		return Number{}, s, false
	}
	text := s[start:end]
	if !inRange(text) {
		return Number{}, s, false
	}
	return Number{text: text, decimals: decimals(text)}, s[end:], true
}

// inRange reports whether a double holds the number, which one of fewer than 300 digits without an
// exponent needs no look at.
func inRange(text string) bool {
	if len(text) < 300 && strings.IndexByte(text, 'e') < 0 && strings.IndexByte(text, 'E') < 0 {
		return true
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsInf(f, 0)
}

// numberEnd returns the end of the number that starts at i, or i if none does.
func numberEnd(s string, i int) int {
	start := i
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	whole := skipDigits(s, i)
	end := whole
	if whole < len(s) && s[whole] == '.' {
		fraction := skipDigits(s, whole+1)
		if whole == i && fraction == whole+1 {
			return start
		}
		end = fraction
	}
	if end == i {
		return start
	}
	return exponentEnd(s, end)
}

// exponentEnd returns the end of a complete exponent at i; an incomplete one
// ("1e", "1e+x") is not part of the number.
func exponentEnd(s string, i int) int {
	if i >= len(s) || (s[i] != 'e' && s[i] != 'E') {
		return i
	}
	j := i + 1
	if j < len(s) && (s[j] == '-' || s[j] == '+') {
		j++
	}
	if end := skipDigits(s, j); end > j {
		return end
	}
	return i
}

func skipDigits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

func skipWhite(s string, i int) int {
	for i < len(s) && strings.IndexByte(" \t\n\f\r", s[i]) >= 0 {
		i++
	}
	return i
}

// decimals counts the places after the point that the text really states.
func decimals(text string) int {
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	if !scaled {
		return len(fraction)
	}
	// A double's exponent has three digits; ParseNumber refused more unless
	// the value is zero, where the number of places says nothing anyway.
	e, err := strconv.Atoi(exponent)
	if err != nil || e < -400 || e > 400 {
		e = 0
	}
	return max(len(fraction)-e, 0)
}

// Duration returns the number counted in unit, rounded to the nearest
// nanosecond (half away from zero) from the decimal text itself. ok is false
// when the result does not fit a time.Duration; d is then the nearest limit.
// A negative number gives a negative duration: that it makes no sense as a
// time is for the caller to say. unit must be positive.
func (n Number) Duration(unit time.Duration) (d time.Duration, ok bool) {
	if d, ok := n.decimal(unit); ok {
		return d, true
	}
	if d, ok := n.whole(unit); ok {
		return d, true
	}
	f, _ := strconv.ParseFloat(n.text, 64)
	if math.Abs(f)*float64(unit) < 0.25 {
		return 0, true
	}
	if math.Abs(f)*float64(unit) > 1e19 {
		return limit(f < 0), false
	}
	return n.exact(unit, f < 0)
}

// whole handles signed and long integers.
func (n Number) whole(unit time.Duration) (time.Duration, bool) {
	v, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil || unit <= 0 || v > math.MaxInt64/int64(unit) || v < -math.MaxInt64/int64(unit) {
		return 0, false
	}
	return time.Duration(v) * unit, true
}

// decimal is Duration for what senders write, digits with or without a few decimals, in integers alone. It
// refuses what could overflow.
func (n Number) decimal(unit time.Duration) (time.Duration, bool) {
	const most = 17 // digits of value times unit in nanoseconds
	value, scale, seen := int64(0), int64(1), false
	if len(n.text) > most {
		return 0, false
	}
	for i := range len(n.text) {
		switch c := n.text[i]; {
		case c == '.' && !seen:
			seen = true
		case c >= '0' && c <= '9':
			value = value*10 + int64(c-'0')
			if seen {
				scale *= 10
			}
		default:
			return 0, false
		}
	}
	if unit <= 0 || value > (math.MaxInt64/2)/int64(unit) {
		return 0, false
	}
	return time.Duration((value*int64(unit) + scale/2) / scale), true
}

// exact rounds with rationals. The caller has bounded the magnitude, so that
// an exponent cannot ask for a number of unbounded size.
func (n Number) exact(unit time.Duration, negative bool) (time.Duration, bool) {
	r, ok := new(big.Rat).SetString(n.text)
	if !ok {
		return 0, false
	}
	r.Abs(r).Mul(r, new(big.Rat).SetInt64(int64(unit)))
	r.Add(r, big.NewRat(1, 2))
	q := new(big.Int).Quo(r.Num(), r.Denom())
	if !q.IsInt64() {
		return limit(negative), false
	}
	if negative {
		return -time.Duration(q.Int64()), true
	}
	return time.Duration(q.Int64()), true
}

func limit(negative bool) time.Duration {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// Negative reports whether the number is below zero; "-0" is not.
func (n Number) Negative() bool {
	if n.text == "" || n.text[0] != '-' {
		return false
	}
	f, _ := strconv.ParseFloat(n.text, 64)
	return f < 0
}

// Decimals returns how many digits after the point the text states: 0 for
// "9", 3 for "0.123", 6 for "0.123000", 1 for "12.34e1".
func (n Number) Decimals() int { return n.decimals }

// Step returns the worth of one unit in the last written digit when the number
// counts units, never less than a nanosecond: 1 ms for "9" and 10 us for
// "8.59" in milliseconds. What was rounded away is at most that.
func (n Number) Step(unit time.Duration) time.Duration {
	for range n.decimals {
		if unit < 10 {
			return 1
		}
		unit /= 10
	}
	return max(unit, 1)
}

// String returns the number as written.
func (n Number) String() string { return n.text }
