package ledger

import (
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// Standing is what can be said of one row's change.
type Standing uint8

// The standings.
const (
	Noise     Standing = iota // cannot be told from nothing
	Suggested                 // moved by its own test, not confirmed within the family of rows
	Confirmed                 // moved within the family, and its interval excludes 0
)

// Entry is one row of the ledger: a line both arms have in the same meaning.
type Entry struct {
	summary.Line
	Before, After int64 // at the percentile, nanoseconds; every column sums to its arm's total
	Change        int64 // After - Before
	Interval      stats.Interval
	P, Adjusted   float64 // of the rank test, alone and within the family (Holm); 1 when not tested
	Varies        bool    // false when both arms have one value throughout: not tested
	Standing      Standing
}

// Saved reports whether the row got faster beyond doubt.
func (e *Entry) Saved() bool { return e.Standing == Confirmed && e.Change < 0 }

// Lost reports whether the row got slower beyond doubt.
func (e *Entry) Lost() bool { return e.Standing == Confirmed && e.Change > 0 }

// significance is the family error everything is held to.
const significance = 0.05

// smallArm is the n below which a ledger interval cannot exclude 0 by itself: complete separation
// is then all that can be told.
const smallArm = 6

// entries is the ledger at the p50 of total, and the change it is read from.
func (l *laid) entries() ([]Entry, *stats.SplitChange) {
	change := stats.SplitChangeOf(l.before, l.after, stats.P50, l.pairs)
	before, after := change.Before.Whole(), change.After.Whole()
	out := make([]Entry, len(l.lines))
	var family []int
	var ps []float64
	for i, line := range l.lines {
		e := Entry{Line: line, Before: before[i], After: after[i], Change: after[i] - before[i], P: 1, Adjusted: 1}
		b, a := l.before.Columns[i], l.after.Columns[i]
		if e.Varies = varies(b, a); e.Varies {
			e.Interval = change.Interval(i)
			e.P = l.test(b, a).P
			family, ps = append(family, i), append(ps, e.P)
		}
		out[i] = e
	}
	for i, adjusted := range stats.Holm(ps) {
		out[family[i]].Adjusted = adjusted
	}
	for i := range out {
		out[i].Standing = standing(&out[i], min(len(l.before.Total), len(l.after.Total)))
	}
	return out, change
}

func varies(columns ...[]int64) bool {
	first, some := int64(0), false
	for _, c := range columns {
		for _, v := range c {
			if some && v != first {
				return true
			}
			first, some = v, true
		}
	}
	return false
}

// standing confirms a row when both its distribution moved and its part of the p50 did: the part
// alone may move because another request became the typical one.
func standing(e *Entry, n int) Standing {
	clear := e.Interval.ExcludesZero() || n < smallArm
	sameSign := e.Change != 0
	switch {
	case !e.Varies || !clear || !sameSign || n < leastForVerdict:
		return Noise
	case e.Adjusted < significance:
		return Confirmed
	case e.P < significance:
		return Suggested
	}
	return Noise
}

// parents are the rows above entries, computed from them.
func parents(entries []Entry, pick func(*Entry) int64) (at [segment.NumKeys]int64, has [segment.NumKeys]bool) {
	lines, parts := make([]summary.Line, len(entries)), make([]int64, len(entries))
	for i := range entries {
		lines[i], parts[i] = entries[i].Line, pick(&entries[i])
	}
	return summary.Parents(lines, parts)
}
