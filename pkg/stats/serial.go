package stats

import "math/bits"

// maxLag bounds the work for long series: 2e4 lags of 1e6 observations take a
// third of a second. What is still correlated beyond that is drift, which
// TrendOf tells.
const maxLag = 20_000

// Serial tells how far observations in send order depend on each other.
type Serial struct {
	// VIF is the variance inflation of the percentile, at least 1.
	VIF float64
	// Effective is n/VIF, the number of independent observations the sample is
	// worth. Below 6 it is too correlated for an interval.
	Effective float64
}

// Correlation measures the series "at or below level", level being the
// sample's own p50, by Geyer's initial positive sequence (1992): one slow
// exchange would ruin an estimate from the raw values. It restores only part of
// what correlation takes: an interval that claims 95 % holds 91 % at an
// autocorrelation of .6 and 82 % at .8 for 25 observations, 93 and 91 for 100,
// 95 for 400; without widening 76 and 56.
func Correlation(inSendOrder []int64, level int64) Serial {
	n := len(inSendOrder)
	series := newBits(inSendOrder, level)
	vif := 1.0
	if variance := series.covariance(0); variance > 0 {
		for lag := 1; lag+1 < n && lag < maxLag; lag += 2 {
			pair := (series.covariance(lag) + series.covariance(lag+1)) / variance
			if pair <= 0 {
				break
			}
			vif += 2 * pair
		}
	}
	vif = max(vif, 1)
	return Serial{VIF: vif, Effective: float64(n) / vif}
}

// bitSeries holds a 0/1 series 64 to a word, with the number of ones before
// each word, so that one lag of a million costs 16 thousand steps.
type bitSeries struct {
	n      int
	words  []uint64
	before []int
}

func newBits(values []int64, level int64) bitSeries {
	words := len(values)/64 + 1
	s := bitSeries{n: len(values), words: make([]uint64, words+1), before: make([]int, words+1)}
	for i, v := range values {
		if v <= level {
			s.words[i/64] |= 1 << (i % 64)
		}
	}
	for w := range words {
		s.before[w+1] = s.before[w] + bits.OnesCount64(s.words[w])
	}
	return s
}

// onesBefore counts the ones among the first i observations.
func (s bitSeries) onesBefore(i int) int {
	return s.before[i/64] + bits.OnesCount64(s.words[i/64]&(1<<(i%64)-1))
}

// covariance returns n^3 times the biased autocovariance at a lag; the scale
// keeps it exact in integers up to a million observations.
func (s bitSeries) covariance(lag int) float64 {
	n, ones := float64(s.n), float64(s.onesBefore(s.n))
	head := float64(s.onesBefore(s.n - lag))
	tail := ones - float64(s.onesBefore(lag))
	return n*n*float64(s.together(lag)) - n*ones*(head+tail) + float64(s.n-lag)*ones*ones
}

// together counts the i at which both i and i+lag are one.
func (s bitSeries) together(lag int) int {
	count, skip, shift := 0, lag/64, lag%64
	for w := 0; w+skip+1 < len(s.words); w++ {
		later := s.words[w+skip]>>shift | s.words[w+skip+1]<<(64-shift)
		count += bits.OnesCount64(s.words[w] & later)
	}
	return count
}
