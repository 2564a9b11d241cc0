package ledger

import "github.com/coldsplit/coldsplit/pkg/stats"

// Drift is what changed while the run went on.
type Drift struct {
	Before, After stats.Trend    // of each arm's total in send order
	Pairs         stats.Trend    // of the pairs' sums; interleaved runs
	OrderEffect   stats.RankTest // whether being sent first or second in a pair mattered; P 1 when not tested
	VIF           [2]float64     // variance inflation of each arm; separate runs
	Effective     [2]float64     // what each arm is worth in independent exchanges; separate runs
}

func drift(l *laid) Drift {
	d := Drift{
		Before: stats.TrendOf(l.before.Total), After: stats.TrendOf(l.after.Total),
		Pairs: stats.Trend{P: 1}, OrderEffect: stats.RankTest{P: 1},
	}
	for i, totals := range [][]int64{l.before.Total, l.after.Total} {
		s := stats.Correlation(totals, stats.QuantileOf(stats.Sorted(totals), stats.P50).Value)
		d.VIF[i], d.Effective[i] = s.VIF, s.Effective
	}
	if l.pairs == nil {
		return d
	}
	b, a := l.paired(l.before.Total, l.after.Total)
	sums := make([]int64, len(b))
	for i := range b {
		sums[i] = b[i] + a[i]
	}
	d.Pairs = stats.TrendOf(sums)
	return d
}

// Drifts reports whether the run drifted beyond chance.
func (d *Drift) Drifts() bool {
	return d.Pairs.P < significance || d.Before.P < significance && d.After.P < significance
}
