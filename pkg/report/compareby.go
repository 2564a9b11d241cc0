package report

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// CompareByDocument lays out one comparison for every value of a dimension, without a verdict over
// all: unequal counts per value would turn into a change nobody made. in.Result and in.Gate are not
// used.
func CompareByDocument(by *ledger.By, in Compare) Document {
	views := make([]*view, len(by.Values))
	for i, value := range by.Values {
		one := in
		one.Result, one.Gate = value.Comparison, nil
		views[i] = newView(one)
	}
	d := Document{
		Title:    fmt.Sprintf("By %s: %s", Clip(by.Dimension, clipName), Plural(len(views), "value", "values")),
		Sentence: bySentence(by), Warnings: clipWarnings(in.Warnings), Hints: clipAll(in.Hints),
		Records: byRecords(by, views),
	}
	if len(by.Shares) > 0 && len(views) > 0 {
		d.Blocks = append(d.Blocks, List{Title: "share of each value", Items: shareItems(by, views[0])})
	}
	d.Footnotes = byFootnotes(views)
	for i, v := range views {
		d.Blocks = append(d.Blocks, byBlocks(&by.Values[i], v)...)
	}
	d.JSON = byJSON(by, views, d)
	return d
}

// byFootnotes explain (est.) where a table of a value uses it.
func byFootnotes(views []*view) []Entry {
	for _, v := range views {
		if !v.bothOK() || v.c.Verdict == ledger.NotComparable {
			continue
		}
		for _, e := range v.c.Entries {
			if source := v.rttSource(); e.Key == segment.WaitEdgeRTT && source != "" {
				return []Entry{{"(est.)", []string{source}}}
			}
		}
	}
	return nil
}

func bySentence(by *ledger.By) string {
	if len(by.Values) == 0 {
		return fmt.Sprintf("No exchange has a value of %s.", Clip(by.Dimension, clipName))
	}
	stands := 0
	for i := range by.Values {
		v := &by.Values[i]
		if v.Stands() && (v.Verdict == ledger.Faster || v.Verdict == ledger.Slower) {
			stands++
		}
	}
	return fmt.Sprintf("By %s, each value for itself: %s differ beyond doubt between the arms (Holm over the values). There is no verdict over all of them.",
		Clip(by.Dimension, clipName), Share(stands, len(by.Values)))
}

func shareItems(by *ledger.By, v *view) []string {
	var items []string
	for i := range by.Shares {
		items = append(items, v.tellShare(&by.Shares[i]))
	}
	return items
}

// byBlocks are one value's sentence and table.
func byBlocks(value *ledger.ByValue, v *view) []Block {
	sentence := v.sentence()
	if !value.Stands() {
		sentence += fmt.Sprintf(" Among all the values this is not confirmed (Holm p %s).", probability(value.Adjusted))
	}
	blocks := []Block{KeyValue{Entries: []Entry{{Clip(value.Value, clipName), []string{sentence}}}, Width: compareLabels}}
	if !v.bothOK() || v.c.Verdict == ledger.NotComparable {
		return blocks
	}
	return append(blocks, v.table())
}

func byRecords(by *ledger.By, views []*view) Records {
	r := Records{Columns: append([]string{Clip(by.Dimension, clipName)}, compareFields[:]...)}
	for i, v := range views {
		for _, row := range v.records().Rows {
			r.Rows = append(r.Rows, append([]any{Clip(by.Values[i].Value, clipText)}, row...))
		}
	}
	return r
}

// The JSON form of compare --by: schema coldsplit.compare/1 with "by" in place of arms and ledger.
type (
	jsonBy struct {
		Schema    string        `json:"schema"`
		Sentence  string        `json:"sentence"`
		Warnings  []string      `json:"warnings,omitempty"`
		Dimension string        `json:"dimension"`
		Shares    []jsonShare   `json:"shares,omitempty"`
		By        []jsonByValue `json:"by"`
		Hints     []string      `json:"hints,omitempty"`
	}
	jsonByValue struct {
		Value    string      `json:"value"`
		Adjusted float64     `json:"p_holm"`
		Stands   bool        `json:"verdict_stands"`
		Compare  jsonCompare `json:"compare"`
	}
)

func byJSON(by *ledger.By, views []*view, d Document) jsonBy {
	out := jsonBy{
		Schema: "coldsplit.compare/1", Sentence: plain(d.Sentence), Warnings: d.Warnings,
		Dimension: Clip(by.Dimension, clipText), By: []jsonByValue{}, Hints: d.Hints,
	}
	for _, s := range by.Shares {
		out.Shares = append(out.Shares, shareJSON(s))
	}
	for i, v := range views {
		value := &by.Values[i]
		one := v.json(Document{Sentence: v.sentence(), Warnings: v.warnings()})
		out.By = append(out.By, jsonByValue{Clip(value.Value, clipText), value.Adjusted, value.Stands(), one})
	}
	return out
}
