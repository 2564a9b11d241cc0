package main

import (
	"math/rand/v2"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

func ledgerCoverage(effort int) table {
	t := table{
		title: "Ledger at p50",
		note: "Share of runs whose interval for a segment's change holds the true one: lowest and mean of seven segments. " +
			"Two of them change by -225 and +155 ms; resampled up to 2,000 requests, 30 blocks at 3,000.",
		head: []string{"requests a side", "lowest", "mean"},
	}
	before, after := farRoute().parts(effort), movedRoute().parts(effort)
	for row, size := range []struct {
		name    string
		n, runs int
	}{{"5", 5, 1500}, {"25", 25, 1500}, {"100", 100, 1000}, {"400", 400, 400}, {"3000", 3000, 300}} {
		covered := shares(scaledRuns(size.runs, effort), seedOf(7, row, size.n), len(before), func(r *rand.Rand, came []bool) {
			c := stats.SplitChangeOf(farRoute().rows(r, size.n), movedRoute().rows(r, size.n), stats.P50, nil)
			for j := range came {
				came[j] = c.Interval(j).Contains(int64(after[j] - before[j]))
			}
		})
		lowest, mean := lowestAndMean(covered)
		t.add(size.name, points(lowest), points(mean))
	}
	return t
}

func lowestAndMean(shares []float64) (lowest, mean float64) {
	lowest = 1
	for _, s := range shares {
		lowest = min(lowest, s)
		mean += s / float64(len(shares))
	}
	return lowest, mean
}

func offsetCoverage(effort int) table {
	sizes := []int{6, 10, 25, 100}
	t := table{
		title: "Offset ratio",
		note:  "Share of runs whose interval holds the true ratio of the two moved segments (0.69); requests a side.",
		head:  sizeHead("set", sizes),
	}
	before, after := farRoute().parts(effort), movedRoute().parts(effort)
	truth := (after[4] - before[4]) / (before[5] - after[5])
	t.add("pre-forward, upstream", perSize(sizes, func(n int) float64 {
		return share(scaledRuns(1000, effort), seedOf(8, 0, n), func(r *rand.Rand) bool {
			o := stats.SplitChangeOf(farRoute().rows(r, n), movedRoute().rows(r, n), stats.P50, nil).Offset(4, 5)
			return o.HasInterval && o.Lo <= truth && truth <= o.Hi
		})
	})...)
	return t
}
