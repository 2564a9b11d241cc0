package report

import (
	"github.com/coldsplit/coldsplit/pkg/load"
)

// changeFields are what the CSV of a comparison has beyond [rampFields], in rows of the scope change,
// one a stage both ramps have: counts and the p50 of the key before and after, its change with the
// interval, the verdict, and p of the accepted's times and of the share throttled (both Holm).
var changeFields = [...]string{"key", "before_ok", "after_ok", "before_throttled", "after_throttled", "before_p50_ns", "after_p50_ns",
	"change_ns", "change_lo_ns", "change_hi_ns", "verdict", "p_holm", "throttled_p_holm"}

// records are the later ramp's own rows and one for each stage compared.
func (v *rampChange) records(own Records) Records {
	r := Records{Columns: append(append([]string{}, own.Columns...), changeFields[:]...)}
	for _, row := range own.Rows {
		r.Rows = append(r.Rows, append(row, make([]any, len(changeFields))...))
	}
	for i := range v.c.Steps {
		r.Rows = append(r.Rows, v.changeRow(&v.c.Steps[i]))
	}
	return r
}

func (v *rampChange) changeRow(s *load.Step) []any {
	row := make([]any, len(rampFields))
	row[0] = "change"
	if s.After.Rate > 0 {
		row[2] = s.After.Rate
	} else {
		row[1] = s.After.Parallel
	}
	b, a := s.Before.Counts, s.After.Counts
	row = append(row, v.c.Key.String(), b.OK, a.OK, b.Throttled, a.Throttled)
	row = append(row, changeTimes(s)...)
	return append(row, string(s.Verdict()), s.P, s.PThrottled)
}

// changeTimes are both p50, the change and its interval, as far as there are any.
func changeTimes(s *load.Step) []any {
	out := make([]any, 5)
	if s.Before.Counts.OK > 0 && s.After.Counts.OK > 0 {
		out[0], out[1], out[2] = s.Change.Before.Value, s.Change.After.Value, s.Change.Delta
	}
	if s.Change.Complete() {
		out[3], out[4] = s.Change.Lo, s.Change.Hi
	}
	return out
}
