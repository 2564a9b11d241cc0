package stats

import "math"

// The normal quantiles of a two-sided 95 % test with 80 % power.
const (
	z975 = 1.959963984540054
	z80  = 0.8416212335729143
)

// Tau is the scale of a percentile's sampling error in nanoseconds: the
// standard error times the root of n, read off a pilot's interval. It reports
// false when that interval is not complete. A pilot of 10 mistakes the sample
// size it implies by 0.4 to 4.7 times, one of 25 by 0.45 to 2, one of 100 by
// 0.6 to 1.7: print what follows from it as "about".
func Tau(pilot PercentileInterval) (float64, bool) {
	if !pilot.Complete() {
		return 0, false
	}
	return math.Sqrt(float64(pilot.N)) * float64(pilot.Hi-pilot.Lo) / (2 * z975), true
}

// PerSide returns how many observations a side find a change of the
// percentile by detect nanoseconds in 80 % of runs, when both sides have this
// tau. With a second mode nearby the power is less (.41 to .76 simulated). For
// interleaved pairs multiply the result by 1 - rho, for correlated observations
// by their VIF. It is 0 when detect is, and at most a billion.
func PerSide(tau float64, detect int64) int {
	return needed(2 * square((z975+z80)*tau/float64(detect)))
}

// PerSide returns how many observations a side, or pairs, would find a change
// by detect nanoseconds in 80 % of runs, judged by the width of this one's
// interval; so it knows of pairing, unlike arms and widening. It is 0 when
// the interval is not complete or detect is 0.
func (c Change) PerSide(detect int64) int {
	if !c.Complete() {
		return 0
	}
	perSide := 2 / (1/float64(c.Before.N) + 1/float64(c.After.N))
	standardError := float64(c.Hi-c.Lo) / (2 * z975)
	return needed(perSide * square((z975+z80)*standardError/float64(detect)))
}

func needed(n float64) int {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return int(min(1e9, math.Ceil(n)))
}

func square(v float64) float64 { return v * v }
