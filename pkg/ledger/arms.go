package ledger

import (
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// laid is the two arms along the same lines, and which of their rows were sent as pairs.
type laid struct {
	lines         []summary.Line
	before, after stats.Rows
	pairs         [][2]int32 // nil for separate runs
}

// lay puts both arms along lines. Without dns, the totals lose their dns as well.
func lay(before, after *reading.Arm, lines []summary.Line, fold Fold, interleaved bool) laid {
	l := laid{lines: lines, before: summary.Rows(before, lines), after: summary.Rows(after, lines)}
	if fold&WithoutDNS != 0 {
		l.before.Total = less(before.Totals(), before.Column(segment.DNS))
		l.after.Total = less(after.Totals(), after.Column(segment.DNS))
	}
	if interleaved {
		l.pairs = pairsOf(before, after)
	}
	return l
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

// pairsOf matches the rows of one round; a round in which an arm has no ok exchange makes no pair.
func pairsOf(before, after *reading.Arm) [][2]int32 {
	at := make(map[int32]int32, len(after.Pair))
	for i, round := range after.Pair {
		at[round] = int32(i)
	}
	pairs := make([][2]int32, 0, len(before.Pair))
	for i, round := range before.Pair {
		if j, ok := at[round]; ok {
			pairs = append(pairs, [2]int32{int32(i), j})
		}
	}
	return pairs
}

// paired gathers the pairs' values of one column of each arm.
func (l *laid) paired(before, after []int64) (b, a []int64) {
	b, a = make([]int64, len(l.pairs)), make([]int64, len(l.pairs))
	for i, p := range l.pairs {
		b[i], a[i] = before[p[0]], after[p[1]]
	}
	return b, a
}

// pairsForSignedRank is the number of pairs from which signed ranks are used: below it they cannot
// reach a small p.
const pairsForSignedRank = 10

// test asks whether a column moved: signed ranks of pairs from ten on, Mann-Whitney below and for
// separate runs.
func (l *laid) test(before, after []int64) stats.RankTest {
	if len(l.pairs) < pairsForSignedRank {
		return stats.MannWhitney(before, after)
	}
	return stats.SignedRank(l.differences(before, after))
}

func (l *laid) differences(before, after []int64) []int64 {
	b, a := l.paired(before, after)
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// changeOf is the change of a percentile with the interval the design of the run allows.
func (l *laid) changeOf(before, after []int64, p stats.Percentile) stats.Change {
	sb, sa := stats.Sorted(before), stats.Sorted(after)
	mb, ma := stats.QuantileOf(sb, p).Value, stats.QuantileOf(sa, p).Value
	if l.pairs == nil {
		return stats.ChangeOf(sb, sa, p, stats.ChangeOptions{
			BeforeVIF: stats.Correlation(before, mb).VIF, AfterVIF: stats.Correlation(after, ma).VIF,
		})
	}
	b, a := l.paired(before, after)
	return stats.ChangeOf(sb, sa, p, stats.ChangeOptions{Rho: stats.PairingTerm(b, a, mb, ma)})
}
