package report

import "strings"

// markdownTable writes one line a row; every row has as many cells as there are columns.
func markdownTable(b Table) string {
	heads, sides := make([]string, len(b.Columns)), make([]string, len(b.Columns))
	for i, c := range b.Columns {
		heads[i] = tableCell(headOf(c))
		sides[i] = ":--"
		if c.Align == Right {
			sides[i] = "--:"
		}
	}
	lines := []string{markdownRow(heads), "|" + strings.Join(sides, "|") + "|"}
	for _, row := range b.Rows {
		lines = append(lines, markdownRow(markdownCells(b.Columns, row)))
	}
	return strings.Join(lines, "\n")
}

// headOf joins the heads of a column. A mark on a head would be taken for emphasis, so a column can
// say it in words.
func headOf(c Column) string {
	head := c.Head
	if c.Wide != "" {
		head = c.Wide
	}
	return strings.TrimSpace(strings.TrimSpace(c.Over) + " " + strings.TrimSpace(head))
}

func markdownCells(columns []Column, row Row) []string {
	out := make([]string, len(columns))
	for i, c := range row.Cells[:min(len(row.Cells), len(columns))] {
		out[i] = markdownCell(c, row.Ruled)
	}
	last := len(out) - 1
	out[last] = strings.TrimSpace(out[last] + " " + tableCell(row.Tail))
	return out
}

func markdownCell(c Cell, strong bool) string {
	text := tableCell(c.Text)
	if c.Key {
		text = strings.ReplaceAll(codeSpan(dropCodes.Replace(c.Text)), "|", `\|`)
	}
	if strong && text != "" {
		text = "**" + text + "**"
	}
	return strings.TrimSpace(text + " " + tableCell(strings.TrimSpace(c.Note)))
}

func tableCell(s string) string {
	return strings.ReplaceAll(prose(strings.TrimSpace(s)), "\n", " ")
}

func markdownRow(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteByte(' ')
		if c != "" {
			b.WriteString(c + " ")
		}
		b.WriteByte('|')
	}
	return b.String()
}
