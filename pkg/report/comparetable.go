package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// table is the ledger: rows at the margin add up to total, indented ones to the row they are part of.
func (v *view) table() Table {
	t := v.emptyTable()
	opened := map[segment.Key]bool{}
	for i := range v.c.Entries {
		t.Rows = append(t.Rows, v.parentRows(v.c.Entries[i].Key, opened)...)
		t.Rows = append(t.Rows, v.entryRow(i))
		t.Rows = append(t.Rows, v.partRows(i)...)
	}
	t.Rows = append(t.Rows, v.totalRow())
	for _, k := range []segment.Key{segment.Setup, segment.TTFB, segment.FirstText} {
		if v.shown.above.Has[k] && !(k == segment.Setup && v.c.Fold&ledger.FoldSetup != 0) {
			t.Rows = append(t.Rows, v.derivedRow(k))
		}
	}
	return t
}

func (v *view) emptyTable() Table {
	t := Table{Rule: 72, Columns: []Column{
		{Head: "ms at p50", Min: 27},
		{Head: v.heads[0], Align: Right, Min: 6, Gap: 2},
		{Head: v.heads[1], Align: Right, Min: 5, Gap: 3},
	}}
	if !v.hasChange() {
		t.Rule = 0
		return t
	}
	t.Columns = append(t.Columns, Column{Head: "change", Align: Right, Gap: 3})
	if v.hasLimits() {
		t.Columns = append(t.Columns, Column{Head: v.level() + "    ", Align: Right, Min: 12, Gap: 2})
	}
	t.Columns = append(t.Columns, Column{})
	return t
}

// hasChange reports whether the columns may be subtracted: not below 5 requests an arm.
func (v *view) hasChange() bool { return v.c.Verdict != ledger.TooFew }

func (v *view) hasLimits() bool { return v.hasChange() && v.c.Total.Complete() }

func (v *view) level() string { return Level(v.c.Total.Confidence) }

// parentRows opens the rows a key is part of, once each. A row that edge_rtt is folded into stands in
// wait directly: it is more than upstream.
func (v *view) parentRows(k segment.Key, opened map[segment.Key]bool) []Row {
	var rows []Row
	for p, ok := k.Parent(); ok; p, ok = p.Parent() {
		if opened[p] || p == segment.WaitUpstream && v.c.Fold&ledger.FoldEdgeRTT != 0 {
			continue
		}
		opened[p] = true
		row := Row{Depth: p.Depth(), Cells: []Cell{{Text: p.String(), Key: true}}}
		rows = append([]Row{v.figures(row, p)}, rows...)
	}
	return rows
}

// figures appends before, after and their difference for a key above the entries.
func (v *view) figures(row Row, k segment.Key) Row {
	before, after := v.shown.key(k)
	return v.numbers(row, before, after)
}

func (v *view) numbers(row Row, before, after int64) Row {
	row.Cells = append(row.Cells, Cell{Text: v.s.text(before)}, Cell{Text: v.s.text(after)})
	if v.hasChange() {
		row.Cells = append(row.Cells, Cell{Text: v.s.signed(after - before)})
	}
	return row
}

func (v *view) entryRow(i int) Row {
	e := &v.c.Entries[i]
	row := Row{Depth: v.depth(e), Cells: []Cell{{Text: entryName(e), Key: true}}}
	if e.Key == segment.WaitEdgeRTT {
		row.Cells[0].Note = "(est.)"
	}
	row = v.numbers(row, v.shown.rows[i][0], v.shown.rows[i][1])
	word, tone := standingWord(e)
	return v.closed(row, word, tone, limitsOf(e, v.s))
}

// limitsOf is the interval of a row that moved; what is noise has none to quote.
func limitsOf(e *ledger.Entry, s Scale) string {
	if e.Standing != ledger.Confirmed {
		return ""
	}
	return clearRange(e.Interval, s)
}

// clearRange writes limits on one side of 0 with a digit more where a unit would round one of them
// to 0.
func clearRange(iv stats.Interval, s Scale) string {
	if iv.ExcludesZero() && (s.units(ns(iv.Lo)) == 0 || s.units(ns(iv.Hi)) == 0) {
		s = TenthsMS
	}
	return s.ChangeRange(ns(iv.Lo), ns(iv.Hi))
}

// closed appends the limits and the word.
func (v *view) closed(row Row, word string, tone Tone, limits string) Row {
	if !v.hasChange() {
		return row
	}
	if v.hasLimits() {
		row.Cells = append(row.Cells, Cell{Text: limits})
	}
	row.Cells = append(row.Cells, Cell{Text: word, Tone: tone})
	return row
}

// entryName is the key, or the keys of a row that edge_rtt is folded into.
func entryName(e *ledger.Entry) string {
	if withEdge(e) {
		return segment.WaitEdgeRTT.String() + " + " + strings.TrimPrefix(lastPart(e.Key), "wait.")
	}
	return e.Key.String()
}

// withEdge reports whether a row is upstream, or its network, with edge_rtt folded in.
func withEdge(e *ledger.Entry) bool {
	return e.Of[0] == segment.WaitEdgeRTT && (e.Key == segment.WaitUpstream || e.Key == segment.WaitUpstreamNetwork)
}

func lastPart(k segment.Key) string {
	s := k.String()
	return s[strings.LastIndexByte(s, '.')+1:]
}

func (v *view) depth(e *ledger.Entry) int {
	if v.c.Fold&ledger.FoldEdgeRTT != 0 {
		return min(e.Key.Depth(), 1)
	}
	return e.Key.Depth()
}

func standingWord(e *ledger.Entry) (string, Tone) {
	word, tone := "saved", Good
	if e.Change > 0 {
		word, tone = "lost", Bad
	}
	switch e.Standing {
	case ledger.Confirmed:
		return word, tone
	case ledger.Suggested:
		return word + "?", Plain
	case ledger.Noise:
		return "noise", Dim
	}
	return "", Plain
}

// partRows show what a setup folded from both arms is made of; each arm has its own leaves, so there
// is no change. The parts of other folded rows are told below the table.
func (v *view) partRows(i int) []Row {
	e := &v.c.Entries[i]
	if e.Key != segment.Setup {
		return nil
	}
	var rows []Row
	for j, p := range e.Parts {
		row := Row{Depth: 1, Cells: []Cell{{Text: p.Key.String(), Key: true}}}
		for side, has := range p.Has {
			text := "-"
			if has {
				text = v.s.text(v.shown.parts[i][j][side])
			}
			row.Cells = append(row.Cells, Cell{Text: text})
		}
		rows = append(rows, row)
	}
	return rows
}

func (v *view) totalRow() Row {
	row := Row{Ruled: true, Cells: []Cell{{Text: segment.Total.String(), Key: true}}}
	if v.c.Fold&ledger.WithoutDNS != 0 {
		row.Cells[0].Note = "(without dns)"
	}
	row = v.figures(row, segment.Total)
	word, tone := v.verdictWord()
	limits := ""
	if v.hasLimits() {
		limits = clearRange(v.c.Total.Interval, v.s)
	}
	return v.closed(row, word, tone, limits)
}

func (v *view) verdictWord() (string, Tone) {
	tone := Good
	if v.c.Total.Delta > 0 {
		tone = Bad
	}
	switch v.c.Verdict {
	case ledger.Faster, ledger.Slower:
		return v.direction(), tone
	case ledger.Probably:
		return v.direction() + "?", Plain
	case ledger.Small:
		return "small", Dim
	case ledger.Unchanged:
		return "same", Dim
	}
	return "open", Plain
}

func (v *view) derivedRow(k segment.Key) Row {
	row := Row{Depth: 1, Cells: []Cell{{Text: k.String(), Key: true}}}
	switch k {
	case segment.Setup:
		row.Cells[0].Note = "(" + v.setupNames() + ")"
	case segment.TTFB:
		row.Cells[0].Note = " (all but transfer)"
	}
	return v.figures(row, k)
}

func (v *view) setupNames() string {
	var names []string
	for _, e := range v.c.Entries {
		if isSetup(e.Key) {
			names = append(names, e.Key.String())
		}
	}
	return strings.Join(names, " + ")
}

// tableNote says how to read the columns and what the words rest on.
func (v *view) tableNote() string {
	if !v.hasChange() {
		return "Each column is how a request that takes exactly the p50 spends its time, so the rows add up."
	}
	varying := 0
	for _, e := range v.c.Entries {
		if e.Varies {
			varying++
		}
	}
	note := "Each column is how a request that takes exactly the p50 spends its time, so the rows add up."
	if varying > 0 && !v.c.Identical {
		note += fmt.Sprintf(" saved, lost: confirmed (Holm over the %s that vary, and the interval excludes 0).%s noise: what %s cannot tell from nothing.",
			Plural(varying, "row", "rows"), v.suggestedNote(), v.howManyShort())
	}
	return note + v.offsetNote()
}

func (v *view) suggestedNote() string {
	for _, e := range v.c.Entries {
		if e.Standing == ledger.Suggested {
			return " With a question mark: suggested, by its own test only."
		}
	}
	return ""
}

// offsetNote is the offset ratio with its limits, when losses ate into a gain.
func (v *view) offsetNote() string {
	o := v.c.Offset
	if !o.HasValue || o.Loss == 0 || !o.HasInterval {
		return ""
	}
	return fmt.Sprintf(" Of what was saved, %.0f %% was lost again (%s: %.0f to %.0f %%).", 100*v.shownOffset(), Level(stats.Level), 100*o.Lo, 100*o.Hi)
}

// shownOffset is the ratio of the figures shown.
func (v *view) shownOffset() float64 {
	gain, loss, _ := v.gains()
	if gain == 0 {
		return v.c.Offset.Value
	}
	return float64(loss) / float64(gain)
}

func (v *view) howManyShort() string {
	if v.c.Interleaved {
		return Plural(v.c.Pairs, "pair", "pairs")
	}
	if b, a := v.arms[0].N(), v.arms[1].N(); b != a {
		return fmt.Sprintf("%d and %d requests", b, a)
	}
	return fmt.Sprintf("%d requests each", v.arms[0].N())
}

// foldNotes say what was compared whole, and what each arm's part of it is made of.
func (v *view) foldNotes() []string {
	var notes []string
	add := func(fold ledger.Fold, note string) {
		if v.c.Fold&fold != 0 && note != "" {
			notes = append(notes, note)
		}
	}
	add(ledger.FoldWait, v.waitNote())
	add(ledger.FoldEdgeRTT, fmt.Sprintf("%s moved by more than anybody overlooks: the edges stand in different places, and what one arm "+
		"spends before its edge the other spends behind it, so the two are one row.", Codes("wait.edge_rtt")))
	add(ledger.FoldEdgeOpen, v.openEdgeNote())
	add(ledger.FoldUpstream, fmt.Sprintf("Only one arm tells network and origin of %s apart, so it is compared whole.", Codes("wait.upstream")))
	add(ledger.FoldTransfer, fmt.Sprintf("Only one arm is an event stream, so %s is compared whole.", Codes("transfer")))
	return notes
}

// openEdgeNote says why the round trip to the edge has no row of its own.
func (v *view) openEdgeNote() string {
	for i, a := range []string{v.c.Before.Arm.EdgeRTTSource.Main(), v.c.After.Arm.EdgeRTTSource.Main()} {
		if a == "" {
			return fmt.Sprintf("The round trip to the edge of %s is not known, so in both arms it is part of %s.", v.names[i], Codes("wait.unattributed"))
		}
	}
	return fmt.Sprintf("Nothing but %s itself tells the round trip to the edge, so it is part of %s.", Codes("tcp"), Codes("wait.unattributed"))
}

// waitNote prints the children of wait apart where they must not be subtracted.
func (v *view) waitNote() string {
	for i, e := range v.c.Entries {
		if e.Key != segment.Wait {
			continue
		}
		var sums []string
		for side, name := range v.names {
			if sum := v.partsSum(i, side); sum != "" {
				sums = append(sums, name+": "+sum)
			}
		}
		if len(sums) == 0 {
			return ""
		}
		return fmt.Sprintf("The arms do not report the same parts of %s, so only the whole is compared. %s.", Codes("wait"), strings.Join(sums, "; "))
	}
	return ""
}

// partsSum is "286 = wait.edge_rtt 10 (est.) + wait.upstream 269 + wait.unattributed 7".
func (v *view) partsSum(i, side int) string {
	var terms []string
	for j, p := range v.c.Entries[i].Parts {
		if !p.Has[side] || p.Key == segment.Wait {
			continue
		}
		term := Codes(p.Key.String()) + " " + v.s.text(v.shown.parts[i][j][side])
		if p.Key == segment.WaitEdgeRTT {
			term += " (est.)"
		}
		terms = append(terms, term)
	}
	if len(terms) < 2 {
		return ""
	}
	return v.s.text(v.shown.rows[i][side]) + " = " + strings.Join(terms, " + ")
}
