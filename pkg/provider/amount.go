package provider

import (
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// amount is a figure turned into nanoseconds.
type amount struct {
	d     time.Duration
	step  time.Duration
	text  string
	doubt string
	least bool // something that took time has no figure: at least d
}

// unitWords are the units a value may carry itself, as Go, nginx recipes and
// web frameworks write them.
var unitWords = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "µs": time.Microsecond, "μs": time.Microsecond,
	"ms": time.Millisecond, "msec": time.Millisecond, "s": time.Second, "sec": time.Second,
	"m": time.Minute, "h": time.Hour,
}

// measure reads a header's figure: a number in unit, or numbers with units of
// their own ("45.23ms", "1m26.4s"), which win over unit. The problem says in
// words why there is no amount; it is "" if there is one.
func measure(text string, unit time.Duration) (a amount, problem string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return amount{}, "empty"
	}
	n, rest, ok := servertiming.ParseNumber(text)
	switch {
	case !ok:
		return amount{}, "not a number"
	case n.Negative():
		return amount{}, "negative"
	case strings.TrimSpace(rest) == "":
		return inUnit(n, unit, text)
	}
	return withUnits(text)
}

func inUnit(n servertiming.Number, unit time.Duration, text string) (amount, string) {
	d, ok := n.Duration(unit)
	if !ok {
		return amount{}, "too large for a time"
	}
	return amount{d: d, step: n.Step(unit), text: clip(text)}, ""
}

// withUnits adds up numbers that each carry a unit.
func withUnits(text string) (amount, string) {
	sum := amount{text: clip(text)}
	for rest := text; rest != ""; {
		n, after, ok := servertiming.ParseNumber(rest)
		word := unitWord(after)
		unit, known := unitWords[strings.ToLower(strings.TrimSpace(word))]
		if !ok || !known || n.Negative() {
			return amount{}, "not a number"
		}
		d, fits := n.Duration(unit)
		if !fits || sum.d+d < sum.d {
			return amount{}, "too large for a time"
		}
		sum.d, sum.step = sum.d+d, n.Step(unit)
		rest = after[len(word):]
	}
	return sum, ""
}

// unitWord returns the text up to the next digit.
func unitWord(s string) string {
	if i := strings.IndexAny(s, "0123456789"); i >= 0 {
		return s[:i]
	}
	return s
}

// hasUnit reports whether a text says its unit itself.
func hasUnit(text string) bool {
	_, rest, ok := servertiming.ParseNumber(text)
	return ok && strings.TrimSpace(rest) != ""
}

// measureDur reads a metric's dur. An absent one is no problem: problem and ok
// are both unset then.
func measureDur(dur servertiming.Dur, unit time.Duration) (a amount, problem string, ok bool) {
	switch dur.State {
	case servertiming.DurAbsent:
		return amount{}, "", false
	case servertiming.DurEmpty:
		return amount{}, "dur is empty: the time is not known, which is not zero", false
	case servertiming.DurInvalid:
		return amount{}, "dur is not a number", false
	}
	if dur.Number.Negative() {
		return amount{}, "dur is negative", false
	}
	a, problem = inUnit(dur.Number, unit, dur.Text)
	a.doubt = strangeUnit(dur.Text, unit)
	return a, problem, problem == ""
}

// strangeUnit doubts a dur that names a unit other than the one expected: the
// grammar skips it, but somebody meant it.
func strangeUnit(text string, expected time.Duration) string {
	_, rest, _ := servertiming.ParseNumber(text)
	if rest == "" {
		return ""
	}
	word := strings.ToLower(strings.TrimSpace(rest))
	if unit, known := unitWords[word]; known && unit != expected {
		return "written with the unit " + word + " where another was expected"
	}
	return ""
}

// hasDecimals reports whether a text is digits, a point and n digits more.
func hasDecimals(text string, n int) bool {
	point := len(text) - n - 1
	if point < 1 || text[point] != '.' {
		return false
	}
	for i := range len(text) {
		if i != point && (text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return true
}

// total is several amounts of one name as one: nested or one after another,
// the truth lies between the largest and the sum.
type total struct {
	largest, sum amount
	n            int
}

func (t *total) add(a amount) {
	t.n++
	if a.d > t.largest.d || t.n == 1 {
		t.largest = a
	}
	t.sum.d = saturate(t.sum.d, a.d)
	t.sum.step = saturate(t.sum.step, a.step)
	t.sum.least = t.sum.least || a.least
	if t.sum.doubt == "" {
		t.sum.doubt = a.doubt
	}
	if t.sum.text != "" {
		t.sum.text += ", "
	}
	t.sum.text = clip(t.sum.text + a.text)
}

func saturate(a, b time.Duration) time.Duration {
	if a+b < a {
		return NoLimit
	}
	return a + b
}
