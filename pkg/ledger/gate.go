package ledger

import (
	"fmt"
	"math"
	"slices"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// GateOutcome is what became of one rule.
type GateOutcome uint8

// The outcomes of a rule, the worst last.
const (
	Holds         GateOutcome = iota // the whole interval is within the limit
	GateUndecided                    // the limit lies inside the interval, or there is none
	Crossed                          // the whole interval is beyond the limit
	NotRun                           // there is nothing to hold the rule against
)

var gateNames = [...]string{"holds", "undecided", "crossed", "not run"}

// String is the first word of the rule's line.
func (o GateOutcome) String() string { return gateNames[o] }

// GateResult is one rule held against a comparison. Value and its limits are ratios minus one for
// Relative, shares for Share, and nanoseconds otherwise.
type GateResult struct {
	Rule
	Outcome            GateOutcome
	Value, Lo, Hi      float64
	HasValue, Interval bool
	Confidence         float64
	Needed             int    // requests an arm that would likely settle it; 0 when unknown
	Why                string // for an undecided or not run rule: what is missing; "" when the interval spans the limit
	Blame              *Entry // for a crossed one: the row that carries more than half of it; nil when none does
}

// Gate holds rules against the comparison, in their order.
func (c *Comparison) Gate(rules []Rule) []GateResult {
	out := make([]GateResult, len(rules))
	for i, r := range rules {
		out[i] = c.gate(r)
	}
	return out
}

// Worst is the outcome that decides the exit code: not run before crossed before undecided.
func Worst(results []GateResult) GateOutcome {
	worst := Holds
	for _, r := range results {
		worst = max(worst, r.Outcome)
	}
	return worst
}

func (c *Comparison) gate(r Rule) GateResult {
	if r.Kind == Share {
		return c.gateShare(r)
	}
	change, why := c.changeFor(r)
	if why != "" {
		return GateResult{Rule: r, Outcome: NotRun, Why: why}
	}
	g := measured(r, change)
	if g.Outcome == Crossed {
		g.Blame = c.blame(r, change)
	}
	return g
}

// changeFor is the change the rule speaks of, or why there is none.
func (c *Comparison) changeFor(r Rule) (stats.Change, string) {
	switch {
	case c.l == nil:
		return stats.Change{}, "an arm has no ok exchange"
	case r.Kind != Level && c.Verdict == NotComparable:
		return stats.Change{}, "the two runs are not comparable"
	}
	change, ok := c.ChangeOf(r.Key, r.Percentile)
	if !ok && (r.Kind != Level || change.After.N == 0) {
		return stats.Change{}, fmt.Sprintf("%s is not known of both arms", r.Key)
	}
	return change, ""
}

// ChangeOf is the change of any percentile of any segment, false when an arm does not have it. The
// sides are filled as far as they are known.
func (c *Comparison) ChangeOf(k segment.Key, p stats.Percentile) (stats.Change, bool) {
	if c.l == nil {
		return stats.Change{}, false
	}
	if k == segment.Total {
		return c.totalChange(p), true
	}
	before, after := c.l.values(0, k), c.l.values(1, k)
	sb, sa := sortedOf(before), sortedOf(after)
	if len(before) == 0 || len(after) == 0 {
		return stats.ChangeOf(sb, sa, p, stats.ChangeOptions{}), false
	}
	return c.l.changeOf(before, after, sb, sa, p), true
}

// totalChange is the change of any percentile of total.
func (c *Comparison) totalChange(p stats.Percentile) stats.Change {
	if i := slices.Index(summary.Percentiles[:], p); i >= 0 {
		return c.Percentiles[i]
	}
	return c.l.totalChanges(p)[0]
}

// ChangesOf is ChangeOf for all of [summary.Percentiles], in their order, sorting each arm once.
func (c *Comparison) ChangesOf(k segment.Key) (changes [len(summary.Percentiles)]stats.Change, ok bool) {
	if c.l == nil {
		return changes, false
	}
	if k == segment.Total {
		return c.Percentiles, true
	}
	before, after := c.l.values(0, k), c.l.values(1, k)
	sb, sa := sortedOf(before), sortedOf(after)
	if len(sb) == 0 || len(sa) == 0 {
		return changes, false
	}
	for i, p := range summary.Percentiles {
		changes[i] = c.l.changeOf(before, after, sb, sa, p)
	}
	return changes, true
}

// values is one segment of every exchange of an arm, nil when it has none. What is unattributed is
// what the rows of the ledger leave of wait.
func (l *laid) values(arm int, k segment.Key) reading.Column {
	if k != segment.WaitUnattributed {
		return l.arms[arm].Column(k)
	}
	for i, row := range l.rows {
		if row.Key == k {
			return l.column([]stats.Rows{l.before, l.after}[arm], i)
		}
	}
	return nil
}

// measured compares a change with the limit of a rule on it.
func measured(r Rule, change stats.Change) GateResult {
	g := GateResult{Rule: r, HasValue: true}
	limit := float64(r.Duration)
	n := min(change.Before.N, change.After.N)
	switch r.Kind {
	case Relative:
		ratio := change.Ratio()
		g.Value, g.Lo, g.Hi, limit = ratio.Value-1, ratio.Lo-1, ratio.Hi-1, r.Share
		g.HasValue, g.Interval, g.Confidence = ratio.HasValue, ratio.HasInterval, change.Confidence
	case Absolute:
		g.Value, g.Lo, g.Hi = float64(change.Delta), float64(change.Lo), float64(change.Hi)
		g.Interval, g.Confidence = change.Complete(), change.Confidence
	case Level:
		after := change.After
		g.Value, g.Lo, g.Hi = float64(after.Value), float64(after.Lo), float64(after.Hi)
		g.Interval, g.Confidence, n = after.Complete(), after.Confidence, after.N
	}
	g.decide(limit, n)
	return g
}

// decide settles the rule when the whole interval lies on one side of the limit.
func (g *GateResult) decide(limit float64, n int) {
	g.Outcome = GateUndecided
	switch {
	case !g.Interval && n < g.Percentile.IntervalFrom():
		g.Why, g.Needed = fmt.Sprintf("%s of %d has no interval", g.Percentile, n), g.Percentile.IntervalFrom()
	case !g.Interval:
		g.Why = fmt.Sprintf("%s has no interval here", g.Percentile)
	case g.Hi <= limit:
		g.Outcome = Holds
	case g.Lo > limit:
		g.Outcome = Crossed
	case g.Value > limit:
		g.Needed = toSettle(g.Value-limit, g.Value-g.Lo, n)
	default:
		g.Needed = toSettle(limit-g.Value, g.Hi-g.Value, n)
	}
}

// powered widens a 95 % half width to what 80 % power takes: (1.960 + 0.842) / 1.960.
const powered = 1.43

// mostNeeded is the number of requests above which none is a plan.
const mostNeeded = 100_000

// toSettle is how many requests an arm shrink the half width until the limit lies outside of it in
// 80 % of runs; widths shrink with the root of n. 0 when no number is a plan.
func toSettle(distance, half float64, n int) int {
	factor := powered * half / distance
	needed := float64(n) * factor * factor
	if math.IsNaN(needed) || needed > mostNeeded {
		return 0
	}
	return max(tens(needed), tens(float64(n+1)))
}

func (c *Comparison) gateShare(r Rule) GateResult {
	counts := c.After.Arm.Counts
	k, n := counts.Failed, asked(counts)
	if r.Outcome == record.Throttled {
		k = counts.Throttled
	}
	g := GateResult{Rule: r, Outcome: GateUndecided, Confidence: stats.Level}
	if n == 0 {
		g.Outcome, g.Why = NotRun, "nothing was sent on after"
		return g
	}
	g.Value, g.HasValue, g.Interval = float64(k)/float64(n), true, true
	g.Lo, g.Hi = stats.ClopperPearson(k, n)
	switch {
	case g.Hi <= r.Share:
		g.Outcome = Holds
	case g.Lo > r.Share:
		g.Outcome = Crossed
	default:
		g.Needed = shareNeeded(g.Value, r.Share, n)
	}
	return g
}

// shareNeeded is the first n, in steps of a tenth, at which a share like this one would be settled.
func shareNeeded(share, limit float64, n int) int {
	for ; n <= mostNeeded; n += max(1, n/10) {
		lo, hi := stats.ClopperPearson(int(math.Round(share*float64(n))), n)
		if hi <= limit || lo > limit {
			return tens(float64(n))
		}
	}
	return 0
}
