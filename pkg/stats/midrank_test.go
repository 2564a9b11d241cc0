package stats

import (
	"math/rand/v2"
	"testing"
)

// TestRankSumIsTheSumOfMidranks holds the two ways of ranking against each other.
func TestRankSumIsTheSumOfMidranks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 500 {
		before, after := make([]int64, 1+rng.IntN(40)), make([]int64, 1+rng.IntN(40))
		spread := 1 + rng.Int64N(60)
		for i := range before {
			before[i] = rng.Int64N(spread)
		}
		for i := range after {
			after[i] = rng.Int64N(spread) - spread/4
		}
		ranks, ties := midranks(append(append([]int64(nil), before...), after...))
		want := 0
		for _, r := range ranks[len(before):] {
			want += r
		}
		if sum, got := rankSum(Sorted(before), Sorted(after)); sum != want || got != ties {
			t.Fatalf("before %v\nafter %v\nsum %d, ties %+v, want %d, %+v", before, after, sum, got, want, ties)
		}
	}
}
