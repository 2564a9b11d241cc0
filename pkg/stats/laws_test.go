package stats

import "math/rand/v2"

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// randomSample mixes smooth, tied, constant and heavy-tailed values, in
// nanoseconds.
func randomSample(r *rand.Rand, n int) []int64 {
	kind := r.IntN(4)
	x := make([]int64, n)
	for i := range x {
		switch kind {
		case 0:
			x[i] = 250e6 + int64(30e6*r.NormFloat64())
		case 1:
			x[i] = 20e6 * int64(r.IntN(5))
		case 2:
			x[i] = 7
		default:
			x[i] = int64(1e8 / (1.001 - r.Float64()))
		}
	}
	return x
}

// randomRows has columns that tile their total, one of which may be negative.
func randomRows(r *rand.Rand, n, columns int) Rows {
	rows := Rows{Total: make([]int64, n), Columns: make([][]int64, columns), Exempt: make([]bool, columns)}
	for j := range rows.Columns {
		rows.Columns[j] = randomSample(r, n)
		for i, v := range rows.Columns[j] {
			if j == 0 {
				v -= 100e6
				rows.Columns[j][i] = v
			}
			rows.Total[i] += v
		}
	}
	rows.Exempt[0] = true
	return rows
}
