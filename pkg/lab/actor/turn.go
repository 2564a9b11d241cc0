package actor

import "sync"

// Turn spreads requests over several servers by weight, evenly mixed: with weights
// 3 and 1 every four requests in a row hold three of the first. It is the smooth
// weighted round robin of nginx (commit 52327e0627f4).
type Turn struct {
	mu      sync.Mutex // guards what follows
	weights []int
	credit  []int
}

// NewTurn returns a turn over len(weights) servers. A weight below 1 counts as 1.
func NewTurn(weights ...int) *Turn {
	t := &Turn{}
	for _, w := range weights {
		t.add(w)
	}
	return t
}

func (t *Turn) add(weight int) {
	t.weights = append(t.weights, max(weight, 1))
	t.credit = append(t.credit, 0)
}

// Next returns the index of the server whose turn it is.
func (t *Turn) Next() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	best, total := 0, 0
	for i, w := range t.weights {
		t.credit[i] += w
		total += w
		if t.credit[i] > t.credit[best] {
			best = i
		}
	}
	t.credit[best] -= total
	return best
}

// Grow adds a server at the end.
func (t *Turn) Grow(weight int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(weight)
}

// Shrink takes the last server out; the others start even.
func (t *Turn) Shrink() {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.weights) - 1
	t.weights, t.credit = t.weights[:last], make([]int, last)
}
