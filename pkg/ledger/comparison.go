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
// before: negative is faster. It is not changed after [Compare] but for Control, which a caller may
// set; several goroutines may read it.
type Comparison struct {
	Before, After *summary.Summary
	Sets          [2]*reading.Set

	Interleaved bool // measured together, in pairs
	Pairs       int  // rounds in which both arms have an ok exchange
	Self        bool // both sides are one arm of one run: there is no second one, and there are no pairs
	Identical   bool // both sides hold the same exchanges: every change is 0, and exactly that
	Differences []Difference
	SameAnswer  Answers

	Verdict Verdict
	Delta   int64 // what nobody notices
	Fold    Fold
	Total   stats.Change // of the p50 the verdict is on; without dns if Fold says so
	Test    stats.RankTest
	Needed  []Needed // how many requests an arm would settle it; for Undecided

	Entries    []Entry
	Parents    Parents
	Offset     stats.Offset // over the confirmed rows
	P90        []Entry      // the ledger at p90, indicative, without intervals; nil below 25
	P90Parents Parents

	// Tails attribute what lies above each arm's p90 to the rows of Entries.
	Tails [2]stats.Tail

	Percentiles [len(summary.Percentiles)]stats.Change // of total, in the order of summary.Percentiles
	Drift       Drift
	Shares      []ShareChange
	Steadiness  Steadiness
	Control     *Control // a route nobody moved; nil when there was none

	l *laid // nil when an arm has no ok exchange
}

// leastForP90 is the n from which the p90 ledger is shown.
const leastForP90 = 25

// Compare holds two arms against each other. Both may belong to the same run, as in a live
// comparison; then rounds are pairs unless the run was sent one route after the other.
func Compare(before, after Arm) *Comparison {
	oneRun := sameRun(before.Set, after.Set)
	c := &Comparison{
		Before: summary.Of(before.Arm), After: summary.Of(after.Arm),
		Sets: [2]*reading.Set{before.Set, after.Set}, Self: oneRun && sameArm(before.Arm, after.Arm),
	}
	c.Interleaved = oneRun && !c.Self && before.Set.Run.Order != sequential
	c.Differences = differences(before, after, oneRun)
	c.SameAnswer = compareAnswers(before.Arm, after.Arm)
	c.Shares = shares(before.Arm, after.Arm)
	if before.N() == 0 || after.N() == 0 {
		return c
	}
	c.Delta = Delta(c.Before.Total().Value, c.After.Total().Value)
	p := plan(before.Arm, after.Arm, c.Delta, stats.P50)
	c.Fold = p.fold
	c.l = lay(p, c.Interleaved)
	c.Identical = identical(c.l)
	c.l.same = c.Identical
	c.Pairs = len(c.l.pairs)
	c.total()
	c.ledger()
	c.tails()
	c.Drift = drift(c.l, c.Total)
	c.Steadiness = steadiness(c.Before, c.After)
	return c
}

// sequential is the order of a run that sent one route after the other.
const sequential = "sequential"

// sameRun reports whether both arms were measured together; a run may have been read twice.
func sameRun(a, b *reading.Set) bool {
	return a == b || a.Run.ID != "" && a.Run.ID == b.Run.ID
}

// sameArm reports whether both arms of a run are the same route, and the same group of it.
func sameArm(a, b *reading.Arm) bool {
	return a == b || a.Route.Name == b.Route.Name && a.By == b.By && a.Group == b.Group
}

// total fills everything that is about the whole request.
func (c *Comparison) total() {
	l := c.l
	copy(c.Percentiles[:], l.totalChanges(summary.Percentiles[:]...))
	c.Total = c.Percentiles[slices.Index(summary.Percentiles[:], stats.P50)]
	c.Delta = Delta(c.Total.Before.Value, c.Total.After.Value)
	faster := false
	c.Test, faster = l.test(l.before.Total, l.after.Total)
	c.Verdict = judge(c.Total, c.Test, faster, c.Delta)
	switch {
	case c.Verdict == TooFew:
	case c.Identical:
		c.Verdict = Unchanged
	case c.barred():
		c.Verdict = NotComparable
	case c.Verdict == Undecided:
		c.Needed = needed(c.Total, c.Delta)
	}
}

// identical reports whether both arms hold the same exchanges.
func identical(l *laid) bool {
	if !slices.Equal(l.before.Total, l.after.Total) {
		return false
	}
	for i := range l.keys {
		if !slices.Equal(l.before.Columns[i], l.after.Columns[i]) {
			return false
		}
	}
	return true
}

// ledger fills the rows that add up.
func (c *Comparison) ledger() {
	var change *stats.SplitChange
	c.Entries, change = c.l.entries()
	c.Parents = ParentsOf(c.Entries)
	for i := range c.Entries {
		if e := &c.Entries[i]; c.Identical {
			e.Interval.Lo, e.Interval.Hi = 0, 0
		}
	}
	var confirmed []int
	for i, e := range c.Entries {
		if e.Standing == Confirmed {
			confirmed = append(confirmed, i)
		}
	}
	c.Offset = c.l.offset(change, confirmed)
}

// tails fills what lies above p90, and the ledger there.
func (c *Comparison) tails() {
	c.Tails = [2]stats.Tail{tailOf(c.l.byRow(c.l.before)), tailOf(c.l.byRow(c.l.after))}
	if min(len(c.l.before.Total), len(c.l.after.Total)) >= leastForP90 {
		c.P90 = c.atP90()
		c.P90Parents = ParentsOf(c.P90)
	}
}

// offset is the offset ratio over the confirmed rows, each by its own sign. The replicates of a
// folded row are those of its sum, so they are drawn for the rows instead of their leaves.
func (l *laid) offset(change *stats.SplitChange, rows []int) stats.Offset {
	folded := slices.ContainsFunc(rows, func(row int) bool { return len(l.leaves[row]) > 1 })
	if !folded {
		return change.Offset(l.flat(rows)...)
	}
	o := stats.SplitChangeOf(l.byRow(l.before), l.byRow(l.after), stats.P50, l.pairs).Offset(rows...)
	o.Gain, o.Loss = 0, 0
	for _, row := range rows {
		d := change.Delta(l.leaves[row]...)
		o.Gain, o.Loss = o.Gain+max(0, -d), o.Loss+max(0, d)
	}
	if o.HasValue = o.Gain > 0; o.HasValue {
		o.Value = o.Loss / o.Gain
	}
	return o
}

func (l *laid) flat(rows []int) []int {
	var leaves []int
	for _, row := range rows {
		leaves = append(leaves, l.leaves[row]...)
	}
	return leaves
}

// byRow is one arm with a column for each row of the ledger.
func (l *laid) byRow(rows stats.Rows) stats.Rows {
	out := stats.Rows{Total: rows.Total, Exempt: make([]bool, len(l.rows))}
	for i, row := range l.rows {
		out.Columns = append(out.Columns, l.column(rows, i))
		out.Exempt[i] = row.Key == segment.WaitUnattributed
	}
	return out
}

func tailOf(rows stats.Rows) stats.Tail {
	order := rows.Order()
	return rows.TailAbove(order, stats.P90, rows.SplitAt(order, stats.P50))
}

// atP90 is the ledger at p90: the figures hold, intervals would not. What counts as reported is
// decided around the p90 again.
func (c *Comparison) atP90() []Entry {
	l := c.l
	if p := plan(l.arms[0], l.arms[1], c.Delta, stats.P90); !l.follows(p) {
		l = lay(p, c.Interleaved)
	}
	before := l.before.SplitAt(l.before.Order(), stats.P90)
	after := l.after.SplitAt(l.after.Order(), stats.P90)
	return l.bare(before, after)
}
