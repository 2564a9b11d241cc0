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
	Correlated                   // separate runs whose exchanges depend on each other too much for an interval
	Faster
	Slower
	Small     // real, and less than anybody notices
	Probably  // direction by the rank test, size not pinned down
	Unchanged // within delta
	Undecided // anything is possible within the interval
)

var verdictNames = [...]string{"too_few", "not_comparable", "too_correlated", "faster", "slower", "below_notice",
	"probably", "unchanged", "undecided"}

// String is the word JSON carries.
func (v Verdict) String() string { return verdictNames[v] }

// leastForVerdict is the n below which an arm's p50 has no interval of any use.
const leastForVerdict = 5

// leastDelta and deltaShare are what nobody notices.
const (
	leastDelta = 5 * time.Millisecond
	deltaShare = 50 // one fiftieth: 2 %
)

// Delta is the change of a p50 that nobody notices: 5 ms or 2 % of the larger p50, in nanoseconds.
func Delta(before, after int64) int64 {
	return max(int64(leastDelta), max(before, after)/deltaShare)
}

// judge turns the change of the p50 into a verdict. A direction that the rank test sees and the
// p50s contradict is none.
func judge(c stats.Change, t stats.RankTest, fasterByRank bool, delta int64) Verdict {
	size := max(c.Delta, -c.Delta)
	switch {
	case c.Before.N < leastForVerdict || c.After.N < leastForVerdict:
		return TooFew
	case !c.Complete():
		return Correlated
	case c.ExcludesZero() && size < delta:
		return Small
	case c.ExcludesZero() && c.Delta < 0:
		return Faster
	case c.ExcludesZero():
		return Slower
	case c.Lo >= -delta && c.Hi <= delta:
		return Unchanged
	case t.P < significance && c.Delta != 0 && fasterByRank == (c.Delta < 0):
		return Probably
	}
	return Undecided
}
