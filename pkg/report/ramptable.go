package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// pairedFigure is two columns under one head: a p50 and a p95.
type pairedFigure struct {
	over string
	get  func(*load.Group) load.Figure
}

// pairs are the two figures the stages are told by.
func (v *rampView) pairs() [2]pairedFigure {
	total := pairedFigure{"total", func(g *load.Group) load.Figure { return g.Total }}
	switch {
	case v.open:
		return [2]pairedFigure{
			{"from intended", func(g *load.Group) load.Figure { return g.Intended }},
			{"service time", func(g *load.Group) load.Figure { return g.Total }},
		}
	case v.r.All.FirstText.N > 0:
		return [2]pairedFigure{{"first text", func(g *load.Group) load.Figure { return g.FirstText }}, total}
	}
	return [2]pairedFigure{{"ttfb", func(g *load.Group) load.Figure { return g.TTFB }}, total}
}

// columns of a table of groups whose first column is head.
func (v *rampView) columns(head Column) []Column {
	right := func(head string, gap, least int) Column {
		return Column{Head: head, Align: Right, Gap: gap, Min: least}
	}
	columns := []Column{head}
	if v.wide {
		columns = append(columns, right("asked", 2, 5))
	}
	columns = append(columns, right("ok", 4, 2), right("throttled", 2, 9), right("failed", 2, 6))
	if v.setup {
		columns = append(columns, right("setup", 2, 5))
	}
	for i, pair := range v.pairs() {
		columns = append(columns, v.pairColumns(pair, 3+i)...)
	}
	if v.p99 {
		p99 := right("p99", 3, 4)
		p99.Wide = v.pairs()[1].over + " p99"
		columns = append(columns, p99)
	}
	return columns
}

func (v *rampView) pairColumns(pair pairedFigure, gap int) []Column {
	p50 := Column{Head: "p50", Wide: pair.over + " p50", Align: Right, Gap: gap, Min: 4}
	p95 := Column{Head: "p95", Over: centred(pair.over), Wide: "p95", Align: Right, Gap: 3, Min: 4}
	if len(pair.over) > 11 {
		p50.Gap = gap + len(pair.over) - 9
	}
	if v.hasExtreme(pair) {
		p95.Head, p95.Wide = "p95*", "p95 (max)"
	}
	if v.hasExtremeP50(pair) {
		p50.Head, p50.Wide = "p50*", pair.over+" p50 (an extreme)"
	}
	return []Column{p50, p95}
}

// centred shifts a short head over two columns of eleven characters to their middle.
func centred(over string) string { return over + strings.Repeat(" ", max(0, (11-len(over))/2-1)) }

// hasExtremeP50 reports whether some stage's p50 is merely the fastest of two.
func (v *rampView) hasExtremeP50(pair pairedFigure) bool {
	for i := range v.r.Stages {
		if f := pair.get(&v.r.Stages[i].Group); f.N > 1 && (f.P50.IsMin() || f.P50.IsMax()) {
			return true
		}
	}
	return false
}

// hasExtreme reports whether some stage's p95 is merely its slowest one.
func (v *rampView) hasExtreme(pair pairedFigure) bool {
	for i := range v.r.Stages {
		if f := pair.get(&v.r.Stages[i].Group); f.N > 1 && f.P95.IsMax() {
			return true
		}
	}
	return false
}

func (v *rampView) stageTable() Table {
	head := Column{Head: "parallel", Align: Right, Min: 8}
	if v.open {
		head.Head = "rate/s"
	}
	t := Table{Columns: v.columns(head)}
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		row := v.groupRow(Cell{Text: number(s)}, &s.Group)
		if len(s.Doubts) > 0 {
			row.Tail = "?"
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, v.sumRow(t))
	return t
}

func (v *rampView) groupRow(name Cell, g *load.Group) Row {
	row := Row{Cells: append([]Cell{name}, v.countCells(g.Counts)...)}
	if v.setup {
		row.Cells = append(row.Cells, v.p50Cell(g.Setup))
	}
	for _, pair := range v.pairs() {
		f := pair.get(g)
		row.Cells = append(row.Cells, v.p50Cell(f), percentileCell(f.P95, v.s))
	}
	if v.p99 {
		cell := Cell{Text: "-"}
		if f := v.pairs()[1].get(g); f.HasP99() {
			cell = percentileCell(f.P99, v.s)
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

func (v *rampView) countCells(c record.Counts) []Cell {
	cells := []Cell{{Text: fmt.Sprint(c.OK)}, {Text: fmt.Sprint(c.Throttled)}, {Text: fmt.Sprint(c.Failed)}}
	if v.wide {
		cells = append([]Cell{{Text: fmt.Sprint(c.Asked)}}, cells...)
	}
	return cells
}

func (v *rampView) p50Cell(f load.Figure) Cell { return percentileCell(f.P50, v.s) }

// sumRow adds up the counts and says at the right edge what was sent.
func (v *rampView) sumRow(t Table) Row {
	c := v.r.All.Counts
	row := Row{Ruled: true, Cells: append([]Cell{{Text: "sum"}}, v.countCells(c)...)}
	text := fmt.Sprintf("%s sent, none twice", Thousands(int64(c.Done())))
	room := -2
	for _, column := range t.Columns[len(row.Cells):] {
		room += column.Gap + max(column.Min, len(column.Head))
	}
	row.Tail = strings.Repeat(" ", max(0, room-len(text))) + text
	return row
}

func (v *rampView) tableNote() string {
	text := "Times are of the accepted only, ms."
	switch {
	case v.open:
		text += " from intended counts from the instant a request was due, sent or not: it holds the wait for a place, " +
			"and a service that stalls shows in it. service time counts from when the request was really sent; alone it hides " +
			"such a wait."
	case v.r.All.FirstText.N > 0:
		text += " first text counts from the start of the request"
		if v.setup {
			text += " and holds setup (p50)"
		}
		text += "; comments, pings and role frames are not text."
		if n := v.r.All.FirstText.N; n < v.r.All.Counts.OK {
			text += fmt.Sprintf(" It is of streams alone, %s.", Share(n, v.r.All.Counts.OK))
		}
	case v.setup:
		text += " ttfb and total hold setup (p50)."
	}
	return text
}

// templateTable has the columns of the stages, one row a template.
func (v *rampView) templateTable() Table {
	t := Table{Columns: v.columns(Column{Head: "template", Min: 8})}
	room := textColumns
	for _, c := range t.Columns[1:] {
		room -= c.Gap + max(c.Min, len(c.Head))
	}
	for i := range v.r.Templates {
		g := &v.r.Templates[i]
		name := g.Name
		if name == "" {
			name = "(none)"
		}
		t.Rows = append(t.Rows, v.groupRow(Cell{Text: short(name, min(room, clipSite))}, g))
	}
	return t
}

// textColumns is the width of text; tables of figures stay within it by themselves.
const textColumns = 80

// mostColumns is how many stages a table of segments holds within 80 columns of text.
const mostColumns = 7

// segmentTable is how an accepted exchange that takes exactly the p50 spends its time, for the last
// stages that accepted any.
func (v *rampView) segmentTable(most int) (Table, bool) {
	var stages []*load.Stage
	for i := range v.r.Stages {
		if v.r.Stages[i].Summary != nil {
			stages = append(stages, &v.r.Stages[i])
		}
	}
	stages = stages[max(0, len(stages)-most):]
	t := Table{Columns: []Column{{Head: "ms at p50", Min: 22}}}
	var arms []figures
	for _, s := range stages {
		t.Columns = append(t.Columns, Column{Head: "at " + number(s), Align: Right, Min: 6})
		arms = append(arms, figuresOf(ArmOf(s.Summary)))
	}
	for _, k := range segment.TableOrder() {
		if !k.Derived() || k == segment.Total {
			t.Rows = v.addSegment(t.Rows, k, arms)
		}
	}
	return t, len(stages) > 0
}

// segmentBlocks are the table of segments, and what it hides where requests of several kinds are mixed.
func (v *rampView) segmentBlocks(t Table) []Block {
	what := ""
	switch texts := v.r.All.FirstText.N; {
	case len(v.r.Templates) > 0:
		what = "Several templates are mixed"
	case texts > 0 && texts < v.r.All.Counts.OK:
		what = "Streams and other answers are mixed"
	default:
		return []Block{t}
	}
	return []Block{t, Paragraph{what + ": those at the p50 may all be of one kind, so a column tells where the time of that " +
		"kind went, and two columns may differ by the mixture alone. One kind a ramp tells them apart."}}
}

// addSegment adds the row of k when some stage has it.
func (v *rampView) addSegment(rows []Row, k segment.Key, arms []figures) []Row {
	row := Row{Depth: k.Depth(), Ruled: k == segment.Total, Cells: []Cell{{Text: k.String(), Key: true}}}
	if k == segment.WaitEdgeRTT {
		row.Cells[0].Note = "(est.)"
	}
	any := false
	for _, fs := range arms {
		text := "-"
		if fs[k].HasAtP50 {
			text, any = fs.atP50(v.s).text(v.s, k), true
		}
		row.Cells = append(row.Cells, Cell{Text: text})
	}
	if !any {
		return rows
	}
	return append(rows, row)
}
