package report

import (
	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

func (v *rampView) json(d Document) any {
	r := v.r
	out := jsonRamp{
		Schema: "coldsplit.ramp/1", Sentence: plain(d.Sentence), Warnings: d.Warnings, From: Clip(r.Run.Vantage.From, clipText),
		Unit: int64(v.s), Key: v.key.String(), URL: Clip(rampRoute(r).URL, 4*clipText), Protocol: Clip(r.Protocol, clipName),
		State: rampRoute(r).State, Stages: []jsonStage{}, All: groupJSON(&r.All), Health: healthJSON(r),
		Findings: plainAll(v.findings()), Run: v.runJSON(), Hints: d.Hints, Footnotes: v.doubtLines(),
	}
	for i := range r.Stages {
		out.Stages = append(out.Stages, stageJSON(r, i))
	}
	out.Templates = groupsJSON(r.Templates)
	for i := range r.Instances {
		out.Instances = append(out.Instances, instanceJSON(&r.Instances[i]))
	}
	for _, a := range r.After {
		out.After = append(out.After, afterJSON(a))
	}
	for _, left := range r.Remaining {
		out.Remaining = append(out.Remaining, jsonRemaining{Clip(left.Header, clipName), left.Least, left.N})
	}
	if i, found := r.LastClean(); found {
		out.LastClean = &i
	}
	if i, found := r.FirstThrottled(); found {
		out.FirstThrottled = &i
	}
	out.Knee = kneeJSON(r)
	return out
}

func plainAll(items []string) []string {
	var out []string
	for _, item := range items {
		out = append(out, plain(item))
	}
	return out
}

func groupsJSON(groups []load.Group) []jsonGroup {
	var out []jsonGroup
	for i := range groups {
		out = append(out, groupJSON(&groups[i]))
	}
	return out
}

func groupJSON(g *load.Group) jsonGroup {
	out := jsonGroup{Name: Clip(g.Name, clipName), Counts: g.Counts, Dry: g.Dry, Figures: map[string]jsonLoadFigure{}}
	for name, f := range map[string]load.Figure{"setup": g.Setup, "ttfb": g.TTFB, "first_text": g.FirstText,
		"text_gap_p50": g.Gap, "text_stall": g.Stall, "total": g.Total} {
		if f.N > 0 {
			out.Figures[name] = loadFigureJSON(f)
		}
	}
	if g.Open && g.Intended.N > 0 {
		out.Figures["intended"] = loadFigureJSON(g.Intended)
	}
	if g.Throttled.N > 0 {
		out.Throttled = loadThrottledJSON(&g.Throttled)
	}
	for i := range g.Failures {
		f := &g.Failures[i]
		out.Failures = append(out.Failures, jsonLoadFailure{
			Class: Clip(string(f.Class), clipName), Segment: f.Segment.String(), Status: f.Status, Count: f.N,
			Text: Clip(f.Text, clipText), Instances: clipAll(f.Instances), Stages: f.Stages,
		})
	}
	out.Invalid = sharesJSON(g.Invalid)
	return out
}

func loadThrottledJSON(t *load.Throttled) *jsonLoadThrottled {
	out := &jsonLoadThrottled{
		Count: t.N, Statuses: sharesJSON(t.Statuses), Reasons: sharesJSON(t.Reasons), Limits: sharesJSON(t.Limits),
		Latency: loadFigureJSON(t.Latency),
	}
	if t.HasRetryAfter {
		out.RetryAfter, out.RetryAfterMax = &t.RetryAfter, &t.RetryAfterMax
	}
	return out
}

func sharesJSON(shares []reading.Share) []jsonTally {
	var out []jsonTally
	for _, s := range shares {
		out = append(out, jsonTally{Clip(s.Value, clipText), s.N})
	}
	return out
}

func loadFigureJSON(f load.Figure) jsonLoadFigure {
	out := jsonLoadFigure{N: f.N, Rank: map[string]int{}, Extreme: map[string]string{}, Interval: map[string]jsonInterval{}}
	out.P50, out.P95, out.Max = f.P50.Value, f.P95.Value, f.Max
	show := map[string]stats.PercentileInterval{"p50": f.P50, "p95": f.P95}
	if f.HasP99() {
		out.P99 = &f.P99.Value
		show["p99"] = f.P99
	}
	for name, q := range show {
		out.Rank[name] = q.Rank
		if e := extremeOf(q.Quantile); e != "" {
			out.Extreme[name] = e
		}
		if iv, any := intervalJSON(q.Interval); any {
			out.Interval[name] = iv
		}
	}
	return out
}

func stageJSON(r *load.Ramp, i int) jsonStage {
	s := &r.Stages[i]
	out := jsonStage{
		Parallel: s.Parallel, Rate: s.Rate, Sent: s.Sent, Order: s.Index, Began: s.Began.UTC(), jsonGroup: groupJSON(&s.Group),
		InFlight: s.InFlight, Lag: s.Lag, Templates: groupsJSON(s.Templates),
	}
	if s.HasOKRate {
		out.OKRate = &s.OKRate
	}
	if s.Rate == 0 {
		out.Start = &jsonStart{s.Start.N, s.Start.P50, s.Start.Max, s.Start.Connect}
	}
	for _, d := range s.Doubts {
		out.Doubts = append(out.Doubts, d.String())
	}
	if s.Summary != nil {
		out.Segments = segmentsJSON(ArmOf(s.Summary))
	}
	for _, in := range r.Instances {
		if c := in.Stages[i].Counts; c.Asked > 0 {
			out.Instances = append(out.Instances, jsonInstanceCount{Clip(in.Name, clipName), c.OK, c.Throttled, c.Failed, in.Stages[i].Held})
		}
	}
	return out
}

func instanceJSON(in *load.Instance) jsonInstance {
	return jsonInstance{
		jsonInstanceCount: jsonInstanceCount{Clip(in.Name, clipName), in.Counts.OK, in.Counts.Throttled, in.Counts.Failed, in.Held},
		FirstSeen:         in.FirstSeen.UTC(), FirstStage: firstStage(in),
	}
}

func healthJSON(r *load.Ramp) *jsonHealth {
	h := &r.Health
	if h.Counts.Asked == 0 {
		return nil
	}
	out := &jsonHealth{URL: Clip(h.URL, 4*clipText), Counts: h.Counts}
	if h.Total.N > 0 {
		f := loadFigureJSON(h.Total)
		out.Total = &f
	}
	if h.FirstBad != nil {
		out.FirstBad = &jsonBad{h.FirstBad.At.UTC(), h.FirstBad.Stage, h.FirstBad.Status, Clip(string(h.FirstBad.Class), clipName)}
	}
	return out
}

func afterJSON(a load.Afterward) jsonAfter {
	out := jsonAfter{Outcome: string(a.Outcome), Status: a.Status, Total: a.Total}
	if a.HasText {
		out.FirstText = &a.FirstText
	}
	return out
}

func kneeJSON(r *load.Ramp) *jsonKnee {
	k, found := r.Knee()
	if !found {
		return nil
	}
	out := &jsonKnee{Key: k.Key.String(), Below: k.Below, At: k.At, P: k.P,
		Before: k.Change.Before.Value, After: k.Change.After.Value, Change: k.Change.Delta}
	if iv, any := intervalJSON(k.Change.Interval); any {
		out.Interval = &iv
	}
	return out
}

func (v *rampView) runJSON() jsonRampRun {
	r := v.r
	out := jsonRampRun{
		Tool: Clip(r.Run.Tool, clipText), Resolver: Clip(r.Resolver, clipText), TLS: Clip(r.TLS, clipName), Percentiles: "nearest rank",
		Gap: r.Plan.Gap, Hold: r.Plan.Hold, Rounds: max(1, r.Plan.Rounds), Find: r.Plan.Find, Ceiling: r.Plan.Ceiling,
		Requests: r.Requests, Cost: r.Plan.Cost, Budget: r.Plan.Budget, Reserved: float64(r.Requests) * r.Plan.Cost,
		Stop: Clip(r.End.Stop, clipName), Unsent: r.Unsent, AfterUnsent: v.afterUnsent(), Complete: r.Complete, Rehearsed: r.Run.Rehearsed, Notes: clipAll(r.Run.Notes),
	}
	if !r.Began.IsZero() {
		began, ended := r.Began.UTC(), r.Ended.UTC()
		out.Began, out.Ended = &began, &ended
	}
	return out
}
