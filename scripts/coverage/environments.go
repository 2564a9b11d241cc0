package main

import (
	"math"
	"math/rand/v2"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// environment yields what the path adds to the request in each of the slots
// of a run, in milliseconds.
type environment struct {
	name string
	adds func(r *rand.Rand, slots int) []float64
}

func bySlot(of func(slot, slots int) float64) func(*rand.Rand, int) []float64 {
	return func(_ *rand.Rand, slots int) []float64 {
		adds := make([]float64, slots)
		for s := range adds {
			adds[s] = of(s, slots)
		}
		return adds
	}
}

func environments() []environment {
	return []environment{
		{"no drift", bySlot(func(int, int) float64 { return 0 })},
		{"+80 ms linear", bySlot(func(s, slots int) float64 { return 80 * float64(s) / float64(slots-1) })},
		{"AR(1) 0.8, sd 30", autoregressive(0.8, 30)},
		{"every second slot +40", bySlot(func(s, _ int) float64 { return 40 * float64(s%2) })},
		{"slots 2, 3 of four +40", bySlot(func(s, _ int) float64 { return 40 * float64((s+1)/2%2) })},
		{"+50 ms step half way", bySlot(func(s, slots int) float64 { return 50 * float64(2*s/slots) })},
		{"+80 ms step half way", bySlot(func(s, slots int) float64 { return 80 * float64(2*s/slots) })},
		{"warm-up from +100", bySlot(func(s, _ int) float64 { return 100 * math.Exp(-float64(s)/5) })},
	}
}

func autoregressive(phi, sd float64) func(*rand.Rand, int) []float64 {
	return func(r *rand.Rand, slots int) []float64 {
		adds := make([]float64, slots)
		state := sd * r.NormFloat64()
		for s := range adds {
			adds[s] = state
			state = phi*state + sd*math.Sqrt(1-phi*phi)*r.NormFloat64()
		}
		return adds
	}
}

// shiftMs is the true change of the drift tables.
const shiftMs = -30

var driftCore = tailed(core, 0.06)

// interleaved runs n pairs, the order inside each by a coin.
func (e environment) interleaved(r *rand.Rand, n int) (before, after []int64) {
	adds := e.adds(r, 2*n)
	for i := range n {
		first, second := adds[2*i], adds[2*i+1]
		if r.IntN(2) == 1 {
			first, second = second, first
		}
		before = append(before, int64((driftCore(r)+first)*millisecond))
		after = append(after, int64((driftCore(r)+second+shiftMs)*millisecond))
	}
	return before, after
}

// pairedChange is the change with its pairing term.
func pairedChange(before, after []int64) stats.Change {
	sortedBefore, sortedAfter := stats.Sorted(before), stats.Sorted(after)
	rho := stats.PairingTerm(before, after,
		stats.QuantileOf(sortedBefore, stats.P50).Value, stats.QuantileOf(sortedAfter, stats.P50).Value)
	return stats.ChangeOf(sortedBefore, sortedAfter, stats.P50, stats.ChangeOptions{Rho: rho})
}

func pairedCoverage(effort int) table {
	sizes := []int{5, 8, 25, 100}
	t := table{
		title: "Change of p50, interleaved pairs under drift",
		note:  "Core with a 6 % tail, after 30 ms faster, order in each pair by a coin; pairs.",
		head:  sizeHead("environment", sizes),
	}
	for row, e := range environments() {
		t.add(e.name, perSize(sizes, func(n int) float64 {
			return share(scaledRuns(4000, effort), seedOf(5, row, n), func(r *rand.Rand) bool {
				return holds(pairedChange(e.interleaved(r, n)), shiftMs*millisecond)
			})
		})...)
	}
	return t
}

// autocorrelationCoverage shows what widening by the effective n gives back.
func autocorrelationCoverage(effort int) table {
	sizes := []int{25, 100, 400}
	t := table{
		title: "Separate runs whose requests depend on their neighbours",
		note: "AR(1) latencies; limits widened by the variance inflation, and plain as they are without it. " +
			"Drift between two runs is cured by nothing.",
		head: append(sizeHead("correlation", sizes), "plain, n = 25", "n = 100", "n = 400"),
	}
	for row, phi := range []string{"0", ".3", ".6", ".8"} {
		var cells [4][]string // change widened, change plain, p50 widened, p50 plain
		for _, n := range sizes {
			held := shares(scaledRuns(2000, effort), seedOf(6, row, n), len(cells), func(r *rand.Rand, came []bool) {
				autocorrelatedHolds(r, []float64{0, 0.3, 0.6, 0.8}[row], n, came)
			})
			for i, share := range held {
				cells[i] = append(cells[i], points(share))
			}
		}
		t.add("change of p50, phi "+phi, append(cells[0], cells[1]...)...)
		t.add("p50 of one run, phi "+phi, append(cells[2], cells[3]...)...)
	}
	return t
}

func autocorrelatedHolds(r *rand.Rand, phi float64, n int, held []bool) {
	x, y := autocorrelated(r, phi, n), autocorrelated(r, phi, n)
	before, after := stats.Sorted(x), stats.Sorted(y)
	plain := stats.ChangeOf(before, after, stats.P50, stats.ChangeOptions{})
	widened := stats.ChangeOf(before, after, stats.P50, stats.ChangeOptions{
		BeforeVIF: stats.Correlation(x, plain.Before.Value).VIF,
		AfterVIF:  stats.Correlation(y, plain.After.Value).VIF,
	})
	held[0], held[1] = holds(widened, 0), holds(plain, 0)
	held[2], held[3] = widened.Before.Contains(autocorrelatedCenter), plain.Before.Contains(autocorrelatedCenter)
}

const autocorrelatedCenter = 250 * millisecond

func autocorrelated(r *rand.Rand, phi float64, n int) []int64 {
	x := make([]int64, n)
	for i, add := range autoregressive(phi, 30)(r, n) {
		x[i] = autocorrelatedCenter + int64(add*millisecond)
	}
	return x
}
