package stats

import (
	"math/bits"
	"math/rand/v2"
)

// rowResampler draws whole rows of one arm with replacement and splits each
// draw like the arm itself. rows are in canonical order, so a draw is a vector
// of counts and is never sorted.
type rowResampler struct {
	rows    Rows
	rank    int
	half    int
	draws   []drawGroup
	counts  []int32
	drawn   []int32 // rows by rank, repeated as often as drawn
	weights []float64
}

// drawGroup is a set of rows that are exchanged for one another. Two arms
// that share pairs hold them at the same places of a group each, drawn from
// streams of the same seed: then whole pairs are drawn.
type drawGroup struct {
	stream *rand.PCG
	rows   []int32 // positions in canonical order
}

func newRowResampler(rows Rows, split Split, draws []drawGroup) *rowResampler {
	return &rowResampler{
		rows: rows, draws: draws,
		rank: split.Rank, half: HalfWidth(split.N, split.Rank),
		counts: make([]int32, split.N), drawn: make([]int32, 0, split.N),
		weights: make([]float64, split.N),
	}
}

// next fills in the parts of the next resample.
func (r *rowResampler) next(parts []float64) {
	clear(r.counts)
	for _, group := range r.draws {
		group.draw(r.counts)
	}
	r.drawn = r.drawn[:0]
	for row, count := range r.counts {
		for range count {
			r.drawn = append(r.drawn, int32(row))
		}
		if len(r.drawn) >= r.rank+r.half {
			break
		}
	}
	r.rows.fit(r.drawn, r.rank, r.half, r.weights, parts)
}

func (g drawGroup) draw(counts []int32) {
	size := uint64(len(g.rows))
	for range size {
		at, _ := bits.Mul64(g.stream.Uint64(), size)
		counts[g.rows[at]]++
	}
}
