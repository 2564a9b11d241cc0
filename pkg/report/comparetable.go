package report

import (
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

// hasLimits reports whether changes have limits to show: what is compared with itself changes by 0, and
// exactly that.
func (v *view) hasLimits() bool {
	return v.hasChange() && v.c.Total.Complete() && !v.c.Identical
}

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
	return v.numbers(row, []segment.Key{k}, before, after)
}

// numbers appends both figures, "-" for what an arm never had: there it took no time, and the change
// is the other arm's figure.
func (v *view) numbers(row Row, of []segment.Key, before, after int64) Row {
	for side, units := range [2]int64{before, after} {
		text := v.s.text(units)
		if units == 0 && !v.hasAny(side, of) {
			text = "-"
		}
		row.Cells = append(row.Cells, Cell{Text: text})
	}
	if v.hasChange() {
		row.Cells = append(row.Cells, Cell{Text: v.s.signed(after - before)})
	}
	return row
}

// hasAny reports whether any exchange of an arm has one of the keys.
func (v *view) hasAny(side int, keys []segment.Key) bool {
	a := v.reading(side)
	for _, k := range keys {
		if k == segment.WaitUnattributed || a.Column(k) != nil {
			return true
		}
	}
	return false
}

func (v *view) entryRow(i int) Row {
	e := &v.c.Entries[i]
	row := Row{Depth: v.depth(e), Cells: []Cell{{Text: entryName(e), Key: true}}}
	if e.Key == segment.WaitEdgeRTT {
		row.Cells[0].Note = "(est.)"
	}
	row = v.numbers(row, e.Of, v.shown.rows[i][0], v.shown.rows[i][1])
	word, tone := v.standing(e)
	limits := limitsOf(e, v.s)
	if v.petty(e) {
		limits = ""
	}
	return v.closed(row, word, tone, limits)
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

// standing is the word of a row. What is confirmed and too little to show claims neither gain nor loss.
func (v *view) standing(e *ledger.Entry) (string, Tone) {
	switch {
	case v.c.Identical:
		return "same", Dim
	case v.petty(e):
		return "small", Dim
	}
	return standingWord(e)
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
