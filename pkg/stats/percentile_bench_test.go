package stats

import (
	"fmt"
	"slices"
	"testing"
)

func BenchmarkSort(b *testing.B) {
	r := newRand(12)
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		x := make([]int64, n)
		for i := range x {
			x[i] = 250e6 + int64(30e6*r.NormFloat64())
		}
		b.Run(fmt.Sprintf("values/%d", n), func(b *testing.B) {
			for b.Loop() {
				Sort(slices.Clone(x))
			}
		})
		b.Run(fmt.Sprintf("order/%d", n), func(b *testing.B) {
			for b.Loop() {
				OrderOf(x)
			}
		})
	}
}

func BenchmarkInterval(b *testing.B) {
	for _, n := range []int{25, 1000, 1_000_000} {
		sorted := make([]int64, n)
		for i := range sorted {
			sorted[i] = int64(i)
		}
		b.Run(fmt.Sprintf("p50/%d", n), func(b *testing.B) {
			for b.Loop() {
				IntervalOf(sorted, P50)
			}
		})
		b.Run(fmt.Sprintf("change/%d", n), func(b *testing.B) {
			for b.Loop() {
				ChangeOf(sorted, sorted, P50, ChangeOptions{Rho: 0.5})
			}
		})
	}
}

func BenchmarkMannWhitney(b *testing.B) {
	r := newRand(13)
	for _, n := range []int{25, 50, 100_000} {
		x, y := make([]int64, n), make([]int64, n)
		for i := range x {
			x[i], y[i] = int64(r.Uint64()>>20), int64(r.Uint64()>>20)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				MannWhitney(x, y)
			}
		})
	}
}

func BenchmarkSerial(b *testing.B) {
	r := newRand(14)
	x := make([]int64, 1_000_000)
	for i := range x {
		x[i] = int64(i) + int64(1e5*r.NormFloat64()) // drifts all along: the longest sequence
	}
	b.Run("trend", func(b *testing.B) {
		for b.Loop() {
			TrendOf(x)
		}
	})
	b.Run("correlation", func(b *testing.B) {
		for b.Loop() {
			Correlation(x, 500_000)
		}
	})
}
