package main

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// shares returns in how many of the runs each outcome came true. Run i draws
// from a stream of (seed, i) alone, so the number of workers changes nothing.
func shares(runs int, seed uint64, outcomes int, run func(r *rand.Rand, came []bool)) []float64 {
	counts := make([]atomic.Int64, outcomes)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			came := make([]bool, outcomes)
			for i := next.Add(1); i <= int64(runs); i = next.Add(1) {
				clear(came)
				run(rand.New(rand.NewPCG(seed, uint64(i))), came)
				for k, yes := range came {
					if yes {
						counts[k].Add(1)
					}
				}
			}
		})
	}
	workers.Wait()
	out := make([]float64, outcomes)
	for k := range counts {
		out[k] = float64(counts[k].Load()) / float64(runs)
	}
	return out
}

// share is shares for one outcome.
func share(runs int, seed uint64, run func(r *rand.Rand) bool) float64 {
	return shares(runs, seed, 1, func(r *rand.Rand, came []bool) { came[0] = run(r) })[0]
}

// scaledRuns applies the effort in percent.
func scaledRuns(runs, effort int) int { return max(1, runs*effort/100) }
