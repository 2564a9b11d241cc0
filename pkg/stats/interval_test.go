package stats

import (
	"math"
	"slices"
	"strconv"
	"testing"
)

type oneSample struct {
	N           int
	Input       []int64
	NearestRank map[string]struct {
		Rank  int
		Value int64
		IsMin bool `json:"is_min"`
		IsMax bool `json:"is_max"`
	} `json:"nearest_rank"`
	OrderCI map[string]struct {
		LowerRank   *int     `json:"lower_rank"`
		UpperRank   *int     `json:"upper_rank"`
		Lower       *float64 `json:"lower"`
		Upper       *float64 `json:"upper"`
		Exact       *float64 `json:"exact_confidence"`
		LowerMiss   *float64 `json:"lower_miss"`
		UpperMiss   *float64 `json:"upper_miss"`
		NyblomLower *float64 `json:"nyblom_lower"`
		NyblomUpper *float64 `json:"nyblom_upper"`
	} `json:"order_ci_95"`
}

func TestPercentilesOfReferenceSamples(t *testing.T) {
	for name, sample := range vector[map[string]oneSample](t, "one_sample") {
		sorted := Sorted(sample.Input)
		for p, want := range sample.NearestRank {
			q := QuantileOf(sorted, mustParse(t, p))
			if q.Rank != want.Rank || q.Value != want.Value || q.IsMin() != want.IsMin || q.IsMax() != want.IsMax || q.N != sample.N {
				t.Errorf("%s %s = %+v (min %v, max %v), want %+v", name, p, q, q.IsMin(), q.IsMax(), want)
			}
		}
	}
}

func TestLimitsOfReferenceSamples(t *testing.T) {
	for name, sample := range vector[map[string]oneSample](t, "one_sample") {
		sorted := scaled(Sorted(sample.Input))
		for p, want := range sample.OrderCI {
			if name == "five" && p == "p50" {
				continue // the reference has no limits there, ours has its range: TestFiveObservations
			}
			what := name + " " + p
			pi := IntervalOf(sorted, mustParse(t, p))
			if pi.LowerRank != orZero(want.LowerRank) || pi.UpperRank != orZero(want.UpperRank) {
				t.Errorf("%s ranks = %d..%d, want %d..%d", what, pi.LowerRank, pi.UpperRank, orZero(want.LowerRank), orZero(want.UpperRank))
			}
			wantLimit(t, what+" lower", pi.HasLo, pi.Lo, want.NyblomLower)
			wantLimit(t, what+" upper", pi.HasHi, pi.Hi, want.NyblomUpper)
			wantPlainLimits(t, what, sorted, pi, want.Lower, want.Upper)
			below, above := mustParse(t, p).share()
			if want.LowerMiss != nil {
				wantNear(t, what+" lower miss", binomialAtMost(pi.LowerRank-1, sample.N, above), *want.LowerMiss)
			}
			if want.UpperMiss != nil {
				wantNear(t, what+" upper miss", binomialAtLeast(pi.UpperRank, sample.N, below), *want.UpperMiss)
			}
			if want.Exact != nil {
				wantNear(t, what+" confidence", pi.Exact, *want.Exact)
			} else if pi.Exact != 0 {
				t.Errorf("%s confidence = %v without both limits", what, pi.Exact)
			}
		}
	}
}

func wantPlainLimits(t *testing.T, what string, sorted []int64, pi PercentileInterval, lower, upper *float64) {
	t.Helper()
	if pi.LowerRank > 0 {
		wantLimit(t, what+" plain lower", true, sorted[pi.LowerRank-1], lower)
	}
	if pi.UpperRank > 0 {
		wantLimit(t, what+" plain upper", true, sorted[pi.UpperRank-1], upper)
	}
}

func TestLimitRanksFromFiveToTenThousand(t *testing.T) {
	type row struct {
		N          int
		P          string
		Rank       int
		LowerRank  *int `json:"lower_rank"`
		UpperRank  *int `json:"upper_rank"`
		Confidence *float64
	}
	for _, want := range vector[[]row](t, "order_ci_ranks_95") {
		p := mustParse(t, want.P)
		upper := upperRank(want.N, p)
		if upper > want.N {
			upper = 0
		}
		lower := lowerRank(want.N, p)
		if p.Rank(want.N) != want.Rank || lower != orZero(want.LowerRank) || upper != orZero(want.UpperRank) {
			t.Errorf("n %d %s: rank %d, limits %d..%d, want %+v", want.N, p, p.Rank(want.N), lower, upper, want)
		}
		if want.Confidence != nil {
			below, above := p.share()
			wantNear(t, strconv.Itoa(want.N)+want.P, 1-binomialAtMost(lower-1, want.N, above)-binomialAtLeast(upper, want.N, below), *want.Confidence)
		}
	}
}

func TestLimitRanksMatchASummedBinomial(t *testing.T) {
	for n := 1; n <= 400; n += 7 {
		for _, p := range []Percentile{P10, P50, P90, P99, 333_333} {
			below, above := p.share()
			sum, lower, upper := 0.0, 0, n+1
			for k := 0; k <= n; k++ {
				sum += math.Exp(logChoose(n, k) + float64(k)*math.Log(below) + float64(n-k)*math.Log(above))
				if sum <= alpha/2 {
					lower = k + 1
				}
				if 1-sum <= alpha/2 && upper > n && k < n {
					upper = k + 1
				}
			}
			if lowerRank(n, p) != lower || upperRank(n, p) != upper {
				t.Errorf("n %d %v: ranks %d, %d, want %d, %d", n, p, lowerRank(n, p), upperRank(n, p), lower, upper)
			}
		}
	}
}

func TestFiveObservations(t *testing.T) {
	pi := IntervalOf([]int64{431, 455, 469, 498, 512}, P50)
	want := Interval{Lo: 431, Hi: 512, HasLo: true, HasHi: true, Confidence: 0.9375}
	if pi.Interval != want || pi.Exact != 0.9375 {
		t.Errorf("p50 of five = %+v, want its range with 93.75 %%", pi)
	}
	for n := range 5 {
		if pi := IntervalOf([]int64{1, 2, 3, 4}[:n], P50); pi.HasLo || pi.HasHi || pi.Confidence != 0 {
			t.Errorf("p50 of %d = %+v, want no limit", n, pi)
		}
	}
}

func TestCompletionTimesWidenedByTheirCorrelation(t *testing.T) {
	sample := vector[map[string]oneSample](t, "one_sample")["completion_24_ms"].Input
	pi := IntervalOf(Sorted(sample), P50)
	wide := pi.Widened(pi.Value, Correlation(sample, pi.Value).VIF)
	if pi.Lo != 2203 || pi.Hi != 2764 || wide.Lo != 2092 || wide.Hi != 3091 {
		t.Errorf("p50 limits %d..%d, widened %d..%d, want 2203..2764, 2092..3091", pi.Lo, pi.Hi, wide.Lo, wide.Hi)
	}
}

func TestLimitsLieAroundTheirPercentile(t *testing.T) {
	r := newRand(1)
	for range 2000 {
		sorted := randomSample(r, 1+r.IntN(60))
		slices.Sort(sorted)
		for _, p := range []Percentile{P10, P50, P90, P99} {
			pi := IntervalOf(sorted, p)
			if pi.HasLo && (pi.Lo > pi.Value || pi.Lo < sorted[0]) || pi.HasHi && (pi.Hi < pi.Value || pi.Hi > sorted[len(sorted)-1]) {
				t.Fatalf("%v of %v = %+v", p, sorted, pi)
			}
		}
	}
}
