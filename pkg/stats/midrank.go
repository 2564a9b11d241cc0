package stats

// tieSums are the tie corrections of a sample's ranks.
type tieSums struct {
	pairs float64 // sum of t(t-1)/2 over groups of t equal values
	cubic float64 // sum of t^3 - t
	trend float64 // sum of t(t-1)(2t+5), for Kendall's variance
}

func (t tieSums) any() bool { return t.pairs > 0 }

// step divides every doubled midrank: without ties they are all even.
func (t tieSums) step() int {
	if t.any() {
		return 1
	}
	return 2
}

func (t *tieSums) add(group int) {
	size := float64(group)
	t.pairs += size * (size - 1) / 2
	t.cubic += size * (size*size - 1)
	t.trend += size * (size - 1) * (2*size + 5)
}

// midranks returns twice the midrank of each value: an integer also for ties.
func midranks(values []int64) ([]int, tieSums) {
	order := OrderOf(values)
	ranks := make([]int, len(values))
	var ties tieSums
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = from + 1 + to
		}
		ties.add(to - from)
		from = to
	}
	return ranks, ties
}

// rankSum returns twice the sum of the midranks that the values of after have
// among both samples. Both are sorted: a million values a side are ranked
// without a place for each.
func rankSum(before, after []int64) (sum int, ties tieSums) {
	for b, a := 0, 0; b < len(before) || a < len(after); {
		value := smallest(before[b:], after[a:])
		first := b + a
		for b < len(before) && before[b] == value {
			b++
		}
		from := a
		for a < len(after) && after[a] == value {
			a++
		}
		sum += (a - from) * (first + 1 + b + a)
		ties.add(b + a - first)
	}
	return sum, ties
}

// smallest is the least of two sorted samples, not both empty.
func smallest(a, b []int64) int64 {
	switch {
	case len(a) == 0:
		return b[0]
	case len(b) == 0:
		return a[0]
	}
	return min(a[0], b[0])
}
