package stats

import (
	"testing"
)

func TestTrendAndCorrelationOfCompletionTimes(t *testing.T) {
	want := vector[struct {
		Tau       float64 `json:"kendall_tau_b"`
		P         float64
		VIF       float64 `json:"vif_initial_positive_sequence"`
		Effective float64 `json:"n_effective"`
		Lag1      float64 `json:"indicator_acf_lag1"`
	}](t, "trend_completion_24")
	values := vector[map[string]oneSample](t, "one_sample")["completion_24_ms"].Input
	trend := TrendOf(values)
	wantNear(t, "tau", trend.Tau, want.Tau)
	wantNear(t, "p", trend.P, want.P)
	if trend.Early != 2918 || trend.Late != 2211 {
		t.Errorf("first and last third: %d, %d, want 2918, 2211", trend.Early, trend.Late)
	}
	serial := Correlation(values, 2345)
	wantNear(t, "VIF", serial.VIF, want.VIF)
	wantNear(t, "effective n", serial.Effective, want.Effective)
	series := newBits(values, 2345)
	wantNear(t, "lag 1", series.covariance(1)/series.covariance(0), want.Lag1)
}

func TestTrendCountsInversions(t *testing.T) {
	r := newRand(10)
	for range 100 {
		x := randomSample(r, r.IntN(40))
		var want int64
		for j := range x {
			for i := range j {
				if x[i] > x[j] {
					want++
				}
			}
		}
		if got := inversions(x); got != want {
			t.Fatalf("inversions of %v = %d, want %d", x, got, want)
		}
	}
}

func TestTrendOfSimpleSeries(t *testing.T) {
	up, down := make([]int64, 100), make([]int64, 100)
	for i := range up {
		up[i], down[i] = int64(i), int64(-i)
	}
	if a, b := TrendOf(up), TrendOf(down); a.Tau != 1 || b.Tau != -1 || a.P != b.P || a.P > 1e-9 {
		t.Errorf("up %+v, down %+v", a, b)
	}
	for _, flat := range [][]int64{nil, {7}, {7, 7, 7, 7}} {
		if got := TrendOf(flat); got.P != 1 || got.Tau != 0 {
			t.Errorf("TrendOf(%v) = %+v", flat, got)
		}
	}
}

func TestCorrelationMatchesTheDefinition(t *testing.T) {
	r := newRand(11)
	for range 200 {
		n := 2 + r.IntN(300)
		x := make([]int64, n)
		for i := range x {
			if i > 0 && r.IntN(3) > 0 {
				x[i] = x[i-1]
			} else {
				x[i] = int64(r.IntN(2))
			}
		}
		series, mean := newBits(x, 0), 0.0
		for _, v := range x {
			mean += indicator(v <= 0) / float64(n)
		}
		for lag := range n {
			want := 0.0
			for i := range n - lag {
				want += (indicator(x[i] <= 0) - mean) * (indicator(x[i+lag] <= 0) - mean)
			}
			got := series.covariance(lag) / float64(n) / float64(n)
			if got-want > 1e-9 || want-got > 1e-9 {
				t.Fatalf("covariance of %v at lag %d = %v, want %v", x, lag, got, want)
			}
		}
	}
}

func TestCorrelationOfDegenerateSeries(t *testing.T) {
	for _, x := range [][]int64{nil, {1}, {5, 5, 5, 5, 5, 5, 5, 5}, {1, 2, 1, 2, 1, 2, 1, 2}} {
		if got := Correlation(x, 1); got.VIF != 1 || got.Effective != float64(len(x)) {
			t.Errorf("Correlation(%v) = %+v, want VIF 1", x, got)
		}
	}
}
