package stats

import "math"

// Split tells how a row that took exactly the percentile spends its time, read
// from the rows closest to it: a straight line of each column against the
// total, fitted to a window of ranks around the percentile and read there.
// It estimates E[column | total = percentile] (the Euler allocation: Tasche
// 1999) and switches outliers off by itself. It describes the typical row,
// which after a change may be another one than before.
type Split struct {
	Quantile
	// Half is the window's half width in ranks; the window holds 2*Half+1 rows.
	Half int
	// Weights belong to the rows at ranks Rank-Half..Rank+Half and sum to 1.
	Weights []float64
	// Parts has one entry per column, in nanoseconds; they sum to Value, to
	// within a millionth of a nanosecond. Whole gives integers.
	Parts []float64
}

// Whole returns the parts in whole nanoseconds that sum exactly to Value.
func (s Split) Whole() []int64 { return LargestRemainder(s.Parts, s.Value) }

// HalfWidth returns the half width of the window around a rank among n rows,
// n below 2^31: floor(n^(2/3)), but half the distance to the nearer end at
// most, so that the window never leans on one extreme.
func HalfWidth(n, rank int) int {
	half := int(math.Cbrt(float64(n) * float64(n)))
	for half*half*half > n*n {
		half--
	}
	for (half+1)*(half+1)*(half+1) <= n*n {
		half++
	}
	return max(0, min(half, (rank-1)/2, (n-rank)/2))
}

// SplitAt returns the split of the p-th percentile of the total. order comes
// from Order. The window shrinks until the part of every column that is not
// exempt lies within what that column took inside the window: a line steeper
// than its rows would invent times nobody saw, even negative ones.
func (r Rows) SplitAt(order []int32, p Percentile) Split {
	n := len(order)
	split := Split{Quantile: Quantile{Rank: p.Rank(n), N: n}, Parts: make([]float64, len(r.Columns))}
	if n == 0 {
		return split
	}
	split.Value = r.Total[order[split.Rank-1]]
	split.Half = HalfWidth(n, split.Rank)
	split.Weights = make([]float64, 2*split.Half+1)
	split.Half = r.fit(order, split.Rank, split.Half, split.Weights, split.Parts)
	split.Weights = split.Weights[:2*split.Half+1]
	return split
}

// fit fills weights and parts from the largest window that satisfies the
// range rule and returns its half width. Wide windows shrink by a sixteenth at
// a time, which keeps a million rows linear.
func (r Rows) fit(order []int32, rank, half int, weights, parts []float64) int {
	for {
		window := order[rank-1-half : rank+half]
		positive := r.line(window, weights)
		r.parts(window, weights, parts)
		if positive || half == 0 || r.withinRange(window, parts) {
			return half
		}
		half -= max(1, half/16)
	}
}

// line fills in the weights of the straight line through the window, read at
// the total of its middle row, and reports whether none is negative.
func (r Rows) line(window []int32, weights []float64) bool {
	size, middle := float64(len(window)), r.Total[window[len(window)/2]]
	mean := 0.0
	for _, i := range window {
		mean += float64(r.Total[i] - middle)
	}
	mean /= size
	spread := 0.0
	for _, i := range window {
		off := float64(r.Total[i]-middle) - mean
		spread += off * off
	}
	tilt := 0.0
	if spread > 0 {
		tilt = -mean / spread
	}
	positive := true
	for at, i := range window {
		weights[at] = 1/size + tilt*(float64(r.Total[i]-middle)-mean)
		positive = positive && weights[at] >= 0
	}
	return positive
}

// parts sums differences from the middle row: exact where a column is
// constant, and free of the rounding of large sums.
func (r Rows) parts(window []int32, weights, parts []float64) {
	middle := window[len(window)/2]
	for j, column := range r.Columns {
		base, sum := column[middle], 0.0
		for at, i := range window {
			sum += weights[at] * float64(column[i]-base)
		}
		parts[j] = float64(base) + sum
	}
}

func (r Rows) withinRange(window []int32, parts []float64) bool {
	for j, column := range r.Columns {
		if r.exempt(j) {
			continue
		}
		low, high := column[window[0]], column[window[0]]
		for _, i := range window {
			low, high = min(low, column[i]), max(high, column[i])
		}
		if parts[j] < float64(low) || parts[j] > float64(high) {
			return false
		}
	}
	return true
}
