package stats

import (
	"math"
	"slices"
	"testing"
)

// TestIntervalsOfAnyOrderAreThoseOfTheSorted: also with ties, far outliers and the whole range of int64.
func TestIntervalsOfAnyOrderAreThoseOfTheSorted(t *testing.T) {
	r := newRand(21)
	ps := []Percentile{P10, P50, P90, P99}
	for name, of := range map[string]func(i int) int64{
		"bell":      func(int) int64 { return 250e6 + int64(30e6*r.NormFloat64()) },
		"few":       func(int) int64 { return int64(r.IntN(3)) },
		"constant":  func(int) int64 { return 7 },
		"outliers":  func(i int) int64 { return int64(r.IntN(1e6)) + int64(i%5000/4999)*1e15 },
		"all":       func(int) int64 { return int64(r.Uint64()) },
		"extremes":  func(i int) int64 { return []int64{math.MinInt64, -1, 0, math.MaxInt64}[i%4] },
		"ascending": func(i int) int64 { return int64(i) },
	} {
		for _, n := range []int{0, 1, 5, 6, 400, 5000, 5001, 60_000} {
			sample := make([]int64, n)
			for i := range sample {
				sample[i] = of(i)
			}
			before := slices.Clone(sample)
			got := IntervalsOf(sample, ps...)
			if !slices.Equal(sample, before) {
				t.Fatalf("%s: the sample was changed", name)
			}
			sorted := Sorted(sample)
			for i, p := range ps {
				if want := IntervalOf(sorted, p); got[i] != want {
					t.Errorf("%s, %d values, %s: %+v, want %+v", name, n, p, got[i], want)
				}
			}
		}
	}
}
