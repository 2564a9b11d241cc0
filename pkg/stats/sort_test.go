package stats

import (
	"math"
	"slices"
	"testing"
)

func TestRadixSortAgreesWithSlicesSort(t *testing.T) {
	r := newRand(2)
	for name, draw := range map[string]func() int64{
		"latencies": func() int64 { return 250e6 + int64(30e6*r.NormFloat64()) },
		"negative":  func() int64 { return int64(r.IntN(2000)) - 1000 },
		"equal":     func() int64 { return 42 },
		"timeouts":  func() int64 { return []int64{250e6, 10e9, 10e9 - 1, 1 << 32, 1<<32 - 1}[r.IntN(5)] + r.Int64N(1e6) },
		"full span": func() int64 { return int64(r.Uint64()) },
		"extremes":  func() int64 { return []int64{math.MinInt64, 0, math.MaxInt64}[r.IntN(3)] },
	} {
		x := make([]int64, radixFrom+1)
		for i := range x {
			x[i] = draw()
		}
		want := slices.Clone(x)
		slices.Sort(want)
		if got := Sorted(x); !slices.Equal(got, want) {
			t.Errorf("%s: radix order differs", name)
		}
		wantStableOrder(t, name, x)
	}
}

func TestOrderOfIsStable(t *testing.T) {
	r := newRand(3)
	for _, n := range []int{0, 1, 2, 300} {
		wantStableOrder(t, "small", randomSample(r, n))
	}
}

func wantStableOrder(t *testing.T, name string, x []int64) {
	t.Helper()
	order := OrderOf(x)
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		if x[a] > x[b] || x[a] == x[b] && a >= b {
			t.Fatalf("%s: order of %d and %d", name, a, b)
		}
	}
	if len(order) != len(x) {
		t.Errorf("%s: %d indexes for %d values", name, len(order), len(x))
	}
}
