package load

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Knee is the first stage whose accepted exchanges took longer than those of the stages before it.
type Knee struct {
	Key    segment.Key
	Below  int          // position of the stage before it: the knee lies above its number ..
	At     int          // .. and at or below this one's
	Change stats.Change // of the p50, from all stages before to this one; its interval may be missing
	P      float64      // of the rank test, adjusted for all the stages tested (Holm 1979)
}

// unnoticed is the change nobody notices: 5 ms or 2 % of the larger p50.
func unnoticed(a, b int64) time.Duration {
	return max(5*time.Millisecond, time.Duration(max(a, b)/50))
}

// Knee returns where the service bent, and false when the data shows no such place. Each stage is
// tested against all before it together (Mann-Whitney, so no distribution is assumed, and three a side
// can never be enough); a stage that is not what it claims is left out. A slow first exchange hides no
// knee and makes none.
func (r *Ramp) Knee() (Knee, bool) {
	tests := r.kneeTests()
	p := make([]float64, len(tests))
	for i, t := range tests {
		p[i] = t.P
	}
	for i, adjusted := range stats.Holm(p) {
		t := tests[i]
		t.P = adjusted
		if t.P < 0.05 && time.Duration(t.Change.Delta) > unnoticed(t.Change.Before.Value, t.Change.After.Value) {
			return t, true
		}
	}
	return Knee{}, false
}

func (r *Ramp) kneeTests() []Knee {
	key := r.Key()
	var tests []Knee
	var before []int64
	below := -1
	for i, s := range r.Stages {
		if len(s.Doubts) > 0 {
			continue
		}
		values := s.values(key)
		if below >= 0 && len(values) > 0 {
			tests = append(tests, Knee{
				Key: key, Below: below, At: i, P: stats.MannWhitney(before, values).P,
				Change: stats.ChangeOf(stats.Sorted(before), stats.Sorted(values), stats.P50, stats.ChangeOptions{}),
			})
		}
		if len(values) > 0 {
			before, below = append(before, values...), i
		}
	}
	return tests
}
