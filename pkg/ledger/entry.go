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
	Untested                  // a row of a ledger that has no intervals, or too few exchanges
)

var standingNames = [...]string{"noise", "suggested", "confirmed", "untested"}

// String is the word JSON carries.
func (s Standing) String() string { return standingNames[s] }

// Entry is one row of the ledger: a line both arms have in the same meaning.
type Entry struct {
	summary.Line
	Before, After int64 // at the percentile, nanoseconds; every column sums to its arm's total
	Change        int64 // After - Before
	Interval      stats.Interval
	P, Adjusted   float64 // of the rank test, alone and within the family (Holm); 1 when not tested
	Varies        bool    // false when both arms have one value throughout: not tested
	Standing      Standing
	Parts         []Part // what a folded row adds up, arm by arm; nil for a row of one leaf
}

// Part is one leaf of a folded row. Parts of an arm sum exactly to the row's figure of that arm; they
// are not subtracted from each other.
type Part struct {
	Key           segment.Key
	Before, After int64   // nanoseconds
	Has           [2]bool // which arm has it
}

// Saved reports whether the row got faster beyond doubt.
func (e *Entry) Saved() bool { return e.Standing == Confirmed && e.Change < 0 }

// Lost reports whether the row got slower beyond doubt.
func (e *Entry) Lost() bool { return e.Standing == Confirmed && e.Change > 0 }

// significance is the family error everything is held to.
const significance = 0.05

// entries is the ledger at the p50 of total, and the change it is read from.
func (l *laid) entries() ([]Entry, *stats.SplitChange) {
	change := stats.SplitChangeOf(l.before, l.after, stats.P50, l.pairs)
	out := l.bare(change.Before, change.After)
	var family []int
	var ps []float64
	for i := range out {
		if l.testRow(&out[i], i, change); out[i].Varies {
			family, ps = append(family, i), append(ps, out[i].P)
		}
	}
	for i, adjusted := range stats.Holm(ps) {
		out[family[i]].Adjusted = adjusted
	}
	n := min(len(l.before.Total), len(l.after.Total))
	for i := range out {
		out[i].Standing = standing(&out[i], n)
	}
	return out, change
}

// testRow fills what a row's own columns tell.
func (l *laid) testRow(e *Entry, row int, change *stats.SplitChange) {
	before, after := l.column(l.before, row), l.column(l.after, row)
	if e.Varies = varies(before, after); !e.Varies {
		return
	}
	e.Interval = change.Interval(l.leaves[row]...)
	t, _ := l.test(before, after)
	e.P = t.P
}

// bare is the ledger's figures without tests and intervals.
func (l *laid) bare(splitBefore, splitAfter stats.Split) []Entry {
	before, after := splitBefore.Whole(), splitAfter.Whole()
	out := make([]Entry, len(l.rows))
	for i, row := range l.rows {
		e := Entry{Line: row, Before: l.sumAt(before, i), After: l.sumAt(after, i), P: 1, Adjusted: 1, Standing: Untested}
		e.Change = e.After - e.Before
		if len(l.leaves[i]) > 1 {
			e.Parts = l.parts(before, after, i)
		}
		out[i] = e
	}
	return out
}

func (l *laid) parts(before, after []int64, row int) []Part {
	var out []Part
	for _, j := range l.leaves[row] {
		k := l.keys[j]
		out = append(out, Part{Key: k, Before: before[j], After: after[j], Has: [2]bool{l.has(0, k), l.has(1, k)}})
	}
	return out
}

func (l *laid) has(arm int, k segment.Key) bool {
	for _, own := range l.own[arm] {
		if own == k {
			return true
		}
	}
	return false
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
	switch {
	case n < leastForVerdict:
		return Untested
	case !e.Varies || !e.Interval.ExcludesZero() || e.Change == 0:
		return Noise
	case e.Adjusted < significance:
		return Confirmed
	case e.P < significance:
		return Suggested
	}
	return Noise
}

// Parents are the figures of rows above entries, setup, ttfb and total, in both columns. They are
// sums of entries, so they add up with them.
type Parents struct {
	Before, After [segment.NumKeys]int64
	Has           [segment.NumKeys]bool
}

// ParentsOf sums entries into the rows above them.
func ParentsOf(entries []Entry) Parents {
	lines := make([]summary.Line, len(entries))
	before, after := make([]int64, len(entries)), make([]int64, len(entries))
	for i, e := range entries {
		lines[i], before[i], after[i] = e.Line, e.Before, e.After
	}
	var p Parents
	p.Before, p.Has = summary.Parents(lines, before)
	p.After, _ = summary.Parents(lines, after)
	return p
}
