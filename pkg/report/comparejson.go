package report

import (
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
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
		Word: v.c.Verdict.String(), Delta: v.c.Delta, P: v.c.Test.P, Interleaved: v.c.Interleaved, Pairs: v.c.Pairs, PairsAsked: v.pairsAsked(),
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
	out.Tails = [2]*jsonTail{v.tailJSON(0), v.tailJSON(1)}
	if s := v.c.Steadiness; s.Known {
		out.Steadiness = &jsonTwo{s.Before, s.After}
	}
	out.Drift, out.Control, out.ControlSent = v.driftJSON(), v.controlJSON(), v.controlRequests()
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

func (v *view) tailJSON(side int) *jsonTail {
	tail := &v.c.Tails[side]
	if len(tail.Rows) == 0 {
		return nil
	}
	out := &jsonTail{N: len(tail.Rows), Excess: int64(tail.ExcessTotal), Shares: map[string]float64{}, Dominant: map[string]int{}}
	for i, e := range v.c.Entries {
		out.Shares[e.Key.String()] = tail.Share(i)
	}
	for _, row := range tail.Rows {
		if row.Dominant >= 0 {
			out.Dominant[v.c.Entries[row.Dominant].Key.String()]++
		}
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
