package ledger

import (
	"math"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Needed is how many requests an arm would find a change of a given size in 80 % of runs.
type Needed struct {
	Detect int64 // nanoseconds
	N      int   // per arm, rounded up to tens: a pilot cannot tell better
}

// needed plans for the change seen and for half of it, never below what nobody notices.
func needed(c stats.Change, delta int64) []Needed {
	widest := max(max(c.Hi, -c.Hi), max(c.Lo, -c.Lo))
	var out []Needed
	for _, detect := range []int64{max(widest, delta), max(widest/2, delta)} {
		if n, ok := NeededFor(c, detect); ok && (len(out) == 0 || out[0].Detect != detect) {
			out = append(out, Needed{Detect: detect, N: n})
		}
	}
	return out
}

// NeededFor is how many requests an arm find a change of detect nanoseconds, given what c shows of
// the spread; false when c has no interval to tell.
func NeededFor(c stats.Change, detect int64) (int, bool) {
	before, okB := stats.Tau(c.Before)
	after, okA := stats.Tau(c.After)
	if !okB || !okA || detect <= 0 {
		return 0, false
	}
	tau := math.Sqrt((before*before + after*after) / 2)
	n := float64(stats.PerSide(tau, detect)) * (1 - c.Rho)
	return max(10, int(math.Ceil(n/10))*10), true
}
