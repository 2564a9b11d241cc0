package stats

import "slices"

const (
	// resamples gives a limit to within about 6 % of the standard error.
	resamples = 2000
	// resampleUpTo is the longest run that is resampled row by row (124 ms);
	// longer ones are cut into blocks.
	resampleUpTo = 2000
	// fewestRows is where intervals begin.
	fewestRows = 5
)

// SplitChange is how the split of a percentile changed between two arms, with
// the joint uncertainty of its columns. Simulated coverage of its intervals is
// .93 to .99 at p50; at p90 it is not to be trusted (.12 to 1.0 in mixtures):
// take two SplitAt there.
type SplitChange struct {
	Before, After Split
	// changes[j] holds the change of column j in every replicate; nil when
	// either arm has fewer than five rows.
	changes [][]float64
}

// SplitChangeOf splits the p-th percentile of both arms, which have the same
// columns. pairs names the rows of before and after that were sent as one
// pair, in send order and each row at most once; nil for separate runs. Rows
// without a partner count as well.
//
// Up to 2,000 rows an arm (or pairs) the uncertainty comes from 2,000
// resamples of whole rows (of whole pairs), above from 30 consecutive blocks
// in send order. Streams are seeded by the content of each arm: the same arms
// give the same result, and swapping them mirrors it exactly. Up to 2,000 rows
// their order does not matter, apart from ties between pairs.
func SplitChangeOf(before, after Rows, p Percentile, pairs [][2]int32) *SplitChange {
	arms := [2]arm{newArm(before, p), newArm(after, p)}
	c := &SplitChange{Before: arms[0].split, After: arms[1].split}
	columns := len(before.Columns)
	if min(c.Before.N, c.After.N) < fewestRows || columns == 0 || columns != len(after.Columns) {
		return c
	}
	c.changes = replicate(replicators(arms, p, pairs), columns)
	return c
}

// arm is one side with what the replicates share.
type arm struct {
	rows   Rows
	order  []int32
	hashes []uint64
	split  Split
}

func newArm(rows Rows, p Percentile) arm {
	order := rows.Order()
	return arm{rows: rows, order: order, hashes: rows.rowHashes(), split: rows.SplitAt(order, p)}
}

// replicator yields one set of parts after another.
type replicator interface{ next(parts []float64) }

func replicate(sides [2]replicator, columns int) [][]float64 {
	changes := make([][]float64, columns)
	for j := range changes {
		changes[j] = make([]float64, resamples)
	}
	before, after := make([]float64, columns), make([]float64, columns)
	for b := range resamples {
		sides[0].next(before)
		sides[1].next(after)
		for j := range changes {
			changes[j][b] = after[j] - before[j]
		}
	}
	return changes
}

// Delta returns the change of the columns' sum, in nanoseconds; of all columns
// when none is named, which is the change of the percentile.
func (c *SplitChange) Delta(columns ...int) float64 {
	if len(columns) == 0 {
		return float64(c.After.Value - c.Before.Value)
	}
	sum := 0.0
	for _, j := range columns {
		sum += c.After.Parts[j] - c.Before.Parts[j]
	}
	return sum
}

// Interval returns the 95 % limits of the change of the columns' sum, of all
// columns when none is named. For the total the interval of ChangeOf is the
// one to print.
func (c *SplitChange) Interval(columns ...int) Interval {
	if c.changes == nil {
		return Interval{}
	}
	sums := make([]float64, resamples)
	for j := range c.changes {
		if len(columns) > 0 && !slices.Contains(columns, j) {
			continue
		}
		for b, change := range c.changes[j] {
			sums[b] += change
		}
	}
	lo, hi := middle95(sums)
	return Interval{Lo: round(lo), Hi: round(hi), HasLo: true, HasHi: true, Confidence: Level}
}

// middle95 sorts values and cuts 2.5 % off either end.
func middle95(values []float64) (lo, hi float64) {
	slices.Sort(values)
	cut := int(alpha / 2 * float64(len(values)+1))
	return values[cut-1], values[len(values)-cut]
}

// Offset is the share of the gross gain that losses ate.
type Offset struct {
	Gain, Loss float64 // nanoseconds, both positive
	// Value is Loss/Gain; above 1 the change cost more than it saved. HasValue
	// is false when nothing was gained.
	Value    float64
	HasValue bool
	// Lo and Hi are its 95 % limits from the same replicates, with the set of
	// columns held fixed.
	Lo, Hi      float64
	HasInterval bool
}

// Offset returns the offset ratio over the named columns: the confirmed ones,
// never all of them, or pure noise would read as a loss of 100 %.
func (c *SplitChange) Offset(confirmed ...int) Offset {
	var o Offset
	for _, j := range confirmed {
		o.Gain += max(0, -c.Delta(j))
		o.Loss += max(0, c.Delta(j))
	}
	if o.Gain == 0 {
		return o
	}
	o.Value, o.HasValue = o.Loss/o.Gain, true
	if c.changes == nil {
		return o
	}
	ratios := make([]float64, 0, resamples)
	for b := range resamples {
		gain, loss := c.grossAt(b, confirmed)
		if gain <= 0 {
			return o
		}
		ratios = append(ratios, loss/gain)
	}
	o.Lo, o.Hi = middle95(ratios)
	o.HasInterval = true
	return o
}

// grossAt books each column on the side where the estimate has it.
func (c *SplitChange) grossAt(replicate int, confirmed []int) (gain, loss float64) {
	for _, j := range confirmed {
		if c.Delta(j) < 0 {
			gain -= c.changes[j][replicate]
		} else {
			loss += c.changes[j][replicate]
		}
	}
	return gain, loss
}
