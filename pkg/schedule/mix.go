package schedule

// Mix says which request template the k-th request uses.
type Mix struct {
	Weights []int // of each template, at least 1; none means one template
	Random  bool  // drawn by seed within each cycle instead of round robin
	Seed    uint64
}

// At returns the template of request k. Within each cycle of as many requests as the weights add up
// to, every template comes exactly as often as it weighs; round robin keeps a heavy one from coming
// in a block.
func (m Mix) At(k int) int {
	total := 0
	for _, w := range m.Weights {
		total += w
	}
	if total == 0 {
		return 0
	}
	at := k % total
	if m.Random {
		at = stream(m.Seed, forMix, k/total).Perm(total)[at]
	}
	return m.roundRobin(at)
}

// roundRobin returns the template at a place of the cycle: at each place the one that is furthest
// behind its due share comes, the first of equals.
func (m Mix) roundRobin(place int) int {
	credit, total := make([]int, len(m.Weights)), 0
	for _, w := range m.Weights {
		total += w
	}
	best := 0
	for range place + 1 {
		best = 0
		for i, w := range m.Weights {
			if credit[i] += w; credit[i] > credit[best] {
				best = i
			}
		}
		credit[best] -= total
	}
	return best
}
