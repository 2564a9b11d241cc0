package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// where holds the places of both arms against each other.
func (v *view) where() (Table, bool) {
	roles := rolesOf(v.arms)
	if len(roles) == 0 {
		return Table{}, false
	}
	t := Table{Columns: []Column{{Head: "where", Min: 14}, {Head: v.heads[0], Min: 12, Gap: 3}, {Head: v.heads[1], Min: 12, Gap: 3}, {}}}
	for _, role := range roles {
		before, evidence := placeOf(v.arms[0], role)
		after, more := placeOf(v.arms[1], role)
		if evidence == "" {
			evidence = more
		}
		t.Rows = append(t.Rows, Row{Depth: 1, Cells: []Cell{
			{Text: Clip(role, clipName)}, {Text: before}, {Text: after}, {Text: Clip(evidence, clipText)},
		}})
	}
	return t, true
}

func rolesOf(arms [2]Arm) []string {
	var roles []string
	for _, a := range arms {
		for _, p := range a.Places {
			roles = addNew(roles, p.Role)
		}
	}
	return roles
}

// placeOf is "GRU 25/25", the sites of a role in order of frequency.
func placeOf(a Arm, role string) (sites, evidence string) {
	var out []string
	for _, p := range a.Places {
		if p.Role != role || p.Site == "" {
			continue
		}
		out = append(out, fmt.Sprintf("%s %d/%d", ASCII(Clip(p.Site, clipSite)), p.Seen, p.Of))
		if evidence == "" {
			evidence = p.Evidence
		}
	}
	if len(out) == 0 {
		return "unknown", ""
	}
	return strings.Join(out, ", "), evidence
}

// closing is whether the answers match, how it was measured, and what the marks mean.
func (v *view) closing() []Block {
	var entries []Entry
	if udp := v.udpLines(); len(udp) > 0 {
		entries = append(entries, Entry{"udp", udp})
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
		if e.Key == segment.WaitEdgeRTT || len(e.Parts) > 0 && v.c.Fold&(ledger.FoldWait|ledger.FoldEdgeRTT) != 0 {
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

// answers tells whether both routes serve the same thing.
func (v *view) answers() string {
	a := v.c.SameAnswer
	if !a.Known {
		return "not known"
	}
	if !a.Same {
		return fmt.Sprintf("DIFFER: %s on %s, %s on %s", answerWords(a.Before), v.names[0], answerWords(a.After), v.names[1])
	}
	text := "same: " + answerWords(a.Before)
	n := v.arms[0].N() + v.arms[1].N()
	switch {
	case len(v.c.Before.Arm.Answers) > 1 || len(v.c.After.Arm.Answers) > 1:
		text += ", varying alike in both"
	case a.Before.BodySHA != "" && a.Before.BodySHA == a.After.BodySHA:
		text += fmt.Sprintf(", one body hash in %s", Share(n, n))
	}
	if a.Before.Wire != a.After.Wire {
		text += fmt.Sprintf("; on the wire %s, %s", wireWords(a.Before), wireWords(a.After))
	}
	return text
}

func answerWords(a reading.Answer) string {
	return fmt.Sprintf("%d, %s", a.Status, Plural(int(a.Decoded), "byte", "bytes"))
}

func wireWords(a reading.Answer) string {
	coding := a.Coding
	if coding == "" {
		coding = "identity"
	}
	return fmt.Sprintf("%s (%s)", Plural(int(a.Wire), "byte", "bytes"), Clip(coding, clipName))
}

// runLines are how it was measured. Separate runs have their lines each.
func (v *view) runLines() []string {
	if v.c.Sets[0] == v.c.Sets[1] || v.c.Interleaved {
		return v.liveLines()
	}
	var lines []string
	for i := range v.arms {
		facts := v.facts(i)
		lines = append(lines, v.names[i]+": "+countLines(v.arms[i].Counts)[0]+v.notSent(i))
		lines = add(lines, whenLine(facts))
		lines = add(lines, answerLine(v.arms[i], false))
		for _, note := range append(facts.Notes, v.arms[i].Notes...) {
			lines = append(lines, Clip(note, clipText))
		}
	}
	lines = add(lines, resolverLine(v.facts(1)))
	return append(lines, v.driftLine())
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
	lines := countLines(sumCounts(v.arms[:]))
	lines = append(lines, v.orderLine())
	facts := runFactsOf(v.c.Sets[0])
	facts.Order = ""
	if !facts.Started.IsZero() {
		lines = append(lines, timeRange(facts.Started.UTC(), facts.Ended.UTC())+" UTC; "+v.protocolWords())
	}
	lines = add(lines, resolverLine(facts))
	lines = append(lines, v.driftLine())
	for _, note := range append(facts.Notes, armNotes(v.arms[:])...) {
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
	if v.c.Interleaved {
		blocks = append(blocks, Paragraph{v.orderLine() + "; " + v.driftLine() + "."})
	}
	if len(v.in.Repeat) > 0 {
		blocks = append(blocks, Code{clipAll(v.in.Repeat)})
	}
	return blocks
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
