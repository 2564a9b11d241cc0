package report

import (
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// The JSON form of compare, schema coldsplit.compare/1. Times are integer nanoseconds in keys ending in
// _ns and not rounded, absent is a missing key, changes are after minus before.
type (
	jsonCompare struct {
		Schema      string           `json:"schema"`
		Sentence    string           `json:"sentence"`
		Warnings    []string         `json:"warnings,omitempty"`
		From        string           `json:"from,omitempty"`
		Unit        int64            `json:"text_unit_ns"`
		Names       [2]string        `json:"names"`
		Arms        []jsonArm        `json:"arms"`
		Change      *jsonChange      `json:"change,omitempty"`
		Verdict     *jsonVerdict     `json:"verdict,omitempty"`
		Ledger      *jsonLedger      `json:"ledger,omitempty"`
		Percentiles []jsonPercentile `json:"percentiles,omitempty"`
		Findings    []jsonFinding    `json:"findings"`
		Doubts      []string         `json:"doubts,omitempty"`
		Shares      []jsonShare      `json:"shares,omitempty"`
		Steadiness  *jsonTwo         `json:"p10_to_p50,omitempty"`
		Drift       *jsonDrift       `json:"drift,omitempty"`
		Control     *jsonControl     `json:"control,omitempty"`
		Answers     jsonAnswers      `json:"answers"`
		Differences []jsonDifference `json:"differences,omitempty"`
		Gate        []jsonGate       `json:"gate,omitempty"`
		Run         []jsonRun        `json:"run"`
		Hints       []string         `json:"hints,omitempty"`
	}
	jsonChange struct {
		Key        string   `json:"of"`
		Percentile string   `json:"percentile"`
		Before     int64    `json:"before_ns"`
		After      int64    `json:"after_ns"`
		Change     int64    `json:"change_ns"`
		Lo         *int64   `json:"lo_ns,omitempty"`
		Hi         *int64   `json:"hi_ns,omitempty"`
		Confidence float64  `json:"confidence,omitempty"`
		Rho        float64  `json:"pairing_term"`
		Ratio      *float64 `json:"ratio,omitempty"`
		RatioLo    *float64 `json:"ratio_lo,omitempty"`
		RatioHi    *float64 `json:"ratio_hi,omitempty"`
	}
	jsonVerdict struct {
		Word        string       `json:"word"`
		Delta       int64        `json:"nobody_notices_ns"`
		P           float64      `json:"p"`
		Interleaved bool         `json:"interleaved"`
		Pairs       int          `json:"pairs,omitempty"`
		Identical   bool         `json:"identical,omitempty"`
		WithoutDNS  bool         `json:"without_dns,omitempty"`
		Gap         int64        `json:"apart_ns,omitempty"`
		Short       string       `json:"short,omitempty"`
		Needed      []jsonNeeded `json:"needed,omitempty"`
	}
	jsonNeeded struct {
		Detect int64 `json:"detect_ns"`
		N      int   `json:"per_arm"`
	}
	jsonLedger struct {
		P50    []jsonEntry `json:"p50"`
		P90    []jsonEntry `json:"p90,omitempty"`
		Folds  []string    `json:"folded,omitempty"`
		Offset *jsonOffset `json:"offset,omitempty"`
	}
	jsonEntry struct {
		Key      string     `json:"segment"`
		Of       []string   `json:"of,omitempty"`
		Before   int64      `json:"before_ns"`
		After    int64      `json:"after_ns"`
		Change   int64      `json:"change_ns"`
		Lo       *int64     `json:"lo_ns,omitempty"`
		Hi       *int64     `json:"hi_ns,omitempty"`
		P        *float64   `json:"p,omitempty"`
		Adjusted *float64   `json:"p_holm,omitempty"`
		Standing string     `json:"standing"`
		Parts    []jsonPart `json:"parts,omitempty"`
	}
	jsonPart struct {
		Key    string `json:"segment"`
		Before *int64 `json:"before_ns,omitempty"`
		After  *int64 `json:"after_ns,omitempty"`
	}
	jsonOffset struct {
		Gain  int64    `json:"gain_ns"`
		Loss  int64    `json:"loss_ns"`
		Ratio *float64 `json:"ratio,omitempty"`
		Lo    *float64 `json:"lo,omitempty"`
		Hi    *float64 `json:"hi,omitempty"`
	}
	jsonPercentile struct {
		jsonChange
		Extreme string `json:"extreme,omitempty"`
	}
	jsonFinding struct {
		Kind    string  `json:"kind"`
		Segment string  `json:"segment,omitempty"`
		Before  *int64  `json:"before_ns,omitempty"`
		After   *int64  `json:"after_ns,omitempty"`
		P       float64 `json:"p,omitempty"`
		Text    string  `json:"text"`
	}
	jsonShare struct {
		What   string     `json:"what"`
		Before [2]int     `json:"before_of"` // how many of how many
		After  [2]int     `json:"after_of"`
		Lo     [2]float64 `json:"before_range"`
		Hi     [2]float64 `json:"after_range"`
		P      float64    `json:"fisher_p"`
	}
	jsonTwo struct {
		Before int64 `json:"before_ns"`
		After  int64 `json:"after_ns"`
	}
	jsonDrift struct {
		Drifts      bool       `json:"drifts"`
		Before      jsonTrend  `json:"before"`
		After       jsonTrend  `json:"after"`
		Pairs       *jsonTrend `json:"pairs,omitempty"`
		OrderEffect *float64   `json:"order_effect_p,omitempty"`
		VIF         [2]float64 `json:"variance_inflation"`
		Effective   [2]float64 `json:"effective_n"`
	}
	jsonTrend struct {
		Tau   float64 `json:"kendall_tau"`
		P     float64 `json:"p"`
		Early int64   `json:"first_third_p50_ns"`
		Late  int64   `json:"last_third_p50_ns"`
	}
	jsonControl struct {
		Name   string      `json:"name"`
		N      int         `json:"n"`
		Moved  bool        `json:"moved"`
		Change *jsonChange `json:"change,omitempty"`
		Trend  *jsonTrend  `json:"trend,omitempty"`
	}
	jsonAnswers struct {
		Known bool   `json:"known"`
		Same  bool   `json:"same"`
		Text  string `json:"text"`
	}
	jsonDifference struct {
		What   string `json:"what"`
		Before string `json:"before"`
		After  string `json:"after"`
		Asked  bool   `json:"asked"`
		Bars   bool   `json:"bars"`
	}
	jsonGate struct {
		Rule    string   `json:"rule"`
		Outcome string   `json:"outcome"`
		Unit    string   `json:"unit"` // "ratio" (change as a share of before), "share" or "ns"
		Value   *float64 `json:"value,omitempty"`
		Lo      *float64 `json:"lo,omitempty"`
		Hi      *float64 `json:"hi,omitempty"`
		Needed  int      `json:"needed,omitempty"`
		Why     string   `json:"why,omitempty"`
		Blame   string   `json:"most_of_it_in,omitempty"`
	}
)

func (v *view) json(d Document) jsonCompare {
	out := jsonCompare{
		Schema: "coldsplit.compare/1", Sentence: plain(d.Sentence), Warnings: d.Warnings, From: Clip(v.from, clipText),
		Unit: int64(v.s), Names: v.names, Findings: []jsonFinding{}, Hints: d.Hints,
		Differences: v.differencesJSON(), Gate: v.gateJSON(), Answers: v.answersJSON(), Shares: v.sharesJSON(),
	}
	for i := range v.arms {
		out.Arms = append(out.Arms, armJSON(v.callee(i)))
		if i == 0 || v.c.Sets[0] != v.c.Sets[1] {
			out.Run = append(out.Run, runJSON(v.runFacts(i)))
		}
	}
	if v.bothOK() {
		v.resultJSON(&out)
	}
	return out
}

// callee is an arm under the name the report gives it.
func (v *view) callee(i int) Arm {
	a := v.arms[i]
	a.Name = v.names[i]
	return a
}

// runFacts are those of an arm's run; in one run both arms share them.
func (v *view) runFacts(i int) RunFacts {
	if v.c.Sets[0] == v.c.Sets[1] {
		return runFactsOf(v.c.Sets[0])
	}
	return v.facts(i)
}

func (v *view) resultJSON(out *jsonCompare) {
	change := changeJSON(segment.Total, stats.P50, v.c.Total)
	if v.c.Verdict != ledger.NotComparable {
		out.Change, out.Ledger = &change, v.ledgerJSON()
	}
	out.Verdict = &jsonVerdict{
		Word: v.c.Verdict.String(), Delta: v.c.Delta, P: v.c.Test.P, Interleaved: v.c.Interleaved, Pairs: v.c.Pairs,
		Identical: v.c.Identical, WithoutDNS: v.c.Fold&ledger.WithoutDNS != 0, Gap: int64(v.gap()), Short: v.in.Short,
	}
	for _, n := range v.c.Needed {
		out.Verdict.Needed = append(out.Verdict.Needed, jsonNeeded{n.Detect, n.N})
	}
	if v.c.Verdict != ledger.NotComparable {
		out.Percentiles, out.Findings = v.percentilesJSON(), v.findingsJSON()
		for _, text := range v.doubts() {
			out.Doubts = append(out.Doubts, plain(text))
		}
	}
	if s := v.c.Steadiness; s.Known {
		out.Steadiness = &jsonTwo{s.Before, s.After}
	}
	out.Drift, out.Control = v.driftJSON(), v.controlJSON()
}

func changeJSON(k segment.Key, p stats.Percentile, c stats.Change) jsonChange {
	out := jsonChange{
		Key: k.String(), Percentile: p.String(), Before: c.Before.Value, After: c.After.Value, Change: c.Delta, Rho: c.Rho,
	}
	if c.Complete() {
		out.Lo, out.Hi, out.Confidence = &c.Lo, &c.Hi, c.Confidence
	}
	ratio := c.Ratio()
	if ratio.HasValue {
		out.Ratio = &ratio.Value
	}
	if ratio.HasInterval {
		out.RatioLo, out.RatioHi = &ratio.Lo, &ratio.Hi
	}
	return out
}

// foldNames are the words for why rows were joined.
var foldNames = []struct {
	fold ledger.Fold
	name string
}{
	{ledger.FoldSetup, "setup"}, {ledger.FoldWait, "wait"}, {ledger.FoldWaitBare, "wait_unreported"}, {ledger.FoldEdgeRTT, "edge_rtt_moved"},
	{ledger.FoldEdgeOpen, "edge_rtt_unknown"}, {ledger.FoldUpstream, "upstream"}, {ledger.FoldTransfer, "transfer"}, {ledger.WithoutDNS, "without_dns"},
}

func (v *view) ledgerJSON() *jsonLedger {
	out := &jsonLedger{P50: entriesJSON(v.c.Entries), P90: entriesJSON(v.c.P90)}
	for _, f := range foldNames {
		if v.c.Fold&f.fold != 0 {
			out.Folds = append(out.Folds, f.name)
		}
	}
	if o := v.c.Offset; o.Gain > 0 || o.Loss > 0 {
		out.Offset = &jsonOffset{Gain: int64(o.Gain), Loss: int64(o.Loss)}
		if o.HasValue {
			out.Offset.Ratio = &o.Value
		}
		if o.HasInterval {
			out.Offset.Lo, out.Offset.Hi = &o.Lo, &o.Hi
		}
	}
	return out
}

func entriesJSON(entries []ledger.Entry) []jsonEntry {
	var out []jsonEntry
	for i := range entries {
		out = append(out, entryJSON(&entries[i]))
	}
	return out
}

func entryJSON(e *ledger.Entry) jsonEntry {
	one := jsonEntry{Key: e.Key.String(), Before: e.Before, After: e.After, Change: e.Change, Standing: e.Standing.String()}
	if len(e.Of) > 1 {
		for _, k := range e.Of {
			one.Of = append(one.Of, k.String())
		}
	}
	if e.Interval.Complete() {
		one.Lo, one.Hi = &e.Interval.Lo, &e.Interval.Hi
	}
	if e.Varies {
		one.P, one.Adjusted = &e.P, &e.Adjusted
	}
	for i := range e.Parts {
		p := &e.Parts[i]
		part := jsonPart{Key: p.Key.String()}
		if p.Has[0] {
			part.Before = &p.Before
		}
		if p.Has[1] {
			part.After = &p.After
		}
		one.Parts = append(one.Parts, part)
	}
	return one
}

// percentilesJSON are the changes of the percentiles text shows.
func (v *view) percentilesJSON() []jsonPercentile {
	var out []jsonPercentile
	for _, k := range []segment.Key{segment.Setup, segment.TTFB, segment.FirstText, segment.Total} {
		changes, ok := v.changesOf(k)
		for i, change := range changes {
			if !ok {
				break
			}
			one := jsonPercentile{jsonChange: changeJSON(k, summary.Percentiles[i], change), Extreme: extremeOf(change.After.Quantile)}
			if one.Extreme == "" {
				one.Extreme = extremeOf(change.Before.Quantile)
			}
			out = append(out, one)
		}
	}
	return out
}

func (v *view) findingsJSON() []jsonFinding {
	out := []jsonFinding{}
	for _, f := range v.found {
		one := jsonFinding{Kind: f.Kind.String(), P: f.P, Text: plain(v.tell(f))}
		if f.Before != 0 || f.After != 0 {
			one.Before, one.After = &f.Before, &f.After
		}
		switch f.Kind {
		case ledger.FoundLost, ledger.FoundUnexplained, ledger.FoundDetour, ledger.FoundNearEdge:
			one.Segment = f.Key.String()
		}
		out = append(out, one)
	}
	return out
}

func (v *view) sharesJSON() []jsonShare {
	var out []jsonShare
	for _, s := range v.c.Shares {
		out = append(out, shareJSON(s))
	}
	return out
}

func shareJSON(s ledger.ShareChange) jsonShare {
	return jsonShare{Clip(s.What, clipText), [2]int{s.Counts[0], s.Of[0]}, [2]int{s.Counts[1], s.Of[1]}, s.BeforeRange, s.AfterRange, s.P}
}

func trendJSON(t stats.Trend) jsonTrend { return jsonTrend{t.Tau, t.P, t.Early, t.Late} }

func (v *view) driftJSON() *jsonDrift {
	d := &v.c.Drift
	out := &jsonDrift{Drifts: d.Drifts(), Before: trendJSON(d.Before), After: trendJSON(d.After), VIF: d.VIF, Effective: d.Effective}
	if v.c.Interleaved {
		pairs := trendJSON(d.Pairs)
		out.Pairs, out.OrderEffect = &pairs, &d.OrderEffect.P
	}
	return out
}

func (v *view) controlJSON() *jsonControl {
	c := v.c.Control
	if c == nil {
		return nil
	}
	out := &jsonControl{Name: Clip(c.Name, clipText), N: c.N, Moved: c.Moved()}
	if c.Change != nil {
		change := changeJSON(segment.Total, stats.P50, c.Change.Total)
		out.Change = &change
		return out
	}
	trend := trendJSON(c.Trend)
	out.Trend = &trend
	return out
}

func (v *view) answersJSON() jsonAnswers {
	return jsonAnswers{Known: v.c.SameAnswer.Known, Same: v.c.SameAnswer.Same, Text: v.answers()}
}

func (v *view) differencesJSON() []jsonDifference {
	var out []jsonDifference
	for _, d := range v.c.Differences {
		out = append(out, jsonDifference{d.What, Clip(d.Before, clipText), Clip(d.After, clipText), d.Asked, d.Bars})
	}
	return out
}

func (v *view) gateJSON() []jsonGate {
	var out []jsonGate
	for _, g := range v.in.Gate {
		one := jsonGate{Rule: Clip(g.Text, clipName), Outcome: g.Outcome.String(), Unit: gateUnits[g.Kind], Needed: g.Needed, Why: g.Why}
		if g.HasValue {
			one.Value = &g.Value
		}
		if g.Interval {
			one.Lo, one.Hi = &g.Lo, &g.Hi
		}
		if g.Blame != nil {
			one.Blame = g.Blame.Key.String()
		}
		out = append(out, one)
	}
	return out
}

var gateUnits = [...]string{ledger.Relative: "ratio", ledger.Absolute: "ns", ledger.Level: "ns", ledger.Share: "share"}
