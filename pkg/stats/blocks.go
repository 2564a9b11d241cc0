package stats

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// blockCount is how many consecutive blocks stand for a long run. Their own
// wider windows would be biased (coverage .80), so each keeps the whole run's
// share.
const blockCount = 30

// blockReplicator draws the parts of a long run around their estimate, with
// the covariance that its blocks show. It draws in mirrored twos, which makes
// intervals symmetric about the estimate.
type blockReplicator struct {
	stream     *rand.Rand
	estimate   []float64
	deviations [][]float64 // of each block, scaled to the error of their mean
	mirrored   []float64   // the next replicate, nil if a new one is due
}

// newBlockReplicator cuts the rows named in sent, which are in send order,
// into blocks and splits each at p. One block at a time is copied: a whole run
// may be large.
func newBlockReplicator(rows Rows, sent []int32, split Split, p Percentile, stream *rand.PCG) *blockReplicator {
	r := &blockReplicator{stream: rand.New(stream), estimate: split.Parts}
	half := max(1, HalfWidth(split.N, split.Rank)/blockCount)
	mean := make([]float64, len(split.Parts))
	for block := range blockCount {
		from, to := block*len(sent)/blockCount, (block+1)*len(sent)/blockCount
		parts := rows.pick(sent[from:to]).splitWithin(p, half)
		for j, part := range parts {
			mean[j] += part / blockCount
		}
		r.deviations = append(r.deviations, parts)
	}
	r.center(mean)
	return r
}

// center scales so that a normal draw spreads like Student's t with 29
// degrees of freedom at the 95 % limits.
func (r *blockReplicator) center(mean []float64) {
	student := distuv.StudentsT{Sigma: 1, Nu: blockCount - 1}.Quantile(1 - alpha/2)
	scale := student / z975 / math.Sqrt(blockCount*(blockCount-1))
	for _, deviation := range r.deviations {
		for j := range deviation {
			deviation[j] = (deviation[j] - mean[j]) * scale
		}
	}
}

func (r *blockReplicator) next(parts []float64) {
	if r.mirrored != nil {
		copy(parts, r.mirrored)
		r.mirrored = nil
		return
	}
	clear(parts)
	for _, deviation := range r.deviations {
		g := r.stream.NormFloat64()
		for j, d := range deviation {
			parts[j] += g * d
		}
	}
	r.mirrored = make([]float64, len(parts))
	for j, center := range r.estimate {
		parts[j], r.mirrored[j] = center+parts[j], center-parts[j]
	}
}

// splitWithin is SplitAt with a narrower window.
func (r Rows) splitWithin(p Percentile, half int) []float64 {
	order := r.Order()
	rank := p.Rank(len(order))
	half = min(half, HalfWidth(len(order), rank))
	parts := make([]float64, len(r.Columns))
	r.fit(order, rank, half, make([]float64, 2*half+1), parts)
	return parts
}
