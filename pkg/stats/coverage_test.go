package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Coverage is simulated at length by scripts/coverage; these few runs catch a
// formula that went wrong.
func TestIntervalsHoldTheTruthAsOftenAsTheyClaim(t *testing.T) {
	r := newRand(50)
	const runs, n = 1500, 25
	latency := func(scale float64) int64 {
		v := scale * 250e6 * math.Exp(0.12*r.NormFloat64())
		if r.IntN(14) == 0 {
			v += 1000e6
		}
		return int64(v)
	}
	before, after := truthOf(latency, 1), truthOf(latency, 0.6)
	held := map[string]int{}
	for range runs {
		x, y := drawSorted(latency, 1, n), drawSorted(latency, 0.6, n)
		held["p50"] += int(indicator(IntervalOf(x, P50).Contains(before)))
		change := ChangeOf(x, y, P50, ChangeOptions{})
		held["change"] += int(indicator(change.Contains(after - before)))
		ratio, truth := change.Ratio(), float64(after)/float64(before)
		held["ratio"] += int(indicator(ratio.Lo <= truth && truth <= ratio.Hi))
	}
	for what, count := range held {
		if share := float64(count) / runs; share < 0.935 || share > 0.99 {
			t.Errorf("%s: %v of intervals hold the truth, want .935 to .99", what, share)
		}
	}
}

func truthOf(latency func(scale float64) int64, scale float64) int64 {
	return QuantileOf(drawSorted(latency, scale, 200_000), P50).Value
}

func drawSorted(latency func(scale float64) int64, scale float64, n int) []int64 {
	x := make([]int64, n)
	for i := range x {
		x[i] = latency(scale)
	}
	Sort(x)
	return x
}

// With no change at all, segments that are pure noise must stay so.
func TestLedgerIntervalsFindNothingInNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 0))
	found, cells := 0, 0
	for range 150 {
		change := SplitChangeOf(latencyRows(r, 25, 0), latencyRows(r, 25, 0), P50, nil)
		for j := range 5 {
			found += int(indicator(change.Interval(j).ExcludesZero()))
			cells++
		}
	}
	if share := float64(found) / float64(cells); share > 0.06 {
		t.Errorf("%v of unchanged segments seem to have moved", share)
	}
}
