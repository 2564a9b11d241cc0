package report

import (
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
)

// grid is a table as cells of finished text: heads first, the last column already wrapped.
type grid struct {
	columns []Column
	need    []int // the width the cells of each column need
	lines   [][]gridCell
	rules   []int          // a rule stands above the lines with these numbers
	tails   map[int]string // what follows the last cell of a line
}

type gridCell struct {
	text string
	tone Tone
}

const smallestText = 20 // the last column is not wrapped to less, whatever the width

func (t *textWriter) table(b Table) {
	if len(b.Columns) == 0 {
		return
	}
	g := gridOf(b, t.width)
	lines := t.layOut(g)
	if over := g.overLine(); over != "" {
		t.line(over)
	}
	rule := strings.Repeat("-", g.ruleWidth(b.Rule))
	for i, line := range lines {
		for _, at := range g.rules {
			if at == i {
				t.line(rule)
			}
		}
		t.line(strings.Repeat(" ", g.gap(0)) + withTail(line, g.tails[i]))
	}
}

func withTail(line, tail string) string {
	if tail == "" {
		return line
	}
	return strings.TrimRight(line, " ") + "  " + Clean(dropCodes.Replace(tail))
}

func gridOf(b Table, width int) *grid {
	g := &grid{columns: b.Columns, need: make([]int, len(b.Columns)), tails: map[int]string{}}
	if hasHeads(b.Columns) {
		g.add(headCells(b.Columns))
	}
	rows := make([][]gridCell, len(b.Rows))
	for i, row := range b.Rows {
		rows[i] = textCells(b.Columns, row)
		g.widen(rows[i][:g.fixed()])
	}
	for i, row := range b.Rows {
		if row.Ruled {
			g.rules = append(g.rules, len(g.lines))
		}
		g.tails[len(g.lines)] = row.Tail
		g.addWrapped(rows[i], max(width-g.start(len(g.columns)-1), smallestText))
	}
	return g
}

func hasHeads(columns []Column) bool {
	for _, c := range columns {
		if c.Head != "" {
			return true
		}
	}
	return false
}

func headCells(columns []Column) []gridCell {
	cells := make([]gridCell, len(columns))
	for i, c := range columns {
		cells[i].text = ASCII(c.Head)
	}
	return cells
}

func textCells(columns []Column, row Row) []gridCell {
	cells := make([]gridCell, len(columns))
	for i, c := range row.Cells[:min(len(row.Cells), len(columns))] {
		cells[i] = gridCell{cellText(c, i == len(columns)-1 && columns[i].Align == Left), c.Tone}
	}
	cells[0].text = strings.Repeat("  ", row.Depth) + cells[0].text
	return cells
}

// cellText is a cell's text and note; only free text at the right may leave ASCII.
func cellText(c Cell, free bool) string {
	text, note := dropCodes.Replace(c.Text), dropCodes.Replace(c.Note)
	if note != "" {
		text += "  " + note
	}
	if free {
		return Clean(text)
	}
	return ASCII(text)
}

// fixed is the number of columns that never wrap: all, or all but free text at the right.
func (g *grid) fixed() int {
	if n := len(g.columns); n > 1 && g.columns[n-1].Align == Left {
		return n - 1
	}
	return len(g.columns)
}

func (g *grid) add(cells []gridCell) {
	g.widen(cells)
	g.lines = append(g.lines, cells)
}

func (g *grid) widen(cells []gridCell) {
	for i, c := range cells {
		g.need[i] = max(g.need[i], runes(c.text))
	}
}

// addWrapped adds a row and, where its last cell wraps, rows that hold nothing but the rest of it.
func (g *grid) addWrapped(cells []gridCell, room int) {
	last := len(cells) - 1
	if g.fixed() > last || runes(cells[last].text) <= room {
		g.add(cells)
		return
	}
	tone := cells[last].tone
	for _, text := range Wrap(cells[last].text, room) {
		cells[last] = gridCell{text, tone}
		g.add(cells)
		cells = make([]gridCell, len(cells))
	}
}

// width is that of column i with its smallest width kept.
func (g *grid) width(i int) int { return max(g.need[i], g.columns[i].Min) }

// gap is the blanks before column i.
func (g *grid) gap(i int) int {
	if gap := g.columns[i].Gap; gap > 0 || i == 0 {
		return gap
	}
	return 2
}

// start is the text column at which column i starts.
func (g *grid) start(i int) int {
	at := g.gap(0)
	for j := range i {
		at += g.width(j) + g.gap(j+1)
	}
	return at
}

func (g *grid) end(i int) int { return g.start(i) + g.width(i) }

// ruleWidth is the given width or the right edge of the last column of figures.
func (g *grid) ruleWidth(given int) int {
	if given > 0 {
		return given
	}
	for i := len(g.columns) - 1; i >= 0; i-- {
		if g.columns[i].Align == Right {
			return g.end(i)
		}
	}
	return g.end(len(g.columns) - 1)
}

// overLine places the heads that cover several columns: at the left edge of a column that leans
// left, up to the right edge of one that leans right.
func (g *grid) overLine() string {
	line := ""
	for i, c := range g.columns {
		if c.Over == "" {
			continue
		}
		text, at := ASCII(c.Over), g.start(i)
		if c.Align == Right {
			at = g.end(i) - len(text)
		}
		line += strings.Repeat(" ", max(at-len(line), 0)) + text
	}
	return line
}

// layOut lets the table library align the cells and returns one string a line.
func (t *textWriter) layOut(g *grid) []string {
	var out strings.Builder
	table := tablewriter.NewTable(&out, tablewriter.WithConfig(layoutConfig(g)), tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		}))
	for _, cells := range g.lines {
		if err := table.Append(t.spaced(g, cells)); err != nil {
			return t.refused(err)
		}
	}
	if err := table.Render(); err != nil {
		return t.refused(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// refused cannot happen with rows of equal length written to memory; if it does, the report says so
// instead of losing a table.
func (t *textWriter) refused(err error) []string {
	return []string{"table not drawn: " + Clean(err.Error())}
}

// spaced interleaves the cells with the gaps between them. The library fills padding with a repeated
// character and drops cells narrower than it, so gaps are columns of their own.
func (t *textWriter) spaced(g *grid, cells []gridCell) []string {
	out := make([]string, 0, 2*len(cells)+1)
	for i, c := range cells {
		if i > 0 {
			out = append(out, strings.Repeat(" ", g.gap(i)))
		}
		out = append(out, g.padded(i, c.text, t.paint(c.text, c.tone)))
	}
	return out
}

// padded gives a cell, shown as painted, the smallest width of its column; the library aligns what is
// wider.
func (g *grid) padded(i int, text, painted string) string {
	missing := strings.Repeat(" ", max(g.columns[i].Min-runes(text), 0))
	if g.columns[i].Align == Right {
		return missing + painted
	}
	return painted + missing
}

// layoutConfig turns off everything the library does to text: upper-casing, wrapping, trimming,
// padding. East Asian widths are off as well; it would take them from the environment.
func layoutConfig(g *grid) tablewriter.Config {
	config := tablewriter.NewConfigBuilder().Build()
	config.Behavior.TrimSpace = tw.Off
	config.Row.Formatting.AutoFormat = tw.Off
	config.Row.Formatting.AutoWrap = tw.WrapNone
	row := &config.Row
	for i, c := range g.columns {
		if i > 0 {
			row.Alignment.PerColumn = append(row.Alignment.PerColumn, tw.AlignLeft)
			row.Padding.PerColumn = append(row.Padding.PerColumn, tw.Padding{Overwrite: true})
		}
		side := tw.AlignLeft
		if c.Align == Right {
			side = tw.AlignRight
		}
		row.Alignment.PerColumn = append(row.Alignment.PerColumn, side)
		row.Padding.PerColumn = append(row.Padding.PerColumn, tw.Padding{Overwrite: true})
	}
	return config
}
