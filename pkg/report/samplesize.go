package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
)

// SampleSize is what sample-size tells.
type SampleSize struct {
	Name string // of the route the plan rests on
	Size ledger.Size
	// Warnings are about the run the plan rests on.
	Warnings []string
}

// SampleSizeDocument says how many requests an arm a question takes, and from how many on each
// percentile is one.
func SampleSizeDocument(in SampleSize) Document {
	d := Document{Title: "Requests needed", Sentence: sampleSentence(in), Warnings: clipWarnings(in.Warnings), JSON: sampleJSON(in), Records: sampleRecords(in)}
	t := Table{Columns: []Column{{Head: "percentile"}, {Head: "is one from", Align: Right}, {Head: "has limits from", Align: Right}}}
	for _, e := range in.Size.Exists {
		t.Rows = append(t.Rows, Row{Cells: []Cell{{Text: e.Percentile.String()}, {Text: fmt.Sprint(e.Useful)}, {Text: fmt.Sprint(e.Limits)}}})
	}
	d.Blocks = []Block{t, Paragraph{Text: "Below the first number a percentile is only the fastest or the slowest request."}}
	return d
}

func sampleSentence(in SampleSize) string {
	s := in.Size
	name := Clip(in.Name, clipName)
	scale := ScaleFor(time.Duration(s.P50))
	if !s.Known {
		return fmt.Sprintf("%d requests to %s are too few to plan from: %d are the least.", s.Pilot, name, s.Least)
	}
	return fmt.Sprintf("About %d requests an arm would find a change of %s ms in the p50 of %s (%s ms now) in 80 %% of runs, "+
		"planned from %d requests; their luck may move that number by a factor of %.3g either way.",
		s.PerArm, scale.MS(time.Duration(s.Detect)), name, scale.MS(time.Duration(s.P50)), s.Pilot, s.Doubtable)
}

type sampleSizeJSON struct {
	Schema   string             `json:"schema"`
	Route    string             `json:"route"`
	Sentence string             `json:"sentence"`
	Warnings []string           `json:"warnings,omitempty"`
	Pilot    int                `json:"pilot"`
	P50      int64              `json:"p50_ns"`
	Detect   int64              `json:"detect_ns"`
	PerArm   *int               `json:"per_arm,omitempty"`
	Tau      float64            `json:"tau_ns,omitempty"`
	Exists   []sampleExistsJSON `json:"percentiles"`
}

type sampleExistsJSON struct {
	Percentile string `json:"percentile"`
	Useful     int    `json:"useful_from"`
	Limits     int    `json:"limits_from"`
}

func sampleJSON(in SampleSize) any {
	s := in.Size
	out := sampleSizeJSON{
		Schema: "coldsplit.sample-size/1", Route: Clip(in.Name, clipName), Sentence: sampleSentence(in), Warnings: clipWarnings(in.Warnings),
		Pilot: s.Pilot, P50: s.P50, Detect: s.Detect, Tau: s.Tau,
	}
	if s.Known {
		out.PerArm = &s.PerArm
	}
	for _, e := range s.Exists {
		out.Exists = append(out.Exists, sampleExistsJSON{e.Percentile.String(), e.Useful, e.Limits})
	}
	return out
}

func sampleRecords(in SampleSize) Records {
	r := Records{Columns: []string{"route", "pilot", "detect_ns", "per_arm", "percentile", "useful_from", "limits_from"}}
	var perArm any
	if in.Size.Known {
		perArm = in.Size.PerArm
	}
	for _, e := range in.Size.Exists {
		r.Rows = append(r.Rows, []any{Clip(in.Name, clipName), in.Size.Pilot, in.Size.Detect, perArm, e.Percentile.String(), e.Useful, e.Limits})
	}
	return r
}
