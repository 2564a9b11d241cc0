package ledger

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Verdict is what can be said end to end.
type Verdict uint8

// The verdicts.
const (
	TooFew        Verdict = iota // fewer than 5 ok exchanges in an arm: a table, no verdict
	NotComparable                // the arms differ in more than the route: side by side, no verdict
	Faster
	Slower
	Small     // real, and less than anybody notices
	Probably  // direction by the rank test, size not pinned down
	Unchanged // within delta
	Undecided // anything is possible within the interval
)

var verdictNames = [...]string{"too_few", "not_comparable", "faster", "slower", "small", "probably", "unchanged", "undecided"}

// String is the word JSON carries.
func (v Verdict) String() string { return verdictNames[v] }

// leastForVerdict is the n below which an arm's p50 has no interval of any use.
const leastForVerdict = 5

// leastEffective is the effective n below which correlated exchanges allow no interval.
const leastEffective = 6

// leastDelta and deltaShare are what nobody notices.
const (
	leastDelta = 5 * time.Millisecond
	deltaShare = 50 // one fiftieth: 2 %
)

// Delta is the change of a p50 that nobody notices: 5 ms or 2 % of the larger p50, in nanoseconds.
func Delta(before, after int64) int64 {
	return max(int64(leastDelta), max(before, after)/deltaShare)
}

// judge turns the change of the p50 into a verdict.
func judge(c stats.Change, p float64, delta int64) Verdict {
	size := max(c.Delta, -c.Delta)
	switch {
	case c.Before.N < leastForVerdict || c.After.N < leastForVerdict:
		return TooFew
	case c.ExcludesZero() && size < delta:
		return Small
	case c.ExcludesZero() && c.Delta < 0:
		return Faster
	case c.ExcludesZero():
		return Slower
	case c.Complete() && c.Lo >= -delta && c.Hi <= delta:
		return Unchanged
	case p < significance && c.Delta != 0:
		return Probably
	}
	return Undecided
}
