package report

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
)

// rampFields are the columns of ramp's CSV. A row is one stage, one template of a stage, one template
// or the sum of all stages:
//
//	scope       stage, stage_template, template, all
//	parallel    exchanges at once; rate: starts per second, of open arrival; template: its name
//	..._ns      of the accepted: setup, ttfb, first_text, total, intended (total from the intended start);
//	            text_gap and text_stall between the text events of a stream;
//	            of the throttled: throttled_p50_ns and _p95_ns, apart
//	ok_rate     accepted a second, of a number in parallel that was kept up
//	in_flight, skew_p50_ns, skew_max_ns, lag_ns, doubts   whether the stage was what it claims
var rampFields = [...]string{"scope", "parallel", "rate", "template", "asked", "ok", "throttled", "failed", "invalid", "not_sent",
	"payment_required", "setup_p50_ns", "ttfb_p50_ns", "ttfb_p95_ns", "first_text_p50_ns", "first_text_p95_ns",
	"text_gap_p50_ns", "text_stall_max_ns",
	"total_p50_ns", "total_p95_ns", "total_p99_ns", "intended_p50_ns", "intended_p95_ns", "throttled_p50_ns",
	"throttled_p95_ns", "retry_after_ns", "ok_rate", "in_flight", "skew_p50_ns", "skew_max_ns", "lag_ns", "doubts"}

func (v *rampView) records() Records {
	r := Records{Columns: rampFields[:]}
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		row := groupFields("stage", s, &s.Group)
		r.Rows = append(r.Rows, append(row, startFields(s)...))
		for j := range s.Templates {
			r.Rows = append(r.Rows, padFields(groupFields("stage_template", s, &s.Templates[j])))
		}
	}
	for i := range v.r.Templates {
		r.Rows = append(r.Rows, padFields(groupFields("template", nil, &v.r.Templates[i])))
	}
	r.Rows = append(r.Rows, padFields(groupFields("all", nil, &v.r.All)))
	return r
}

func padFields(row []any) []any {
	for len(row) < len(rampFields) {
		row = append(row, nil)
	}
	return row
}

func startFields(s *load.Stage) []any {
	doubts := ""
	for _, d := range s.Doubts {
		doubts = add2(doubts, d.String())
	}
	row := []any{nil, s.InFlight, nil, nil, int64(s.Lag), doubts}
	if s.Rate == 0 {
		row[2], row[3] = int64(s.Start.P50), int64(s.Start.Max)
	}
	if s.HasOKRate {
		row[0] = s.OKRate
	}
	return row
}

func groupFields(scope string, s *load.Stage, g *load.Group) []any {
	row := []any{scope, nil, nil, nil}
	switch {
	case s == nil:
	case s.Rate > 0:
		row[2] = s.Rate
	default:
		row[1] = s.Parallel
	}
	if g.Name != "" {
		row[3] = g.Name
	}
	c := g.Counts
	row = append(row, c.Asked, c.OK, c.Throttled, c.Failed, c.Invalid, c.NotSent, g.Dry)
	row = append(row, p50Field(g.Setup), p50Field(g.TTFB), p95Field(g.TTFB), p50Field(g.FirstText), p95Field(g.FirstText),
		p50Field(g.Gap), field(g.Stall, g.Stall.Max))
	row = append(row, p50Field(g.Total), p95Field(g.Total), p99Field(g.Total))
	if g.Open {
		row = append(row, p50Field(g.Intended), p95Field(g.Intended))
	} else {
		row = append(row, nil, nil)
	}
	row = append(row, p50Field(g.Throttled.Latency), p95Field(g.Throttled.Latency))
	return append(row, retryField(g.Throttled))
}

func retryField(t load.Throttled) any {
	if !t.HasRetryAfter {
		return nil
	}
	return int64(t.RetryAfter / time.Nanosecond)
}

func p50Field(f load.Figure) any { return field(f, f.P50.Value) }
func p95Field(f load.Figure) any { return field(f, f.P95.Value) }

func p99Field(f load.Figure) any {
	if !f.HasP99() {
		return nil
	}
	return f.P99.Value
}

func field(f load.Figure, ns int64) any {
	if f.N == 0 {
		return nil
	}
	return ns
}
