package ledger

import "testing"

// "About 20 pairs would settle 5.4 ms, about 20 pairs 5.0 ms."
func TestOneNumberOfRequestsIsPlannedOnce(t *testing.T) {
	for seed := range uint64(40) {
		before, after := live(t, side{rows: noisy(10, seed, typical)}, side{rows: noisy(10, seed+100, typical)})
		needed := Compare(before, after).Needed
		if len(needed) == 2 && needed[0].N == needed[1].N {
			t.Errorf("seed %d: %+v", seed, needed)
		}
	}
}
