package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// RampCompare is two ramps, joined stage by stage.
type RampCompare struct {
	Result *load.Comparison
	Files  [2]string // the run files, "" for what was measured now
	Chart  bool      // draw the later one; for a terminal
	Hints  []string
}

// RampCompareDocument lays out what changed from one ramp to another, number by number, and then the
// later ramp by itself. The runs are separate, so a change is told with its doubts.
func RampCompareDocument(in RampCompare) Document {
	v := &rampChange{RampCompare: in, c: in.Result, after: newRampView(Ramp{Result: in.Result.After, Chart: in.Chart, Hints: in.Hints})}
	d := RampDocument(v.after.Ramp)
	own := d.Sentence
	d.Sentence = v.sentence()
	d.Warnings = append(d.Warnings, v.warnings()...)
	blocks := []Block{v.table(), Paragraph{v.note()}, List{Title: "doubts", Items: v.doubts()}, Paragraph{"After, by itself: " + own}}
	d.Blocks = append(blocks, d.Blocks...)
	d.Records = v.records(d.Records)
	if ramp, ok := d.JSON.(jsonRamp); ok {
		ramp.Warnings, ramp.Against = d.Warnings, v.json(d.Sentence)
		d.JSON = ramp
	}
	return d
}

type rampChange struct {
	RampCompare
	c     *load.Comparison
	after *rampView
}

func (v *rampChange) scale() Scale { return v.after.s }

func (v *rampChange) what() string {
	if v.c.Key == segment.FirstText {
		return "first text"
	}
	return "total"
}

// sentence tells where each was throttled first, and the largest stage whose figures differ.
func (v *rampChange) sentence() string {
	if len(v.c.Steps) == 0 {
		return "The two ramps share no stage: nothing can be compared."
	}
	text := fmt.Sprintf("%s; %s.", v.firstWords("before", v.c.Before), v.firstWords("after", v.c.After))
	for i := len(v.c.Steps) - 1; i >= 0; i-- {
		s := &v.c.Steps[i]
		if verdict := s.Verdict(); verdict != load.Noise {
			return fmt.Sprintf("%s At %s the accepted were %s: %s %s -> %s ms at p50%s.", text, number(s.After), verdict, v.what(),
				v.ms(s.Change.Before.Value), v.ms(s.Change.After.Value), v.intervalNote(s))
		}
	}
	return text + fmt.Sprintf(" What the accepted took differs at no stage beyond chance (%s).", Plural(len(v.c.Steps), "stage", "stages"))
}

func (v *rampChange) ms(ns int64) string { return v.scale().MS(durationOf(ns)) }

func (v *rampChange) intervalNote(s *load.Step) string {
	if !s.Change.Complete() {
		return ", by how much is not pinned down"
	}
	return fmt.Sprintf(" (%s: %s)", Level(s.Change.Confidence), v.scale().ChangeRange(durationOf(s.Change.Lo), durationOf(s.Change.Hi)))
}

// firstWords is "before was throttled first at 16 (4 of 16)".
func (v *rampChange) firstWords(name string, r *load.Ramp) string {
	i, found := r.FirstThrottled()
	if !found {
		return name + " was never throttled"
	}
	s := &r.Stages[i]
	return fmt.Sprintf("%s was throttled first at %s (%s)", name, number(s), Share(s.Counts.Throttled, s.Counts.Done()))
}

func (v *rampChange) warnings() []string {
	if len(v.c.Doubts) == 0 {
		return nil
	}
	return []string{"NOT THE SAME RAMP: " + Clip(strings.Join(v.c.Doubts, "; "), 4*clipText) + "."}
}

func (v *rampChange) table() Table {
	head := Column{Head: "parallel", Align: Right, Min: 8}
	if v.after.open {
		head.Head = "rate/s"
	}
	t := Table{Columns: []Column{head,
		{Head: "ok", Align: Right, Min: 8}, {Head: "throttled", Align: Right, Min: 9},
		{Head: "before", Align: Right, Min: 6, Gap: 3, Wide: v.what() + " p50 before"},
		{Head: "after", Align: Right, Min: 5, Gap: 3, Over: "ms at p50", Wide: "after"},
		{Head: "change", Align: Right, Min: 6, Gap: 3}, {Head: "95 %    ", Align: Right, Min: 12, Gap: 2}, {},
	}}
	for i := range v.c.Steps {
		t.Rows = append(t.Rows, v.row(&v.c.Steps[i]))
	}
	return t
}

func (v *rampChange) row(s *load.Step) Row {
	b, a := s.Before.Counts, s.After.Counts
	row := Row{Cells: []Cell{{Text: number(s.After)}, {Text: fmt.Sprintf("%d -> %d", b.OK, a.OK)},
		{Text: fmt.Sprintf("%d -> %d", b.Throttled, a.Throttled)}}}
	if b.OK == 0 || a.OK == 0 {
		return Row{Cells: append(row.Cells, v.p50OrNone(s, b), v.p50OrNone(s, a), Cell{Text: "-"}, Cell{}, Cell{Text: "none accepted"})}
	}
	before, after := durationOf(s.Change.Before.Value), durationOf(s.Change.After.Value)
	cells := []Cell{{Text: v.scale().MS(before)}, {Text: v.scale().MS(after)}, {Text: v.scale().ChangeOf(before, after)}, {}, v.verdictCell(s)}
	if s.Change.Complete() {
		cells[3].Text = v.scale().ChangeRange(durationOf(s.Change.Lo), durationOf(s.Change.Hi))
	}
	row.Cells = append(row.Cells, cells...)
	return row
}

func (v *rampChange) p50OrNone(s *load.Step, c record.Counts) Cell {
	switch {
	case c.OK == 0:
		return Cell{Text: "-"}
	case c == s.Before.Counts:
		return Cell{Text: v.ms(s.Change.Before.Value)}
	}
	return Cell{Text: v.ms(s.Change.After.Value)}
}

func (v *rampChange) verdictCell(s *load.Step) Cell {
	text, tone := string(s.Verdict()), Dim
	switch s.Verdict() {
	case load.Faster:
		tone = Good
	case load.Slower:
		tone = Bad
	}
	if !s.Believed() {
		return Cell{Text: "?"}
	}
	return Cell{Text: text, Tone: tone}
}

func (v *rampChange) note() string {
	text := fmt.Sprintf("ok and throttled: before -> after. Times are the p50 of %s of the accepted, ms; faster, slower: beyond chance "+
		"(Mann-Whitney, Holm over the stages).", v.what())
	if shares := v.shareWords(); shares != "" {
		return text + " " + shares
	}
	return text + " At no stage does the share that was throttled differ beyond chance (Fisher)."
}

// shareWords lists the stages at which throttling changed beyond chance.
func (v *rampChange) shareWords() string {
	var parts []string
	for i := range v.c.Steps {
		s := &v.c.Steps[i]
		if s.PThrottled < 0.05 {
			parts = append(parts, fmt.Sprintf("at %s (%s -> %s)", number(s.After),
				Share(s.Before.Counts.Throttled, s.Before.Counts.Done()), Share(s.After.Counts.Throttled, s.After.Counts.Done())))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "The share that was throttled changed beyond chance (Fisher, Holm) " + AndList(parts) + "."
}

func (v *rampChange) doubts() []string {
	b, a := v.c.Before.Began.UTC(), v.c.After.Began.UTC()
	items := []string{fmt.Sprintf("Two separate runs, of %s and %s UTC: what else changed between them is in no figure.",
		b.Format("2006-01-02 15:04"), a.Format("2006-01-02 15:04"))}
	for i, name := range []string{"before", "after"} {
		if len(v.c.Alone[i]) > 0 {
			items = append(items, fmt.Sprintf("Only %s has %s of %s.", name, map[bool]string{true: "a stage", false: "stages"}[len(v.c.Alone[i]) == 1], numbers(v.c.Alone[i])))
		}
	}
	for i := range v.c.Steps {
		if len(v.c.Steps[i].Before.Doubts) > 0 {
			items = append(items, fmt.Sprintf("At %s the ramp before was not what it claims.", number(v.c.Steps[i].Before)))
		}
	}
	return items
}

func numbers(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprint(n))
	}
	return AndList(words)
}

func (v *rampChange) json(sentence string) *jsonAgainst {
	out := &jsonAgainst{Sentence: plain(sentence), Key: v.c.Key.String(), Files: [2]string{Clip(v.Files[0], clipText), Clip(v.Files[1], clipText)},
		Doubts: plainAll(v.doubts()), Differs: clipAll(v.c.Doubts), Before: v.c.Before.Began.UTC(), After: v.c.After.Began.UTC()}
	for i := range v.c.Steps {
		s := &v.c.Steps[i]
		step := jsonStep{Parallel: s.After.Parallel, Rate: s.After.Rate, Before: s.Before.Counts, After: s.After.Counts,
			Verdict: string(s.Verdict()), P: s.P, PThrottled: s.PThrottled}
		if s.Before.Counts.OK > 0 && s.After.Counts.OK > 0 {
			step.BeforeP50, step.AfterP50, step.Change = &s.Change.Before.Value, &s.Change.After.Value, &s.Change.Delta
		}
		if iv, any := intervalJSON(s.Change.Interval); any {
			step.Interval = &iv
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
