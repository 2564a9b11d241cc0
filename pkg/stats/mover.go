package stats

import "math"

// Change is the difference between the p-th percentiles of two samples, after
// minus before, with its interval.
type Change struct {
	Before, After PercentileInterval // widened if the options say so
	Delta         int64              // nanoseconds; negative is faster; 0 if a side is empty
	// Interval joins the two samples' own limits (MOVER: Zou and Donner 2008).
	// It is complete or absent: it needs both limits on both sides. Its
	// confidence is that of the weaker side.
	Interval
	// Rho is the correlation term that was used.
	Rho float64
}

// ChangeOptions say what links the two samples. The zero value means two
// independent samples of independent observations.
type ChangeOptions struct {
	// Rho is the pairing term of interleaved runs (see PairingTerm), in -1..1.
	Rho float64
	// BeforeVIF and AfterVIF widen the limits of separate runs for the
	// correlation inside each (see Correlation). Interleaved runs leave them
	// 0: pairing took that correlation out.
	BeforeVIF, AfterVIF float64
}

// ChangeOf returns the change of the p-th percentile between two sorted
// samples. Simulated coverage of 95 % is .95 to .99 whatever the shapes; the
// worst cells found are .915 at 5 a side (.93 at 10) when the slower of two
// modes becomes the usual one, and .92 at 8 pairs with a step in the middle of
// the run (testdata/coverage.md). Swapping the samples negates it exactly.
func ChangeOf(before, after []int64, p Percentile, options ChangeOptions) Change {
	c := Change{Before: IntervalOf(before, p), After: IntervalOf(after, p), Rho: clampRho(options.Rho)}
	c.Before.Interval = c.Before.Widened(c.Before.Value, options.BeforeVIF)
	c.After.Interval = c.After.Widened(c.After.Value, options.AfterVIF)
	if c.Before.N == 0 || c.After.N == 0 {
		return c
	}
	c.Delta = c.After.Value - c.Before.Value
	if !c.Before.Complete() || !c.After.Complete() {
		return c
	}
	down := joined(c.After.below(), c.Before.above(), c.Rho)
	up := joined(c.After.above(), c.Before.below(), c.Rho)
	c.Interval = Interval{
		Lo: c.Delta - round(down), HasLo: true,
		Hi: c.Delta + round(up), HasHi: true,
		Confidence: min(c.Before.Confidence, c.After.Confidence),
	}
	return c
}

func (pi PercentileInterval) below() float64 { return float64(pi.Value - pi.Lo) }
func (pi PercentileInterval) above() float64 { return float64(pi.Hi - pi.Value) }

func clampRho(rho float64) float64 {
	if math.IsNaN(rho) {
		return 0
	}
	return min(max(rho, -1), 1)
}

// joined is the length of the difference of two distances with correlation
// rho; symmetric in a and b to the last bit, which keeps mirrors exact.
func joined(a, b, rho float64) float64 {
	return math.Sqrt(max(0, a*a+b*b-2*rho*(a*b)))
}

// Ratio is an interval for after/before of a percentile: the factors c at
// which the interval of after - c*before turns past zero. So a limit of
// +10 % is beyond it exactly when after - 1.1*before is beyond zero.
type Ratio struct {
	Value, Lo, Hi float64
	// HasValue is false when before is not positive or a side empty, HasInterval also when the
	// change has no interval or before's limits reach twice its percentile or 0.
	HasValue, HasInterval bool
}

// Ratio returns after/before with the interval that the change implies.
func (c Change) Ratio() Ratio {
	before, after := float64(c.Before.Value), float64(c.After.Value)
	if before <= 0 || c.After.N == 0 {
		return Ratio{}
	}
	r := Ratio{Value: after / before, HasValue: true}
	switch {
	case !c.Complete():
		return r
	case c.Lo == 0 && c.Hi == 0: // no change for certain is none in either form
		r.Lo, r.Hi, r.HasInterval = 1, 1, true
		return r
	}
	lo, hasLo := ratioLimit(before, after, c.Before.above(), c.After.below(), c.Rho, -1)
	hi, hasHi := ratioLimit(before, after, c.Before.below(), c.After.above(), c.Rho, +1)
	if hasLo && hasHi {
		r.Lo, r.Hi, r.HasInterval = lo, hi, true
	}
	return r
}

// ratioLimit solves (after - c*before)^2 = a^2 + c^2 b^2 - 2 rho c a b for c.
func ratioLimit(before, after, b, a, rho, side float64) (float64, bool) {
	square := before*before - b*b
	middle := before*after - rho*a*b
	if square <= 0 {
		return 0, false
	}
	root := middle*middle - square*(after*after-a*a)
	return (middle + side*math.Sqrt(max(0, root))) / square, true
}

// PairingTerm returns the correlation to use for interleaved pairs: the phi
// coefficient of "at or below its arm's percentile", from 8 pairs on; from 5
// to 7 only if negative, since so few pairs claim a positive one by luck; 0
// below. before[i] and after[i] are one pair; the two levels are the
// percentiles of the arms.
func PairingTerm(before, after []int64, beforeLevel, afterLevel int64) float64 {
	phi := phiOf(before, after, beforeLevel, afterLevel)
	switch n := min(len(before), len(after)); {
	case n >= 8:
		return phi
	case n >= 5:
		return min(0, phi)
	}
	return 0
}

func phiOf(before, after []int64, beforeLevel, afterLevel int64) float64 {
	n := min(len(before), len(after))
	var low, lowBefore, lowAfter float64
	for i := range n {
		b, a := before[i] <= beforeLevel, after[i] <= afterLevel
		lowBefore += indicator(b)
		lowAfter += indicator(a)
		low += indicator(b && a)
	}
	total := float64(n)
	spread := (lowBefore * (total - lowBefore)) * (lowAfter * (total - lowAfter))
	if spread == 0 {
		return 0
	}
	return (low*total - lowBefore*lowAfter) / math.Sqrt(spread)
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
