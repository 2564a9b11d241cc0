package main

import (
	"math"
	"math/rand/v2"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// route draws whole requests: seven segments with their own spread, and in a
// share of requests one slow segment.
type route struct {
	centers, spreads [7]float64 // milliseconds
	slow             float64
}

func farRoute() route {
	return route{
		centers: [7]float64{12, 38, 83, 58, 20, 289, 37},
		spreads: [7]float64{3, 2, 6, 4, 3, 20, 5},
		slow:    0.07,
	}
}

// movedRoute saved 225 ms upstream and lost 155 before forwarding.
func movedRoute() route {
	moved := farRoute()
	moved.centers[4], moved.spreads[4] = 175, 18
	moved.centers[5], moved.spreads[5] = 64, 6
	return moved
}

func (w route) rows(r *rand.Rand, n int) stats.Rows {
	rows := stats.Rows{Total: make([]int64, n), Columns: make([][]int64, len(w.centers))}
	for j := range rows.Columns {
		rows.Columns[j] = make([]int64, n)
	}
	for i := range n {
		slow := -1
		if r.Float64() < w.slow {
			slow = r.IntN(len(w.centers))
		}
		for j := range w.centers {
			v := w.segment(r, j, j == slow)
			rows.Columns[j][i] = v
			rows.Total[i] += v
		}
	}
	return rows
}

func (w route) segment(r *rand.Rand, j int, slow bool) int64 {
	v := math.Max(0, w.centers[j]+w.spreads[j]*r.NormFloat64())
	if slow {
		v += []float64{200, 1000}[r.IntN(2)]
	}
	return int64(v * millisecond)
}

// parts returns what the split at p50 estimates.
func (w route) parts(effort int) []float64 {
	rows := w.rows(rand.New(rand.NewPCG(2, 2)), scaledRuns(truthDraws, effort))
	return rows.SplitAt(rows.Order(), stats.P50).Parts
}

func pairs(n int) [][2]int32 {
	list := make([][2]int32, n)
	for i := range list {
		list[i] = [2]int32{int32(i), int32(i)}
	}
	return list
}
