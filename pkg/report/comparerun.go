package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// closing is whether the answers match, how it was measured, and what the marks mean.
func (v *view) closing() []Block {
	var entries []Entry
	if udp := v.udpLines(); len(udp) > 0 {
		entries = append(entries, Entry{"udp", udp})
	}
	if interim := v.interimLines(); len(interim) > 0 {
		entries = append(entries, Entry{"interim", interim})
	}
	entries = append(entries, Entry{"answers", []string{v.answers()}}, Entry{"run", v.runLines()})
	entries = append(entries, v.markNotes()...)
	text := KeyValue{Width: compareLabels, Entries: entries}
	blocks := []Block{Only{FormatText, []Block{text}}}
	for _, note := range v.markNotes() {
		blocks = append(blocks, Only{FormatMarkdown, []Block{Paragraph{note.Key + " " + strings.Join(note.Lines, "; ")}}})
	}
	return append(blocks, Only{FormatMarkdown, []Block{
		Details{Summary: "How it was measured, and how to repeat it", Blocks: v.method()},
	}})
}

// udpLines tell for an arm over QUIC what cost it more than one round trip.
func (v *view) udpLines() []string {
	var lines []string
	for i := range v.arms {
		a := v.reading(i)
		if v.arms[i].figure(segment.QUIC).N == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s of %s answered; %s, %s, %s", Share(a.N(), a.Counts.Done()), v.names[i],
			seen(a, reading.QUICRetry, "Retry"), seen(a, reading.QUICProbe, "PTO"), seen(a, reading.QUICStall, "amplification stall")))
	}
	return lines
}

// seen is "no Retry" or "Retry in 3".
func seen(a *reading.Arm, m reading.Mark, what string) string {
	n := 0
	for _, have := range a.Marks {
		if have&m != 0 {
			n++
		}
	}
	if n == 0 {
		return "no " + what
	}
	return fmt.Sprintf("%s in %d", what, n)
}

// markNotes explain * and (est.) where the tables use them, and the heads when they are not the names.
func (v *view) markNotes() []Entry {
	var notes []Entry
	if v.heads != v.names {
		notes = append(notes, Entry{v.heads[0], []string{v.names[0]}}, Entry{v.heads[1], []string{v.names[1]}})
	}
	notes = append(notes, v.extremeNote()...)
	if v.c.Verdict == ledger.NotComparable {
		return notes
	}
	for _, e := range v.c.Entries {
		if e.Key == segment.WaitEdgeRTT || len(e.Parts) > 0 && v.c.Fold&ledger.FoldWait != 0 {
			if source := v.rttSource(); source != "" {
				return append(notes, Entry{"(est.)", []string{source}})
			}
		}
	}
	return notes
}

func (v *view) rttSource() string {
	if v.arms[0].RTTSource != "" {
		return Clip(v.arms[0].RTTSource, clipText)
	}
	return Clip(v.arms[1].RTTSource, clipText)
}

// extremeNote speaks of the arm with fewer exchanges: its percentiles are extremes first.
func (v *view) extremeNote() []Entry {
	fewer := v.arms[0]
	if v.arms[1].N() < fewer.N() {
		fewer = v.arms[1]
	}
	var lines []string
	for _, line := range extremeNotes(fewer) {
		lines = append(lines, line+" an arm")
	}
	if v.few() || len(lines) == 0 {
		return nil
	}
	return []Entry{{"*", lines}}
}

// runLines are how it was measured. Separate runs have their lines each.
func (v *view) runLines() []string {
	switch {
	case v.c.Self:
		return v.selfLines()
	case v.c.Sets[0] == v.c.Sets[1] || v.c.Interleaved:
		return v.liveLines()
	}
	var lines []string
	for i := range v.arms {
		facts := v.facts(i)
		lines = append(lines, v.names[i]+": "+strings.TrimSuffix(countLines(v.arms[i].Counts)[0], ",")+v.notSent(i))
		lines = append(lines, v.lossLines(i)...)
		lines = add(lines, whenLine(facts))
		lines = add(lines, answerLine(v.arms[i], false))
		for _, note := range append(facts.Notes, v.arms[i].Notes...) {
			lines = append(lines, Clip(note, clipText))
		}
	}
	lines = append(add(lines, resolverLine(v.facts(1))), v.ownWorkLines()...)
	lines = append(lines, clipAll(aloneNotes(v.arms[:]))...)
	return append(lines, v.driftLine())
}

// sides are the arms there are: one when a file is compared with itself.
func (v *view) sides() []Arm {
	if v.c.Self {
		return v.arms[:1]
	}
	return v.arms[:]
}

// selfLines are how the one arm was measured that is on both sides.
func (v *view) selfLines() []string {
	facts := v.facts(0)
	lines := append(append(countLines(v.arms[0].Counts), v.failureLines(0)...), "one arm on both sides: nothing was measured twice")
	lines = add(lines, whenLine(facts))
	lines = add(lines, answerLine(v.arms[0], false))
	lines = append(add(lines, resolverLine(facts)), v.ownWorkLines()...)
	for _, note := range slices.Concat(facts.Notes, v.arms[0].Notes, aloneNotes(v.arms[:1])) {
		lines = append(lines, Clip(note, clipText))
	}
	return lines
}

func (v *view) notSent(i int) string {
	if n := v.arms[i].Counts.NotSent; n > 0 {
		return fmt.Sprintf(", %d not sent", n)
	}
	return ""
}

func (v *view) facts(side int) RunFacts {
	facts := runFactsOf(v.c.Sets[side])
	a := v.reading(side)
	facts.Started, facts.Ended, facts.Order = a.Began, a.Ended, ""
	return facts
}

func (v *view) liveLines() []string {
	lines := countLines(sumCounts(v.sides()))
	lines = append(lines, v.armLines()...)
	lines = add(lines, v.controlLine())
	lines = append(lines, v.orderLine())
	lines = add(lines, v.addedLine())
	facts := runFactsOf(v.c.Sets[0])
	facts.Order = ""
	if !facts.Started.IsZero() {
		lines = append(lines, timeRange(facts.Started.UTC(), facts.Ended.UTC())+" UTC; "+v.protocolWords())
	}
	lines = append(add(lines, resolverLine(facts)), v.ownWorkLines()...)
	lines = append(lines, v.driftLine())
	for _, note := range slices.Concat(facts.Notes, armNotes(v.arms[:]), aloneNotes(v.arms[:])) {
		lines = append(lines, Clip(note, clipText))
	}
	return lines
}

// orderLine is "25 pairs, order in each pair by coin (seed 7), 200 ms apart".
func (v *view) orderLine() string {
	run := v.c.Sets[0].Run
	line := Plural(v.c.Pairs, "pair", "pairs")
	if run.Order == "random-pairs" {
		line += fmt.Sprintf(", order in each pair by coin (seed %d)", run.Seed)
	} else if run.Order != "" {
		line += ", " + Clip(orderInWords(run), clipName)
	}
	if run.Interval > 0 {
		line += ", " + InWords(run.Interval) + " apart"
	}
	return line
}

func (v *view) protocolWords() string {
	words := [2]string{v.protocolOf(0), v.protocolOf(1)}
	switch {
	case words[0] == words[1]:
		return words[0]
	case v.names == [2]string{Clip(v.arms[0].Protocol, clipName), Clip(v.arms[1].Protocol, clipName)}:
		return words[0] + "; " + words[1]
	}
	return v.names[0] + " " + words[0] + "; " + v.names[1] + " " + words[1]
}

// driftLine tells what the drift tests found; what they did find is a finding too.
func (v *view) driftLine() string {
	d := &v.c.Drift
	if v.c.Verdict == ledger.TooFew {
		return "too few requests to see a drift"
	}
	drift := fmt.Sprintf("no drift (p %s)", probability(d.Trend().P))
	if d.Drifts() {
		drift = fmt.Sprintf("it drifts (p %s)", probability(d.Trend().P))
	}
	switch {
	case !v.c.Interleaved:
		return drift + " inside either run; between them nothing controls it"
	case d.OrderEffect.P < 0.05:
		return drift + fmt.Sprintf(", first-or-second in the pair made a difference (p %s)", probability(d.OrderEffect.P))
	}
	return drift + ", first-or-second in the pair made no difference"
}
