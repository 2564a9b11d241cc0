package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// oddSample holds what no clock yields but a file may: extremes of the type,
// negative and equal values.
func oddSample(r *rand.Rand, n int) []int64 {
	odd := []int64{0, 0, 1, -1, 5e6, 5e6 + 1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1}
	kinds := odd[:1+r.IntN(len(odd))]
	x := make([]int64, n)
	for i := range x {
		x[i] = kinds[r.IntN(len(kinds))]
	}
	return x
}

func TestOddInputNeitherPanicsNorYieldsNaN(t *testing.T) {
	r := newRand(60)
	for range 3000 {
		before, after := oddSample(r, r.IntN(14)), oddSample(r, r.IntN(14))
		sortedBefore, sortedAfter := Sorted(before), Sorted(after)
		p := Percentile(1 + r.IntN(million-1))
		change := ChangeOf(sortedBefore, sortedAfter, p, ChangeOptions{Rho: math.NaN(), BeforeVIF: math.NaN(), AfterVIF: 3})
		ratio, trend, serial := change.Ratio(), TrendOf(before), Correlation(after, 0)
		tau, _ := Tau(change.Before)
		lo, hi := ClopperPearson(len(before), len(after))
		wantNumbers(t, before, change.Rho, change.Confidence, ratio.Value, ratio.Lo, ratio.Hi, trend.Tau, trend.P, serial.VIF, serial.Effective, tau, lo, hi,
			PairingTerm(before, after, 0, 1), Fisher(len(before), 9, len(after), 9))
		for _, test := range []RankTest{MannWhitney(before, after), SignedRank(before), OrderEffect(before, make([]bool, 5))} {
			wantNumbers(t, before, test.P, test.Statistic)
			if test.P <= 0 || test.P > 1 {
				t.Fatalf("p = %v for %v, %v", test.P, before, after)
			}
		}
		PerSide(tau, 0)
		change.PerSide(1)
	}
}

func TestOddRowsNeitherPanicNorYieldNaN(t *testing.T) {
	r := newRand(61)
	for range 60 {
		before, after := oddRows(r), oddRows(r)
		pairs := [][2]int32{{0, 0}, {1, 1}, {1, 2}, {-1, 0}, {99, 0}}
		change := SplitChangeOf(before, after, Percentile(1+r.IntN(million-1)), pairs)
		offset := change.Offset(0, 1)
		wantNumbers(t, before.Total, offset.Value, offset.Lo, offset.Hi, change.Delta(), change.Delta(0, 1))
		wantNumbers(t, before.Total, change.Before.Parts...)
		wantNumbers(t, before.Total, change.Before.Weights...)
		tail := before.TailAbove(before.Order(), P50, change.Before)
		wantNumbers(t, before.Total, append(tail.Excess, tail.MeanTotal, tail.Share(0))...)
	}
}

// oddRows need not even tile their total.
func oddRows(r *rand.Rand) Rows {
	n := r.IntN(14)
	return Rows{Total: oddSample(r, n), Columns: [][]int64{oddSample(r, n), oddSample(r, n)}, Exempt: []bool{true}}
}

func wantNumbers(t *testing.T, input []int64, values ...float64) {
	t.Helper()
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("value %d = %v for %v", i, v, input)
		}
	}
}
