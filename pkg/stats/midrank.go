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
