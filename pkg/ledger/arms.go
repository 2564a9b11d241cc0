package ledger

import (
	"slices"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// laid is the two arms along the same leaves, the rows these add up to, and which of their
// exchanges were sent as pairs. A leaf that an arm does not have stands as zeros in it, so that a
// row of several leaves compares while each leaf keeps its own part of the percentile.
type laid struct {
	arms          [2]*reading.Arm
	fold          Fold
	rows          []summary.Line
	leaves        [][]int // of every row, the columns it adds up
	keys          []segment.Key
	own           [2][]segment.Key
	before, after stats.Rows
	pairs         [][2]int32 // nil for separate runs
	same          bool       // both arms hold the same exchanges
}

// lay puts both arms along the plan's rows. Without dns, the totals lose their dns as well.
func lay(p *planner, interleaved bool) *laid {
	l := &laid{arms: [2]*reading.Arm{p.before, p.after}, fold: p.fold, rows: p.rows, own: p.own}
	for _, row := range p.rows {
		var at []int
		for _, k := range row.Of {
			at = append(at, len(l.keys))
			l.keys = append(l.keys, k)
		}
		l.leaves = append(l.leaves, at)
	}
	l.before, l.after = l.rowsOf(0), l.rowsOf(1)
	if p.fold&WithoutDNS != 0 {
		l.before.Total = less(p.before.Totals(), p.before.Column(segment.DNS))
		l.after.Total = less(p.after.Totals(), p.after.Column(segment.DNS))
	}
	if interleaved {
		l.pairs = pairsOf(p.before, p.after)
	}
	return l
}

// follows reports whether l is what lay makes of p.
func (l *laid) follows(p *planner) bool {
	alike := func(a, b summary.Line) bool { return a.Key == b.Key && slices.Equal(a.Of, b.Of) }
	return l.fold == p.fold && slices.EqualFunc(l.rows, p.rows, alike) &&
		slices.Equal(l.own[0], p.own[0]) && slices.Equal(l.own[1], p.own[1])
}

// rowsOf lays one arm out along the leaves of both.
func (l *laid) rowsOf(arm int) stats.Rows {
	a := l.arms[arm]
	var lines []summary.Line
	for _, k := range l.own[arm] {
		lines = append(lines, summary.Line{Key: k, Of: []segment.Key{k}})
	}
	have := summary.Rows(a, lines)
	out := stats.Rows{Total: have.Total, Exempt: make([]bool, len(l.keys))}
	var none []int64
	for i, k := range l.keys {
		out.Exempt[i] = k == segment.WaitUnattributed
		at := slices.Index(l.own[arm], k)
		if at < 0 && none == nil {
			none = make([]int64, a.N())
		}
		if at < 0 {
			out.Columns = append(out.Columns, none)
			continue
		}
		out.Columns = append(out.Columns, have.Columns[at])
	}
	return out
}

func less(total, part reading.Column) []int64 {
	out := append([]int64(nil), total...)
	for i, v := range part {
		if v != reading.Absent {
			out[i] -= v
		}
	}
	return out
}

// column is what a row took in every exchange of an arm.
func (l *laid) column(rows stats.Rows, row int) []int64 {
	at := l.leaves[row]
	if len(at) == 1 {
		return rows.Columns[at[0]]
	}
	sum := make([]int64, len(rows.Total))
	for _, j := range at {
		for i, v := range rows.Columns[j] {
			sum[i] += v
		}
	}
	return sum
}

// sumAt adds up the entries of values that belong to the leaves of a row.
func (l *laid) sumAt(values []int64, row int) int64 {
	sum := int64(0)
	for _, j := range l.leaves[row] {
		sum += values[j]
	}
	return sum
}

// pairsOf matches the rows of one round; a round in which an arm has no ok exchange makes no pair.
func pairsOf(before, after *reading.Arm) [][2]int32 {
	b, a := byRound(before), byRound(after)
	pairs := make([][2]int32, 0, min(len(b), len(a)))
	for i, j := 0, 0; i < len(b) && j < len(a); {
		switch rb, ra := before.Pair.At(b[i]), after.Pair.At(a[j]); {
		case rb < ra:
			i++
		case rb > ra:
			j++
		default:
			pairs = append(pairs, [2]int32{b[i], a[j]})
			i, j = i+1, j+1
		}
	}
	return pairs
}

// byRound lists the rows of an arm by round; a run writes them in that order already.
func byRound(a *reading.Arm) []int32 {
	rows := make([]int32, a.Pair.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	if !a.Pair.Ascending() {
		slices.SortStableFunc(rows, func(x, y int32) int { return int(a.Pair.At(x)) - int(a.Pair.At(y)) })
	}
	return rows
}

// paired gathers the pairs' values of one column of each arm; a pair in which an arm has no value
// is left out.
func (l *laid) paired(before, after []int64) (b, a []int64) {
	b, a = make([]int64, 0, len(l.pairs)), make([]int64, 0, len(l.pairs))
	for _, p := range l.pairs {
		x, y := before[p[0]], after[p[1]]
		if x != reading.Absent && y != reading.Absent {
			b, a = append(b, x), append(a, y)
		}
	}
	return b, a
}

// pairsForSignedRank is the number of pairs from which signed ranks are used: below it they cannot
// reach a small p.
const pairsForSignedRank = 10

// test asks whether a column moved: signed ranks of pairs from ten on, Mann-Whitney below and for
// separate runs. faster tells that the ranks point down.
func (l *laid) test(before, after []int64) (t stats.RankTest, faster bool) {
	if len(l.pairs) < pairsForSignedRank {
		t = stats.MannWhitney(before, after)
		return t, t.Statistic < float64(len(before))*float64(len(after))/2
	}
	t = stats.SignedRank(l.differences(before, after))
	n := float64(t.N)
	return t, t.Statistic < n*(n+1)/4
}

func (l *laid) differences(before, after []int64) []int64 {
	b, a := l.paired(before, after)
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// totalChanges are the changes of percentiles of total.
func (l *laid) totalChanges(ps ...stats.Percentile) []stats.Change {
	before, after := stats.Sorted(l.before.Total), stats.Sorted(l.after.Total)
	out := make([]stats.Change, len(ps))
	for i, p := range ps {
		out[i] = l.changeOf(l.before.Total, l.after.Total, before, after, p)
	}
	return out
}

// sortedOf are the values of a column that are not absent, ascending.
func sortedOf(column reading.Column) []int64 {
	values := column.Present()
	stats.Sort(values)
	return values
}

// changeOf is the change of a percentile with the interval the design of the run allows. Columns
// may hold absent values; the sorted ones hold none. The same exchanges on both sides differ by 0
// whatever was sampled.
func (l *laid) changeOf(before, after, sortedBefore, sortedAfter []int64, p stats.Percentile) stats.Change {
	mb, ma := stats.QuantileOf(sortedBefore, p).Value, stats.QuantileOf(sortedAfter, p).Value
	switch {
	case l.same:
		c := stats.ChangeOf(sortedBefore, sortedAfter, p, stats.ChangeOptions{})
		c.Lo, c.Hi = 0, 0
		return c
	case l.pairs != nil:
		b, a := l.paired(before, after)
		return stats.ChangeOf(sortedBefore, sortedAfter, p, stats.ChangeOptions{Rho: stats.PairingTerm(b, a, mb, ma)})
	}
	sb, sa := serial(before, mb), serial(after, ma)
	c := stats.ChangeOf(sortedBefore, sortedAfter, p, stats.ChangeOptions{BeforeVIF: sb.VIF, AfterVIF: sa.VIF})
	if tooCorrelated(len(sortedBefore), sb) || tooCorrelated(len(sortedAfter), sa) {
		c.Interval, c.Before.Interval, c.After.Interval = stats.Interval{}, stats.Interval{}, stats.Interval{}
	}
	return c
}

// serial measures the correlation of a column in send order, absent values left out.
func serial(column []int64, level int64) stats.Serial {
	if slices.Contains(column, reading.Absent) {
		column = reading.Column(column).Present()
	}
	return stats.Correlation(column, level)
}

const (
	// leastEffective is the effective n below which correlated exchanges allow no interval.
	leastEffective = 6
	// leastForCorrelation is the n from which the correlation itself can be told from luck.
	leastForCorrelation = 2 * leastEffective
)

// tooCorrelated reports whether n exchanges are worth too few independent ones for an interval.
func tooCorrelated(n int, s stats.Serial) bool {
	return n >= leastForCorrelation && s.Effective < leastEffective
}
