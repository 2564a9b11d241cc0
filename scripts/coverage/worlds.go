package main

import (
	"math"
	"math/rand/v2"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// world draws one latency in milliseconds.
type world func(r *rand.Rand) float64

const (
	millisecond = 1_000_000
	// truthDraws pins a p50 down to 0.05 ms where one request has a standard
	// deviation of 30.
	truthDraws = 400_000
)

// core is lognormal around 250 ms with a standard deviation of 30.
func core(r *rand.Rand) float64 { return 250 * math.Exp(0.12*r.NormFloat64()) }

// tailed adds what slow requests really have to a share of them: a timeout of
// 200 ms, a lost SYN of 1 s, or a heavy tail.
func tailed(of world, share float64) world {
	return func(r *rand.Rand) float64 {
		v := of(r)
		if r.Float64() >= share {
			return v
		}
		switch r.IntN(3) {
		case 0:
			return v + 200
		case 1:
			return v + 1000
		}
		return v + 100*math.Pow(1-r.Float64(), -1/1.5)
	}
}

func ticks(r *rand.Rand) float64 { return 20 * math.Floor(core(r)/20) }

// modes draws from a fast mode and, for a share of requests, from a slow one.
func modes(slow float64) world {
	return func(r *rand.Rand) float64 {
		center := 200.0
		if r.Float64() < slow {
			center = 320
		}
		return center * math.Exp(0.06*r.NormFloat64())
	}
}

func times(of world, factor float64) world {
	return func(r *rand.Rand) float64 { return factor * of(r) }
}

func plus(of world, ms float64) world {
	return func(r *rand.Rand) float64 { return ms + of(r) }
}

// sample draws n latencies in nanoseconds.
func (w world) sample(r *rand.Rand, n int) []int64 {
	x := make([]int64, n)
	for i := range x {
		x[i] = int64(w(r) * millisecond)
	}
	return x
}

func (w world) sorted(r *rand.Rand, n int) []int64 {
	x := w.sample(r, n)
	stats.Sort(x)
	return x
}

// truth returns the world's percentiles.
func (w world) truth(effort int, percentiles ...stats.Percentile) []int64 {
	sorted := w.sorted(rand.New(rand.NewPCG(1, 1)), scaledRuns(truthDraws, effort))
	values := make([]int64, len(percentiles))
	for i, p := range percentiles {
		values[i] = stats.QuantileOf(sorted, p).Value
	}
	return values
}

// pairOfWorlds is a route before and after a change.
type pairOfWorlds struct {
	name          string
	before, after world
}

func changes() []pairOfWorlds {
	return []pairOfWorlds{
		{"core, unchanged", core, core},
		{"7 % tail, 30 ms faster", tailed(plus(core, 30), 0.07), tailed(core, 0.07)},
		{"20 ms ticks", ticks, ticks},
		{"two modes 55/45", modes(0.45), modes(0.45)},
		{"scaled by 0.6", core, times(core, 0.6)},
		{"tail 2 -> 20 %", tailed(core, 0.02), tailed(core, 0.20)},
		{"slow mode 30 -> 60 %", modes(0.30), modes(0.60)},
	}
}
