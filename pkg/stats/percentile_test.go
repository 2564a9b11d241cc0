package stats

import (
	"testing"
)

func TestParsePercentile(t *testing.T) {
	for text, want := range map[string]Percentile{
		"50": P50, "p50": P50, "99.9": 999_000, "p99.99": 999_900, "0.0001": 1, "99.9999": 999_999, "7": 70_000, "50.00": P50,
	} {
		got, err := ParsePercentile(text)
		if err != nil || got != want {
			t.Errorf("ParsePercentile(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "p", "0", "100", "-1", "+5", "5e1", "50.", ".5", "99.99999", "p p50", "1_0", "NaN", "50%"} {
		if got, err := ParsePercentile(text); err == nil {
			t.Errorf("ParsePercentile(%q) = %d, want an error", text, got)
		}
	}
}

func TestPercentileStringRoundTrips(t *testing.T) {
	for _, text := range []string{"p50", "p99.9", "p0.1", "p99.9999", "p10", "p7"} {
		if got := mustParse(t, text).String(); got != text {
			t.Errorf("String of %s = %q", text, got)
		}
	}
}

func TestRankIsExactWhereFloatsAreNot(t *testing.T) {
	type trap struct{ Exact, FloatRank int }
	for _, c := range []struct {
		p    string
		n    int
		want int
	}{{"7", 100, 7}, {"55", 100, 55}, {"99.9", 1000, 999}, {"14", 50, 7}, {"28", 25, 7}, {"50", 0, 0}, {"50", 1, 1}, {"99.9", 9_000_000_000, 8_991_000_000}} {
		if got := mustParse(t, c.p).Rank(c.n); got != c.want {
			t.Errorf("rank of p%s in %d = %d, want %d", c.p, c.n, got, c.want)
		}
	}
	for i, v := range vector[[]trap](t, "float_rank_trap") {
		cases := []struct {
			p Percentile
			n int
		}{{70_000, 100}, {550_000, 100}, {999_000, 1000}, {140_000, 50}, {280_000, 25}}
		if got := cases[i].p.Rank(cases[i].n); got != v.Exact {
			t.Errorf("trap %d: rank = %d, want %d", i, got, v.Exact)
		}
	}
}

func TestRankLaws(t *testing.T) {
	for n := 1; n <= 300; n++ {
		last := 0
		for p := Percentile(1); p < million; p += 999 {
			r := p.Rank(n)
			if r < 1 || r > n || r < last {
				t.Fatalf("rank of %v in %d = %d after %d", p, n, r, last)
			}
			if int64(r)*million < int64(p)*int64(n) || r > 1 && int64(r-1)*million >= int64(p)*int64(n) {
				t.Fatalf("rank of %v in %d = %d is not the smallest r with r/n >= p", p, n, r)
			}
			last = r
		}
	}
}

func TestSmallestUsefulSamples(t *testing.T) {
	type need struct {
		NotAnExtreme int `json:"not_an_extreme"`
		EqualTailed  int `json:"equal_tailed_95"`
		MinToMax     int `json:"min_to_max_95"`
		OneSided     int `json:"one_sided_95"`
	}
	for name, want := range vector[map[string]need](t, "min_n") {
		p := mustParse(t, name)
		if got := p.UsefulFrom(); got != want.NotAnExtreme {
			t.Errorf("%s.UsefulFrom() = %d, want %d", name, got, want.NotAnExtreme)
		}
		if got := p.IntervalFrom(); got != want.EqualTailed {
			t.Errorf("%s.IntervalFrom() = %d, want %d", name, got, want.EqualTailed)
		}
		below, above := p.share()
		wantTurn(t, name+" min..max holds 95 %", want.MinToMax, func(n int) bool {
			return binomialAtMost(0, n, above)+binomialAtLeast(n, n, below) <= alpha
		})
		wantTurn(t, name+" one limit on the far side", want.OneSided, func(n int) bool {
			return binomialAtLeast(n, n, max(below, above)) <= alpha
		})
	}
}

func wantTurn(t *testing.T, what string, n int, holds func(n int) bool) {
	t.Helper()
	if !holds(n) || holds(n-1) {
		t.Errorf("%s: at %d %v, at %d %v", what, n-1, holds(n-1), n, holds(n))
	}
}
