package main

import (
	"math/rand/v2"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

const level = 0.05

// endToEndFindings counts intervals of the p50 change that exclude zero.
func endToEndFindings(effort int) table {
	sizes := []int{5, 10, 25, 100}
	t := table{
		title: "End to end: found, and found with the wrong sign",
		note:  "Core with a 7 % tail, separate runs. Found: the interval of the p50 change excludes zero (with no change, that is a false finding).",
		head:  append(sizeHead("true change", sizes), "wrong sign, n = 5", "n = 10", "n = 25", "n = 100"),
	}
	for row, change := range []struct {
		name string
		ms   float64
	}{{"none", 0}, {"-5 ms", -5}, {"-10 ms", -10}, {"-30 ms", -30}} {
		w := pairOfWorlds{before: tailed(core, 0.07), after: tailed(plus(core, change.ms), 0.07)}
		var found, wrong []string
		for _, n := range sizes {
			both := shares(scaledRuns(4000, effort), seedOf(9, row, n), 2, func(r *rand.Rand, came []bool) {
				c := w.change(r, n, stats.P50)
				came[0], came[1] = c.ExcludesZero(), c.ExcludesZero() && c.Lo > 0
			})
			found = append(found, points(both[0]))
			wrong = append(wrong, wrongSign(change.ms, both[1]))
		}
		t.add(change.name, append(found, wrong...)...)
	}
	return t
}

func wrongSign(change, share float64) string {
	if change == 0 {
		return "-"
	}
	return points(share)
}

// segmentFindings counts runs that confirm a segment: Holm over the seven and
// a ledger interval that excludes zero.
func segmentFindings(effort int) table {
	t := table{
		title: "Segments: any false confirmation of seven, and both true ones found",
		note:  "Confirmed: p below .05 after Holm (Mann-Whitney; signed rank from 10 pairs on) and the ledger interval excludes zero. Moved: -225 and +155 ms.",
		head:  []string{"requests a side", "false, nothing moved", "false, two moved", "both found", "false, in pairs"},
	}
	for row, n := range []int{5, 6, 10, 25, 50} {
		found := shares(scaledRuns(1000, effort), seedOf(10, row, n), 4, func(r *rand.Rand, came []bool) {
			before := farRoute().rows(r, n)
			same, moved := farRoute().rows(r, n), movedRoute().rows(r, n)
			came[0] = falselyConfirmed(confirmed(before, same, nil), false)
			set := confirmed(before, moved, nil)
			came[1], came[2] = falselyConfirmed(set, true), set[4] && set[5]
			came[3] = falselyConfirmed(confirmed(before, same, pairs(n)), false)
		})
		t.add([]string{"5", "6", "10", "25", "50"}[row], points(found[0]), points(found[1]), points(found[2]), points(found[3]))
	}
	return t
}

func falselyConfirmed(set []bool, moved bool) bool {
	for j, yes := range set {
		if yes && !(moved && (j == 4 || j == 5)) {
			return true
		}
	}
	return false
}

func confirmed(before, after stats.Rows, paired [][2]int32) []bool {
	ps := make([]float64, len(before.Columns))
	for j := range ps {
		ps[j] = segmentP(before.Columns[j], after.Columns[j], len(paired))
	}
	change := stats.SplitChangeOf(before, after, stats.P50, paired)
	set := make([]bool, len(ps))
	for j, p := range stats.Holm(ps) {
		set[j] = p < level && change.Interval(j).ExcludesZero()
	}
	return set
}

func segmentP(before, after []int64, pairs int) float64 {
	if pairs < 10 {
		return stats.MannWhitney(before, after).P
	}
	return stats.SignedRank(differences(before, after)).P
}

func differences(before, after []int64) []int64 {
	d := make([]int64, len(before))
	for i := range d {
		d[i] = after[i] - before[i]
	}
	return d
}

func rankTestSize(effort int) table {
	sizes := []int{5, 10, 25, 60}
	t := table{
		title: "Rank tests with no change",
		note:  "Share of runs with p below .05; 20 ms ticks are full of ties. Five pairs cannot go below .0625.",
		head:  sizeHead("test", sizes),
	}
	for row, test := range []struct {
		name string
		draw world
		p    func(before, after []int64) float64
	}{
		{"Mann-Whitney, core", core, func(b, a []int64) float64 { return stats.MannWhitney(b, a).P }},
		{"Mann-Whitney, ticks", ticks, func(b, a []int64) float64 { return stats.MannWhitney(b, a).P }},
		{"signed rank, core", core, func(b, a []int64) float64 { return stats.SignedRank(differences(b, a)).P }},
		{"signed rank, ticks", ticks, func(b, a []int64) float64 { return stats.SignedRank(differences(b, a)).P }},
	} {
		t.add(test.name, perSize(sizes, func(n int) float64 {
			return share(scaledRuns(2000, effort), seedOf(11, row, n), func(r *rand.Rand) bool {
				return test.p(test.draw.sample(r, n), test.draw.sample(r, n)) < level
			})
		})...)
	}
	return t
}

func selfComparisons(effort int) table {
	t := table{
		title: "A run compared with itself",
		note:  "1,000 runs of 25 requests each: share with any finding, end to end or in a segment.",
		head:  []string{"compared as", "any finding"},
	}
	for row, as := range []struct {
		name   string
		paired [][2]int32
	}{{"separate runs", nil}, {"pairs", pairs(25)}} {
		t.add(as.name, points(share(scaledRuns(1000, effort), seedOf(12, row, 0), func(r *rand.Rand) bool {
			rows := farRoute().rows(r, 25)
			c := pairedChange(rows.Total, rows.Total)
			return c.ExcludesZero() || falselyConfirmed(confirmed(rows, rows, as.paired), false)
		})))
	}
	return t
}
