package ledger

import "github.com/coldsplit/coldsplit/pkg/stats"

// Drift is what changed while the run went on.
type Drift struct {
	Before, After stats.Trend    // of each arm's total in send order
	Pairs         stats.Trend    // of the pairs' sums; interleaved runs
	OrderEffect   stats.RankTest // whether being sent first or second in a pair mattered; P 1 when not tested
	VIF           [2]float64     // variance inflation of each arm's p50
	Effective     [2]float64     // what each arm is worth in independent exchanges
}

func drift(l *laid, total stats.Change) Drift {
	d := Drift{
		Before: stats.TrendOf(l.before.Total), After: stats.TrendOf(l.after.Total),
		Pairs: stats.Trend{P: 1}, OrderEffect: stats.RankTest{P: 1},
	}
	for i, totals := range [][]int64{l.before.Total, l.after.Total} {
		s := stats.Correlation(totals, [2]int64{total.Before.Value, total.After.Value}[i])
		d.VIF[i], d.Effective[i] = s.VIF, s.Effective
	}
	if len(l.pairs) == 0 {
		return d
	}
	b, a := l.paired(l.before.Total, l.after.Total)
	sums, differences := make([]int64, len(b)), make([]int64, len(b))
	for i := range b {
		sums[i], differences[i] = b[i]+a[i], a[i]-b[i]
	}
	d.Pairs = stats.TrendOf(sums)
	d.OrderEffect = stats.OrderEffect(differences, l.beforeFirst())
	return d
}

// beforeFirst tells for every pair whether its before was sent first.
func (l *laid) beforeFirst() []bool {
	first := make([]bool, len(l.pairs))
	for i, p := range l.pairs {
		first[i] = l.arms[0].Seq.At(p[0]) < l.arms[1].Seq.At(p[1])
	}
	return first
}

// Trend is the trend of an interleaved run's pairs, or that of the arm that drifts more clearly.
func (d *Drift) Trend() stats.Trend {
	switch {
	case d.Pairs.P < 1:
		return d.Pairs
	case d.After.P < d.Before.P:
		return d.After
	}
	return d.Before
}

// Drifts reports whether a trend is beyond chance and large enough to matter: at a million exchanges
// a drift of nothing at all is beyond chance. Two separate runs are two chances.
func (d *Drift) Drifts() bool {
	if d.Pairs.P < 1 {
		return d.Pairs.P < significance && matters(d.Pairs)
	}
	return d.Before.P < significance/2 && matters(d.Before) || d.After.P < significance/2 && matters(d.After)
}

// matters holds a trend against the share of a p50 that nobody notices.
func matters(t stats.Trend) bool {
	change := max(t.Late-t.Early, t.Early-t.Late)
	return change >= max(t.Early, t.Late)/deltaShare
}

// correlatedFrom is the variance inflation from which it is told: the arm is worth half its
// exchanges. Below it chance does as much.
const correlatedFrom = 2

// Correlated reports whether the exchanges of arm 0 or 1 depend on each other enough to be told.
func (d *Drift) Correlated(arm int) bool { return d.VIF[arm] >= correlatedFrom }
