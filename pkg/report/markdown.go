package report

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// Markdown writes d as GitHub flavoured Markdown for a postmortem or a comment: the title as a
// heading, the sentence as a quotation, tables with their keys as code, long parts folded away. The
// error is the writer's.
func Markdown(w io.Writer, d Document) error {
	m := &markdownWriter{}
	if d.Title != "" {
		m.part("### " + prose(d.Title))
	}
	for _, warning := range d.Warnings {
		if warning = strings.TrimSpace(warning); warning != "" {
			m.part(quote("**" + prose(warning) + "**"))
		}
	}
	if d.Sentence != "" {
		m.part(quote(prose(d.Sentence)))
	}
	m.blocks(d.Blocks)
	m.foot(d)
	_, err := w.Write(m.buf.Bytes())
	return err
}

const markdownWidth = 79 // as in the pictures: one column is left for a reader who quotes it

type markdownWriter struct{ buf bytes.Buffer }

// part writes one block of lines, a blank line before it.
func (m *markdownWriter) part(text string) {
	if m.buf.Len() > 0 {
		m.buf.WriteByte('\n')
	}
	m.buf.WriteString(strings.TrimRight(text, "\n"))
	m.buf.WriteByte('\n')
}

func (m *markdownWriter) blocks(blocks []Block) {
	for _, b := range visible(blocks, FormatMarkdown) {
		m.block(b)
	}
}

func (m *markdownWriter) block(b Block) {
	switch b := b.(type) {
	case Paragraph:
		m.part(wrapped(prose(b.Text), "", ""))
	case KeyValue:
		m.keyValue(b)
	case List:
		m.list(b)
	case Code:
		m.code(b)
	case Table:
		m.part(markdownTable(b))
	case Waterfall:
		m.part(markdownTable(waterfallTable(b)))
		m.blocks([]Block{Paragraph{b.Tail}})
	case Group:
		m.blocks(b)
	case Details:
		m.details(b)
	}
}

func (m *markdownWriter) details(b Details) {
	m.part("<details><summary>" + htmlText(plain(b.Summary)) + "</summary>")
	m.blocks(b.Blocks)
	m.part("</details>")
}

var htmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace

func (m *markdownWriter) code(b Code) {
	var lines []string
	for _, line := range b.Lines {
		lines = append(lines, "    "+Clean(line))
	}
	m.part(strings.Join(lines, "\n"))
}

func (m *markdownWriter) list(b List) {
	if b.Title != "" {
		m.part("**" + prose(b.Title) + "**")
	}
	var items []string
	for i, item := range b.Items {
		lead := "- "
		if b.Numbered {
			lead = strconv.Itoa(i+1) + ". "
		}
		items = append(items, wrapped(prose(item), lead, strings.Repeat(" ", len(lead))))
	}
	m.part(strings.Join(items, "\n"))
}

// keyValue is a sentence when there is one entry with at most one line, and a table without heads
// otherwise.
func (m *markdownWriter) keyValue(b KeyValue) {
	if len(b.Entries) == 1 && len(b.Entries[0].Lines) < 2 {
		e := b.Entries[0]
		m.part(wrapped(strings.TrimSpace("**"+prose(e.Key)+"** "+prose(strings.Join(e.Lines, ""))), "", ""))
		return
	}
	table := Table{Columns: []Column{{}, {}}}
	for _, e := range b.Entries {
		table.Rows = append(table.Rows, entryRows(e)...)
	}
	m.part(markdownTable(table))
}

func entryRows(e Entry) []Row {
	if len(e.Lines) == 0 {
		return []Row{{Cells: []Cell{{Text: e.Key}, {}}}}
	}
	rows := make([]Row, len(e.Lines))
	for i, line := range e.Lines {
		rows[i].Cells = []Cell{{}, {Text: line}}
	}
	rows[0].Cells[0].Text = e.Key
	return rows
}

func (m *markdownWriter) foot(d Document) {
	for _, note := range d.Footnotes {
		m.part(wrapped(prose(strings.TrimSpace(note.Key+" "+strings.Join(note.Lines, " "))), "", ""))
	}
	for _, hint := range d.Hints {
		m.part(wrapped("hint: "+prose(hint), "", ""))
	}
}

// waterfallTable keeps the figures of a picture that Markdown cannot draw.
func waterfallTable(b Waterfall) Table {
	table := Table{Columns: []Column{{Head: "ms"}, {Head: "took", Align: Right}}}
	for _, bar := range b.Bars {
		table.Rows = append(table.Rows, Row{Depth: bar.Depth, Cells: []Cell{bar.Label, {Text: bar.Value}}})
	}
	total := Row{Ruled: true, Cells: []Cell{b.Total.Label, {Text: b.Total.Value}}}
	table.Rows = append(table.Rows, total)
	return table
}

func quote(text string) string { return wrapped(text, "> ", "> ") }

// wrapped breaks escaped prose into lines, none of which starts a list, a heading or a quotation.
func wrapped(text, first, rest string) string {
	var out []string
	lead := first
	for _, line := range Wrap(text, markdownWidth-len(first)) {
		out = append(out, lead+guardLine(strings.TrimLeft(line, " ")))
		lead = rest
	}
	return strings.Join(out, "\n")
}
