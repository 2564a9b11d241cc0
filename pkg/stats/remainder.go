package stats

import (
	"cmp"
	"math"
	"slices"
)

// snap is what rounding may have taken from a whole number.
const snap = 1e-9

// LargestRemainder rounds values to integers that sum exactly to total: each
// is floored, and the missing units go to the largest fractions, ties to the
// earlier value. So a reader with a pencil can add a column up. Values whose
// sum is not near total are adjusted evenly. A value that is not a number
// counts as 0; without values there is nothing to hold the total.
func LargestRemainder(values []float64, total int64) []int64 {
	whole := make([]int64, len(values))
	fractions := make([]float64, len(values))
	missing := total
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = 0
		}
		floor := math.Floor(v + snap*max(1, math.Abs(v)*1e-6))
		whole[i], fractions[i] = int64(floor), v-floor
		missing -= whole[i]
	}
	if len(values) == 0 {
		return whole
	}
	every := floorDiv(missing, int64(len(values)))
	extra := missing - every*int64(len(values))
	for at, i := range byFraction(fractions) {
		whole[i] += every
		if int64(at) < extra {
			whole[i]++
		}
	}
	return whole
}

func byFraction(fractions []float64) []int {
	order := make([]int, len(fractions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fractions[b], fractions[a]) })
	return order
}

func floorDiv(a, b int64) int64 {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}
