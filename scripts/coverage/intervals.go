package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

func percentileCoverage(effort int) table {
	sizes := []int{5, 6, 10, 25, 100, 400}
	t := table{
		title: "Limits of p50",
		note:  "Share of runs whose interval holds the true p50. Five requests claim 93.75 %, the rest 95 %.",
		head:  sizeHead("latencies", sizes),
	}
	for row, w := range []struct {
		name string
		draw world
	}{{"core 250 ms, sd 30", core}, {"7 % tail", tailed(core, 0.07)}, {"20 ms ticks", ticks}, {"two modes 55/45", modes(0.45)}} {
		truth := w.draw.truth(effort, stats.P50)[0]
		t.add(w.name, perSize(sizes, func(n int) float64 {
			return share(scaledRuns(4000, effort), seedOf(1, row, n), func(r *rand.Rand) bool {
				pi := stats.IntervalOf(w.draw.sorted(r, n), stats.P50)
				return pi.Complete() && pi.Contains(truth)
			})
		})...)
	}
	return t
}

func changeCoverage(effort int) table {
	sizes := []int{5, 10, 25, 100, 400}
	t := table{
		title: "Change of p50, two separate runs",
		note:  "Share of runs whose MOVER interval holds the true change; requests a side.",
		head:  sizeHead("change", sizes),
	}
	for row, w := range changes() {
		truth := w.after.truth(effort, stats.P50)[0] - w.before.truth(effort, stats.P50)[0]
		t.add(w.name, perSize(sizes, func(n int) float64 {
			return share(scaledRuns(4000, effort), seedOf(2, row, n), func(r *rand.Rand) bool {
				return holds(w.change(r, n, stats.P50), truth)
			})
		})...)
	}
	return t
}

func (w pairOfWorlds) change(r *rand.Rand, n int, p stats.Percentile) stats.Change {
	return stats.ChangeOf(w.before.sorted(r, n), w.after.sorted(r, n), p, stats.ChangeOptions{})
}

func holds(c stats.Change, truth int64) bool { return c.Complete() && c.Contains(truth) }

func tailChangeCoverage(effort int) table {
	t := table{
		title: "Change of p90 and p99, two separate runs",
		note:  "As above, at sizes where the limits exist (p90 from 36 requests a side, p99 from 368).",
		head:  []string{"change", "p90, 40", "p90, 100", "p90, 400", "p99, 400", "p99, 1000"},
	}
	cells := []struct {
		p stats.Percentile
		n int
	}{{stats.P90, 40}, {stats.P90, 100}, {stats.P90, 400}, {stats.P99, 400}, {stats.P99, 1000}}
	for row, w := range changes() {
		before, after := w.before.truth(effort, stats.P90, stats.P99), w.after.truth(effort, stats.P90, stats.P99)
		var out []string
		for _, cell := range cells {
			truth := after[0] - before[0]
			if cell.p == stats.P99 {
				truth = after[1] - before[1]
			}
			out = append(out, points(share(scaledRuns(1000, effort), seedOf(3, row, cell.n+int(cell.p)), func(r *rand.Rand) bool {
				return holds(w.change(r, cell.n, cell.p), truth)
			})))
		}
		t.add(w.name, out...)
	}
	return t
}

func ratioCoverage(effort int) table {
	sizes := []int{10, 25, 100}
	t := table{
		title: "Ratio of the p50s, two separate runs",
		note:  "Share of runs whose interval for after/before holds the true ratio; a relative limit is decided by it.",
		head:  sizeHead("change", sizes),
	}
	for row, w := range changes() {
		truth := float64(w.after.truth(effort, stats.P50)[0]) / float64(w.before.truth(effort, stats.P50)[0])
		t.add(w.name, perSize(sizes, func(n int) float64 {
			return share(scaledRuns(4000, effort), seedOf(4, row, n), func(r *rand.Rand) bool {
				ratio := w.change(r, n, stats.P50).Ratio()
				return ratio.HasInterval && ratio.Lo <= truth && truth <= ratio.Hi
			})
		})...)
	}
	return t
}

func sizeHead(first string, sizes []int) []string {
	head := []string{first}
	for _, n := range sizes {
		head = append(head, fmt.Sprintf("n = %d", n))
	}
	return head
}

func perSize(sizes []int, rate func(n int) float64) []string {
	cells := make([]string, len(sizes))
	for i, n := range sizes {
		cells[i] = points(rate(n))
	}
	return cells
}

// seedOf gives every cell a stream of its own.
func seedOf(table, row, column int) uint64 {
	return uint64(table)<<48 | uint64(row)<<32 | uint64(column)
}
