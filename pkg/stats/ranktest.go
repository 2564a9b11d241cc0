package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Largest samples per side that are tested exactly; above them the normal
// approximation with tie correction and continuity is used. The exact test
// takes 5 ms at 50 against 50.
const (
	exactSide     = 50
	exactSideTies = 30
	exactPairs    = 100
)

// RankTest is the outcome of a two-sided rank test.
type RankTest struct {
	// Statistic is U, the number of (before, after) pairs in which after is
	// larger, ties counting half; for signed ranks V, the sum of the ranks of
	// the positive differences.
	Statistic float64
	P         float64 // in (0, 1]; 1 when nothing can be told
	Exact     bool
	// N counts what entered the test: both samples, or the nonzero differences.
	N int
}

// MannWhitney tests whether after tends to lie above or below before, by
// midranks and P(|R - E R| >= |r - E r|) over all ways to deal the ranks, as
// coin and exactRankTests define it. Three a side never reach .05; five a
// side reach 2/252. Inside interleaved pairs from 10 on use SignedRank: drift
// makes this test timid, alternating backends make it bold.
func MannWhitney(before, after []int64) RankTest {
	m, n := len(before), len(after)
	test := RankTest{P: 1, N: m + n}
	if m == 0 || n == 0 {
		return test
	}
	sum, ties := rankSum(Sorted(before), Sorted(after))
	test.Statistic = float64(sum-n*(n+1)) / 2
	if limit := exactLimit(ties.any()); m <= limit && n <= limit {
		ranks, _ := midranks(slices.Concat(before, after))
		test.P, test.Exact = dealtP(ranks, n, sum, ties.step()), true
		return test
	}
	test.P = normalMannWhitney(test.Statistic, m, n, ties)
	return test
}

func exactLimit(ties bool) int {
	if ties {
		return exactSideTies
	}
	return exactSide
}

// dealtP returns the share of all choices of n among the doubled midranks
// whose sum is at least as far from its mean as sum. All of them are multiples
// of step.
func dealtP(doubled []int, n, sum, step int) float64 {
	values := make([]int, len(doubled))
	for i, r := range doubled {
		values[i] = r / step
	}
	mean := n * (len(doubled) + 1)
	far, all := 0.0, 0.0
	for s, count := range choicesBySum(values, n) {
		all += count
		if abs(step*s-mean) >= abs(sum-mean) {
			far += count
		}
	}
	return min(1, far/all)
}

// choicesBySum counts, for every sum, the ways to choose n of the values.
// Counts are float64: they only ever add, so they keep 15 digits.
func choicesBySum(values []int, n int) []float64 {
	bound := largestSum(values, n)
	ways := make([][]float64, n+1)
	for k := range ways {
		ways[k] = make([]float64, bound+1)
	}
	ways[0][0] = 1
	top := make([]int, n+1) // highest sum reached with k values
	for seen, v := range values {
		for k := min(n, seen+1); k > 0; k-- {
			addShifted(ways[k], ways[k-1][:top[k-1]+1], v)
			top[k] = min(bound, max(top[k], top[k-1]+v))
		}
	}
	return ways[n]
}

func addShifted(into, from []float64, shift int) {
	into = into[min(shift, len(into)):]
	from = from[:min(len(from), len(into))]
	for i, count := range from {
		into[i] += count
	}
}

func largestSum(values []int, n int) int {
	sorted := make([]int64, len(values))
	for i, v := range values {
		sorted[i] = int64(v)
	}
	Sort(sorted)
	sum := 0
	for _, v := range sorted[len(sorted)-n:] {
		sum += int(v)
	}
	return sum
}

func normalMannWhitney(u float64, m, n int, ties tieSums) float64 {
	product, total := float64(m)*float64(n), float64(m+n)
	variance := product / 12 * (total + 1 - ties.cubic/(total*(total-1)))
	return normalP(u-product/2, variance)
}

// normalP is two-sided with a continuity correction of one half.
func normalP(distance, variance float64) float64 {
	if !(variance > 0) {
		return 1
	}
	z := max(0, math.Abs(distance)-0.5) / math.Sqrt(variance)
	return min(1, 2*distuv.UnitNormal.Survival(z))
}
