package stats

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Percentile is a share of a sample in parts per million, above 0 and below
// 1,000,000. Integers keep the rank exact: in floating point 99.9/100*1000
// rounds up to 1000 instead of 999.
type Percentile int32

// The percentiles shown by default, and the quartiles.
const (
	P10 Percentile = 100_000
	P25 Percentile = 250_000
	P50 Percentile = 500_000
	P75 Percentile = 750_000
	P90 Percentile = 900_000
	P95 Percentile = 950_000
	P99 Percentile = 990_000
)

const million = 1_000_000

// ParsePercentile reads "50", "99.9" or "p99.9", with at most four decimals.
// The error quotes the text and says what was expected.
func ParsePercentile(text string) (Percentile, error) {
	whole, fraction, dotted := strings.Cut(strings.TrimPrefix(text, "p"), ".")
	bad := len(whole) == 0 || len(whole) > 2 || len(fraction) > 4 || dotted && fraction == ""
	ppm, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", max(0, 4-len(fraction))), 10, 32)
	if bad || err != nil || ppm == 0 || ppm >= million {
		return 0, fmt.Errorf("percentile %q: want a number above 0 and below 100 with at most four decimals, such as 99.9", text)
	}
	return Percentile(ppm), nil
}

// String returns the percentile as it is written: "p50", "p99.9".
func (p Percentile) String() string {
	text := fmt.Sprintf("p%d.%04d", p/10_000, p%10_000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Rank returns the nearest rank of p among n observations, in 1..n: the
// smallest rank r with r/n >= p (Hyndman and Fan 1996, type 1). It is 0 only
// when n is.
func (p Percentile) Rank(n int) int {
	if n <= 0 {
		return 0
	}
	rank := (int64(p)*int64(n) + million - 1) / million
	return int(min(max(rank, 1), int64(n)))
}

// share returns p and 1-p as fractions, each correctly rounded and away from 0.
func (p Percentile) share() (below, above float64) {
	ppm := min(max(p, 1), million-1)
	return float64(ppm) / million, float64(million-ppm) / million
}

// UsefulFrom returns the smallest n at which p is neither the minimum nor the
// maximum of the sample: 3 for p50, 10 for p90, 100 for p99.
func (p Percentile) UsefulFrom() int {
	ppm := int(min(max(p, 1), million-1))
	notMin := million/ppm + 1
	notMax := (million + (million - ppm) - 1) / (million - ppm)
	return max(notMin, notMax)
}

// IntervalFrom returns the smallest n at which both 95 % limits of p exist:
// 6 for p50, 36 for p10 and p90, 368 for p99.
func (p Percentile) IntervalFrom() int {
	below, above := p.share()
	return int(math.Ceil(math.Log(alpha/2) / math.Log(max(below, above))))
}

// Quantile is one percentile of one sample: the observation at its nearest
// rank.
type Quantile struct {
	Value int64 // nanoseconds
	Rank  int   // 1-based, 0 when N is 0
	N     int
}

// QuantileOf returns the p-th percentile of a sorted sample. An empty sample
// has Rank 0.
func QuantileOf(sorted []int64, p Percentile) Quantile {
	q := Quantile{Rank: p.Rank(len(sorted)), N: len(sorted)}
	if q.N > 0 {
		q.Value = sorted[q.Rank-1]
	}
	return q
}

// IsMin reports whether the percentile is merely the smallest observation.
func (q Quantile) IsMin() bool { return q.N > 0 && q.Rank == 1 }

// IsMax reports whether the percentile is merely the largest observation.
func (q Quantile) IsMax() bool { return q.N > 0 && q.Rank == q.N }
