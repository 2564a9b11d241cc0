package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/reading"
)

// method is the table of how each arm was measured, and the lines that repeat it.
func (v *view) method() []Block {
	t := Table{Columns: []Column{{}, {Head: v.heads[0]}, {Head: v.heads[1]}}}
	row := func(name string, of func(int) string) {
		before, after := of(0), of(1)
		if before == "" && after == "" {
			return
		}
		code := name == "route" || name == "file"
		t.Rows = append(t.Rows, Row{Cells: []Cell{
			{Text: name}, {Text: orDash(before), Key: code && before != ""}, {Text: orDash(after), Key: code && after != ""},
		}})
	}
	row("from, to (UTC)", func(i int) string { return v.when(i) })
	row("route", func(i int) string { return Clip(v.arms[i].URL, clipText) })
	row("via", func(i int) string { return Clip(v.arms[i].Via, clipText) })
	row("address", func(i int) string { return strings.Join(remoteWords(v.arms[i].Answer.Remotes), " ") })
	row("protocol", v.protocolOf)
	row("asked, ok", func(i int) string { c := v.arms[i].Counts; return fmt.Sprintf("%d, %d", c.Asked, c.OK) })
	row("throttled, failed, invalid", func(i int) string {
		c := v.arms[i].Counts
		return fmt.Sprintf("%d, %d, %d", c.Throttled, c.Failed, c.Invalid)
	})
	row("answer", v.answerCell)
	row("bytes on the wire", v.wireCell)
	row("resolver", func(i int) string { return Clip(v.facts(i).Resolver, clipName) })
	row("tool", func(i int) string { return Clip(v.c.Sets[i].Run.Tool, clipText) })
	row("file", func(i int) string { return Clip(v.in.Files[i], clipText) })
	blocks := []Block{t, Paragraph{"Every request opened a new connection" + v.unlessWarm() + "; nearest-rank percentiles; answers " + v.answers() + "."}}
	lines := add(add(v.armLines(), v.controlLine()), v.addedLine())
	lines = slices.Concat(lines, v.interimLines(), v.ownWorkLines())
	for _, note := range v.runNotes() {
		lines = append(lines, Clip(note, clipText))
	}
	if len(lines) > 0 {
		blocks = append(blocks, List{Items: lines})
	}
	if v.c.Interleaved {
		blocks = append(blocks, Paragraph{v.orderLine() + "; " + v.driftLine() + "."})
	}
	if len(v.in.Repeat) > 0 {
		blocks = append(blocks, Code{clipAll(v.in.Repeat)})
	}
	return blocks
}

// runNotes are what held for the runs and the arms.
func (v *view) runNotes() []string {
	var notes []string
	for i := range v.sides() {
		notes = addNew(notes, v.facts(i).Notes...)
	}
	return slices.Concat(notes, armNotes(v.sides()), aloneNotes(v.sides()))
}

func (v *view) unlessWarm() string {
	for i, a := range v.arms {
		if stateOf(a) != "cold" {
			return fmt.Sprintf(" unless its arm says otherwise (%s: %s)", v.names[i], stateOf(a))
		}
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func (v *view) when(i int) string {
	facts := v.facts(i)
	if facts.Started.IsZero() {
		return ""
	}
	return timeRange(facts.Started.UTC(), facts.Ended.UTC())
}

func (v *view) protocolOf(i int) string {
	words := Clip(v.arms[i].Protocol, clipName)
	if v.arms[i].Answer.TLS != "" {
		words += ", TLS " + Clip(v.arms[i].Answer.TLS, clipName)
	}
	return words
}

func (v *view) answerCell(i int) string {
	if !v.c.SameAnswer.Known {
		return ""
	}
	return answerWords([2]reading.Answer{v.c.SameAnswer.Before, v.c.SameAnswer.After}[i])
}

func (v *view) wireCell(i int) string {
	if !v.c.SameAnswer.Known {
		return ""
	}
	return wireWords([2]reading.Answer{v.c.SameAnswer.Before, v.c.SameAnswer.After}[i])
}
