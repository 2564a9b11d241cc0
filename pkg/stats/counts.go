package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Holm adjusts p-values for being a family, in the order they came (Holm
// 1979). Leave out what is constant in both samples: it was not tested. A NaN
// counts as 1.
func Holm(p []float64) []float64 {
	keys := make([]int64, len(p))
	for i, v := range p {
		keys[i] = sortableP(v)
	}
	adjusted := make([]float64, len(p))
	floor := 0.0
	for rank, i := range OrderOf(keys) {
		floor = max(floor, math.Float64frombits(uint64(keys[i]))*float64(len(p)-rank))
		adjusted[i] = min(1, floor)
	}
	return adjusted
}

// sortableP relies on the bits of non-negative floats ascending like integers.
func sortableP(p float64) int64 {
	if !(p < 1) {
		p = 1
	}
	return int64(math.Float64bits(max(p, 0)))
}

// ClopperPearson returns the exact 95 % limits of a share, k of n. Without
// observations they are 0 and 1.
func ClopperPearson(k, n int) (lo, hi float64) {
	k = min(max(k, 0), max(n, 0))
	lo, hi = 0, 1
	if k > 0 {
		lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), alpha/2)
	}
	if k < n {
		hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-alpha/2)
	}
	return lo, hi
}

// Fisher returns the exact two-sided p of k1 of n1 against k2 of n2: the
// probability of every table with the same margins that is no likelier than
// the one seen. It is 1 when a margin is empty.
func Fisher(k1, n1, k2, n2 int) float64 {
	n1, n2 = max(n1, 0), max(n2, 0)
	k1, k2 = min(max(k1, 0), n1), min(max(k2, 0), n2)
	hits := k1 + k2
	lowest, highest := max(0, hits-n2), min(hits, n1)
	// Tables as likely as the one seen must count although they round apart.
	seen := logTable(k1, n1, hits, n2) + 1e-7
	all := logChoose(n1+n2, hits)
	sum := 0.0
	for k := lowest; k <= highest; k++ {
		if logP := logTable(k, n1, hits, n2); logP <= seen {
			sum += math.Exp(logP - all)
		}
	}
	return min(1, sum)
}

func logTable(k, n1, hits, n2 int) float64 { return logChoose(n1, k) + logChoose(n2, hits-k) }

func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
