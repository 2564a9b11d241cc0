package stats

import "math"

// Level is the confidence of every interval that does not say otherwise.
const Level = 1 - alpha

// Interval is a confidence interval in nanoseconds. A limit that the sample
// cannot give is missing, never made up: then the other one still holds on
// its side with 97.5 %.
type Interval struct {
	Lo, Hi       int64
	HasLo, HasHi bool
	Confidence   float64 // 0 when both limits are missing
}

// Complete reports whether both limits exist.
func (iv Interval) Complete() bool { return iv.HasLo && iv.HasHi }

// ExcludesZero reports whether the interval is complete and lies on one side
// of zero.
func (iv Interval) ExcludesZero() bool { return iv.Complete() && (iv.Lo > 0 || iv.Hi < 0) }

// Contains reports whether no limit of the interval rules v out.
func (iv Interval) Contains(v int64) bool {
	return (!iv.HasLo || iv.Lo <= v) && (!iv.HasHi || v <= iv.Hi)
}

// Widened returns the interval with its distances from center multiplied by
// the root of vif, the variance inflation of correlated observations (see
// [Correlation]). A vif below 1 changes nothing.
func (iv Interval) Widened(center int64, vif float64) Interval {
	if !(vif > 1) {
		return iv
	}
	root := math.Sqrt(vif)
	iv.Lo = center - round(float64(center-iv.Lo)*root)
	iv.Hi = center + round(float64(iv.Hi-center)*root)
	return iv
}

// round goes half away from zero, so that mirrored input gives mirrored limits.
func round(v float64) int64 { return int64(math.Round(v)) }

// PercentileInterval holds the limits of one percentile of one sample,
// without any assumption about its distribution.
type PercentileInterval struct {
	Quantile
	// Interval is sharpened by interpolation so that it holds close to 95 %
	// (Nyblom 1992); this is the one to print.
	Interval
	// LowerRank and UpperRank are the ranks of the plain order-statistic
	// limits, 0 where there is none.
	LowerRank, UpperRank int
	// Exact is the true confidence of the plain limits, also for discrete
	// data; 0 unless both exist.
	Exact float64
}

// IntervalOf returns the limits of the p-th percentile of a sorted sample of
// independent observations. Five observations give p50 their minimum and
// maximum, which hold 93.75 %; below that p50 has no limit.
func IntervalOf(sorted []int64, p Percentile) PercentileInterval {
	return intervalOf(whole(sorted), p)
}

func intervalOf(sorted ranked, p Percentile) PercentileInterval {
	n := sorted.len()
	pi := PercentileInterval{Quantile: Quantile{Rank: p.Rank(n), N: n}}
	if n == 0 {
		return pi
	}
	pi.Value = sorted.at(pi.Rank)
	if n == 5 && p == P50 {
		return rangeOfFive(sorted, pi)
	}
	pi.setLower(sorted, p)
	pi.setUpper(sorted, p)
	if pi.HasLo || pi.HasHi {
		pi.Confidence = Level
	}
	if pi.Complete() {
		below, above := p.share()
		pi.Exact = 1 - binomialAtMost(pi.LowerRank-1, n, above) - binomialAtLeast(pi.UpperRank, n, below)
	}
	return pi
}

func rangeOfFive(sorted ranked, pi PercentileInterval) PercentileInterval {
	const bothSides = 1 - 2.0/32
	pi.LowerRank, pi.UpperRank, pi.Exact = 1, 5, bothSides
	pi.Interval = Interval{Lo: sorted.at(1), Hi: sorted.at(5), HasLo: true, HasHi: true, Confidence: bothSides}
	return pi
}

func (pi *PercentileInterval) setLower(sorted ranked, p Percentile) {
	n := sorted.len()
	l := lowerRank(n, p)
	if l == 0 {
		return
	}
	below, above := p.share()
	pi.LowerRank, pi.HasLo, pi.Lo = l, true, sorted.at(l)
	if l < n {
		weight := nyblom(n, l, below, above, binomialAtMost(l-1, n, above), binomialAtMost(l, n, above))
		pi.Lo += round(weight * float64(sorted.at(l+1)-sorted.at(l)))
	}
}

func (pi *PercentileInterval) setUpper(sorted ranked, p Percentile) {
	n := sorted.len()
	u := upperRank(n, p)
	if u > n {
		return
	}
	below, above := p.share()
	pi.UpperRank, pi.HasHi, pi.Hi = u, true, sorted.at(u)
	if u > 1 {
		weight := nyblom(n, n+1-u, above, below, binomialAtLeast(u, n, below), binomialAtLeast(u-1, n, below))
		pi.Hi -= round(weight * float64(sorted.at(u)-sorted.at(u-1)))
	}
}

// nyblom returns how far a limit moves from its order statistic towards the
// next one inwards. miss is the error at that order statistic, at most
// alpha/2; next the error one further in, above alpha/2.
func nyblom(n, rank int, below, above, miss, next float64) float64 {
	const a = alpha / 2
	odds := float64(rank) * above * (next - a) / (float64(n-rank) * below * (a - miss))
	return 1 / (1 + odds)
}
