package ledger

import (
	"slices"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// Arm is one side of a comparison: an arm and the run it was measured in.
type Arm struct {
	*reading.Arm
	Set *reading.Set
}

// Comparison is two arms held against each other. Times are nanoseconds, changes are after minus
// before: negative is faster.
type Comparison struct {
	Before, After *summary.Summary
	Sets          [2]*reading.Set

	Interleaved bool // measured together, in pairs
	Pairs       int  // rounds in which both arms have an ok exchange
	Differences []Difference
	SameAnswer  Answers

	Verdict Verdict
	Delta   int64 // what nobody notices
	Fold    Fold
	Total   stats.Change // of the p50 the verdict is on
	Test    stats.RankTest
	Needed  []Needed // how many requests an arm would settle it; for Undecided

	Entries []Entry
	Parents Parents
	Offset  stats.Offset // over the confirmed rows
	P90     []Entry      // the ledger at p90, indicative, without intervals; nil below 25

	Percentiles [len(summary.Percentiles)]stats.Change // of total
	Apart       [2]Apart                               // parts of wait that were not compared
	Drift       Drift
	Shares      []ShareChange
	Steadiness  Steadiness
}

// Parents are the rows above entries, for both columns.
type Parents struct {
	Before, After [segment.NumKeys]int64
	Has           [segment.NumKeys]bool
}

// leastForP90 is the n from which the p90 ledger is shown.
const leastForP90 = 25

// Compare holds two arms against each other. Both may belong to the same set, as in a live
// comparison; then rounds are pairs.
func Compare(before, after Arm) *Comparison {
	c := &Comparison{
		Before: summary.Of(before.Arm), After: summary.Of(after.Arm),
		Sets: [2]*reading.Set{before.Set, after.Set}, Interleaved: before.Set == after.Set,
	}
	c.Differences = differences(before, after)
	c.SameAnswer = compareAnswers(before.Arm, after.Arm)
	c.Shares = shares(before.Arm, after.Arm)
	if before.N() == 0 || after.N() == 0 {
		return c
	}
	c.Delta = Delta(c.Before.Total().Value, c.After.Total().Value)
	lines, fold := plan(before.Arm, after.Arm, c.Delta)
	c.Fold = fold
	l := lay(before.Arm, after.Arm, lines, fold, c.Interleaved)
	c.Pairs = len(l.pairs)
	c.total(&l)
	c.ledger(&l)
	c.apart()
	c.Drift = drift(&l)
	c.Steadiness = steadiness(c.Before, c.After)
	return c
}

// total fills everything that is about the whole request.
func (c *Comparison) total(l *laid) {
	c.Total = l.changeOf(l.before.Total, l.after.Total, stats.P50)
	c.Delta = Delta(c.Total.Before.Value, c.Total.After.Value)
	c.Test = l.test(l.before.Total, l.after.Total)
	c.Verdict = judge(c.Total, c.Test.P, c.Delta)
	switch {
	case c.Verdict != TooFew && identical(l):
		c.Verdict = Unchanged
	case c.Verdict != TooFew && !c.Interleaved && len(c.Differences) > 0:
		c.Verdict = NotComparable
	}
	if c.Verdict == Undecided {
		c.Needed = needed(c.Total, c.Delta)
	}
	for i, p := range summary.Percentiles {
		c.Percentiles[i] = l.changeOf(l.before.Total, l.after.Total, p)
	}
}

// identical reports whether both arms hold the same exchanges: a file compared with itself.
func identical(l *laid) bool {
	if !slices.Equal(l.before.Total, l.after.Total) {
		return false
	}
	for i := range l.lines {
		if !slices.Equal(l.before.Columns[i], l.after.Columns[i]) {
			return false
		}
	}
	return true
}

// ledger fills the rows that add up.
func (c *Comparison) ledger(l *laid) {
	var change *stats.SplitChange
	c.Entries, change = l.entries()
	c.Parents.Before, c.Parents.Has = parents(c.Entries, func(e *Entry) int64 { return e.Before })
	c.Parents.After, _ = parents(c.Entries, func(e *Entry) int64 { return e.After })
	var confirmed []int
	for i := range c.Entries {
		if c.Entries[i].Standing == Confirmed {
			confirmed = append(confirmed, i)
		}
	}
	c.Offset = change.Offset(confirmed...)
	if min(len(l.before.Total), len(l.after.Total)) >= leastForP90 {
		c.P90 = l.atP90()
	}
}

// atP90 is the ledger at p90: the figures hold, intervals would not.
func (l *laid) atP90() []Entry {
	before := l.before.SplitAt(l.before.Order(), stats.P90).Whole()
	after := l.after.SplitAt(l.after.Order(), stats.P90).Whole()
	out := make([]Entry, len(l.lines))
	for i, line := range l.lines {
		out[i] = Entry{Line: line, Before: before[i], After: after[i], Change: after[i] - before[i], P: 1, Adjusted: 1}
	}
	return out
}

// Apart is the wait of one arm taken apart where it could not be compared: its parts at the p50,
// which add up to its wait.
type Apart struct {
	Lines []summary.Line
	Parts []int64
}

// apart keeps each arm's own parts of wait where the comparison shows wait whole.
func (c *Comparison) apart() {
	if c.Fold&(FoldWait|FoldWaitBare) == 0 {
		return
	}
	for i, s := range []*summary.Summary{c.Before, c.After} {
		for _, line := range s.Lines {
			if p, ok := line.Key.Parent(); ok && p != segment.Transfer {
				c.Apart[i].Lines = append(c.Apart[i].Lines, line)
				c.Apart[i].Parts = append(c.Apart[i].Parts, s.At[line.Key])
			}
		}
	}
}
