package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// alpha is the two-sided error of every interval and test of the package.
// Coverage was simulated for this level alone.
const alpha = 0.05

// binomialAtMost returns P(B <= k) for B ~ Bin(n, p), q = 1-p.
func binomialAtMost(k, n int, q float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), q)
}

// binomialAtLeast returns P(B >= k) for B ~ Bin(n, p).
func binomialAtLeast(k, n int, p float64) float64 {
	switch {
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	return mathext.RegIncBeta(float64(k), float64(n-k+1), p)
}

// lowerRank returns the largest rank l with P(B <= l-1) <= alpha/2, or 0: the
// l-th smallest of n observations is then a lower limit of their percentile.
func lowerRank(n int, p Percentile) int {
	below, above := p.share()
	rank := startRank(n, below, above, -1)
	for rank < n && binomialAtMost(rank, n, above) <= alpha/2 {
		rank++
	}
	for rank > 0 && binomialAtMost(rank-1, n, above) > alpha/2 {
		rank--
	}
	return rank
}

// upperRank returns the smallest rank u with P(B >= u) <= alpha/2, or n+1.
func upperRank(n int, p Percentile) int {
	below, above := p.share()
	rank := startRank(n, below, above, +1)
	for rank > 1 && binomialAtLeast(rank-1, n, below) <= alpha/2 {
		rank--
	}
	for rank <= n && binomialAtLeast(rank, n, below) > alpha/2 {
		rank++
	}
	return rank
}

// startRank is the normal approximation, from which the exact rank is a step
// or two away.
func startRank(n int, below, above, side float64) int {
	mean, width := float64(n)*below, 1.96*math.Sqrt(float64(n)*below*above)
	return min(max(int(mean+side*width), 0), n)
}
