package report

import (
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// chainOf is what following redirects cost as a whole, nil when the run followed none or no walk got
// to its last hop. The hops of one walk share their sequence number; only whole walks count.
func chainOf(arms []*reading.Arm) *Chain {
	if len(arms) < 2 || arms[len(arms)-1].Route.Hop != len(arms)-1 {
		return nil
	}
	walks := map[int32]walk{}
	for _, a := range arms {
		totals := a.Totals()
		for i, total := range totals {
			seq := a.Seq.At(int32(i))
			w := walks[seq]
			walks[seq] = walk{w.hops + 1, w.total + total}
		}
	}
	var whole []int64
	for _, w := range walks {
		if w.hops == len(arms) {
			whole = append(whole, w.total)
		}
	}
	if len(whole) == 0 {
		return nil
	}
	return &Chain{Hops: len(arms), Total: stats.IntervalOf(stats.Sorted(whole), stats.P50)}
}

type walk struct {
	hops  int
	total int64
}
