package stats

// SignedRank tests whether the differences of pairs lie around zero (Wilcoxon,
// zeros dropped, midranks, exact up to 100 differences). Five pairs cannot go
// below .0625, six reach .031, ten .002.
func SignedRank(differences []int64) RankTest {
	sizes, positive := nonzero(differences)
	test := RankTest{P: 1, N: len(sizes)}
	if len(sizes) == 0 {
		return test
	}
	ranks, ties := midranks(sizes)
	sum := 0
	for i, r := range ranks {
		if positive[i] {
			sum += r
		}
	}
	test.Statistic = float64(sum) / 2
	if len(sizes) <= exactPairs {
		test.P, test.Exact = signedP(ranks, sum), true
		return test
	}
	n := float64(len(sizes))
	variance := n*(n+1)*(2*n+1)/24 - ties.cubic/48
	test.P = normalP(test.Statistic-n*(n+1)/4, variance)
	return test
}

func nonzero(differences []int64) (sizes []int64, positive []bool) {
	for _, d := range differences {
		if d != 0 {
			sizes = append(sizes, max(d, -d))
			positive = append(positive, d > 0)
		}
	}
	return sizes, positive
}

// signedP is the share of all sign patterns whose sum of doubled ranks is at
// least as far from its mean as sum.
func signedP(doubled []int, sum int) float64 {
	total := 0
	for _, r := range doubled {
		total += r
	}
	ways := make([]float64, total+1)
	ways[0] = 1
	for _, r := range doubled {
		for s := total; s >= r; s-- {
			ways[s] += ways[s-r]
		}
	}
	far, all := 0.0, 0.0
	for s, count := range ways {
		all += count
		if abs(2*s-total) >= abs(2*sum-total) {
			far += count
		}
	}
	return min(1, far/all)
}

func abs(v int) int { return max(v, -v) }
