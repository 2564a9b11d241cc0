package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Trend tells whether a series in send order drifts.
type Trend struct {
	Tau float64 // Kendall's tau-b against send order, in -1..1; negative is faster
	P   float64 // two-sided, normal approximation with tie correction
	// Early and Late are the p50 of the first and of the last third, in
	// nanoseconds: the drift as something a reader can check.
	Early, Late int64
}

// TrendOf tests a series against its order (Kendall 1938; Knight's algorithm,
// n log n). An 80 ms drift on 30 ms of noise is found in 38 % of runs at 10
// observations and in 99 % at 50. A constant or shorter than two yields P 1.
func TrendOf(inSendOrder []int64) Trend {
	n := len(inSendOrder)
	trend := Trend{P: 1, Early: medianOf(inSendOrder[:(n+2)/3]), Late: medianOf(inSendOrder[n-(n+2)/3:])}
	_, ties := midranks(inSendOrder)
	size := float64(n)
	pairs := size * (size - 1) / 2
	if pairs-ties.pairs <= 0 {
		return trend
	}
	score := pairs - ties.pairs - 2*float64(inversions(inSendOrder))
	trend.Tau = score / math.Sqrt(pairs*(pairs-ties.pairs))
	variance := (size*(size-1)*(2*size+5) - ties.trend) / 18
	trend.P = min(1, 2*distuv.UnitNormal.Survival(math.Abs(score)/math.Sqrt(variance)))
	return trend
}

func medianOf(values []int64) int64 { return QuantileOf(Sorted(values), P50).Value }

// inversions counts i < j with values[i] > values[j] by merging.
func inversions(values []int64) int64 {
	from, to := append([]int64(nil), values...), make([]int64, len(values))
	var count int64
	for width := 1; width < len(values); width *= 2 {
		for start := 0; start < len(values); start += 2 * width {
			middle, end := min(start+width, len(values)), min(start+2*width, len(values))
			count += mergeCounting(to[start:end], from[start:middle], from[middle:end])
		}
		from, to = to, from
	}
	return count
}

func mergeCounting(to, left, right []int64) int64 {
	var count int64
	for i := range to {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			to[i], left = left[0], left[1:]
			continue
		}
		count += int64(len(left))
		to[i], right = right[0], right[1:]
	}
	return count
}

// OrderEffect tests whether being sent first or second in a pair matters: it
// compares the differences (after - before) of the pairs whose before went
// first with those whose after went first. A small P says that the first
// exchange warms something for the second, so the test was not cold.
func OrderEffect(differences []int64, beforeFirst []bool) RankTest {
	var first, second []int64
	for i := range min(len(differences), len(beforeFirst)) {
		if beforeFirst[i] {
			first = append(first, differences[i])
		} else {
			second = append(second, differences[i])
		}
	}
	return MannWhitney(first, second)
}
