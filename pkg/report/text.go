package report

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// TextOptions say how a Document is printed for a terminal or a file. The zero value is what a
// redirect gets: 80 columns, no colour.
type TextOptions struct {
	Width int  // columns prose wraps at; 0 is 80. Tables of figures keep their own width
	Color bool // repeat verdicts in colour
}

// Text writes d as plain text. Left of the last column of every table it is ASCII. The error is the
// writer's.
func Text(w io.Writer, d Document, options TextOptions) error {
	if options.Width <= 0 {
		options.Width = 80
	}
	t := &textWriter{width: options.Width, color: options.Color}
	for _, warning := range d.Warnings {
		for _, line := range Wrap(plain(warning), t.width) {
			t.line(t.paint(line, Bad))
		}
	}
	if d.Sentence != "" {
		t.gap()
		t.prose(d.Sentence)
	}
	t.blocks(visible(d.Blocks, FormatText))
	t.foot(d)
	_, err := w.Write(t.buf.Bytes())
	return err
}

type textWriter struct {
	buf   bytes.Buffer
	width int
	color bool
	label int // column of the text in the last KeyValue block
	bound bool
}

// visible resolves what is only for one format, unfolds details in text and drops empty groups.
func visible(blocks []Block, format Format) []Block {
	var out []Block
	for _, b := range blocks {
		switch b := b.(type) {
		case Only:
			if b.Format == format {
				out = append(out, visible(b.Blocks, format)...)
			}
		case Details:
			if format == FormatText {
				out = append(out, visible(b.Blocks, format)...)
			} else {
				out = append(out, b)
			}
		case Group:
			if inner := visible(b, format); len(inner) > 0 {
				out = append(out, Group(inner))
			}
		default:
			out = append(out, b)
		}
	}
	return out
}

func (t *textWriter) blocks(blocks []Block) {
	for _, b := range blocks {
		t.gap()
		t.block(b)
	}
}

// gap leaves one blank line between blocks and none at the top.
func (t *textWriter) gap() {
	if t.buf.Len() > 0 {
		t.buf.WriteByte('\n')
	}
}

func (t *textWriter) block(b Block) {
	t.bound = false
	switch b := b.(type) {
	case Paragraph:
		t.prose(b.Text)
	case KeyValue:
		t.keyValue(b)
	case List:
		t.list(b)
	case Code:
		for _, line := range b.Lines {
			t.line("    " + Clean(line))
		}
	case Table:
		t.table(b)
	case Waterfall:
		t.waterfall(b)
	case Group:
		for _, inner := range b {
			t.block(inner)
		}
	}
}

// foot prints footnotes and hints right below a closing KeyValue block, apart from any other.
func (t *textWriter) foot(d Document) {
	if len(d.Footnotes) > 0 {
		notes := KeyValue{Entries: d.Footnotes, Width: t.label}
		if !t.bound {
			notes.Width = 0
			t.gap()
		}
		t.keyValue(notes)
	}
	if len(d.Hints) > 0 && !t.bound {
		t.gap()
	}
	for _, hint := range d.Hints {
		t.hanging("hint: ", plain(hint), 6)
	}
}

func (t *textWriter) keyValue(b KeyValue) {
	start := b.Indent + labelWidth(b)
	for _, e := range b.Entries {
		t.entry(e, b.Indent, start, b.Hang)
	}
	t.label, t.bound = start, true
}

// labelWidth is the given width or what the longest key needs.
func labelWidth(b KeyValue) int {
	width := b.Width
	if width == 0 {
		for _, e := range b.Entries {
			width = max(width, runes(ASCII(e.Key))+2)
		}
	}
	return width
}

// entry prints a label and its lines. A label too long for its column keeps one blank to its text,
// or stands above it when it would leave no room.
func (t *textWriter) entry(e Entry, indent, start, hang int) {
	lead := strings.Repeat(" ", indent) + ASCII(e.Key)
	start = min(start, t.width/2)
	if len(e.Lines) == 0 || len(lead) > t.width/2 {
		t.hanging("", lead, indent)
		lead = ""
	}
	for _, line := range e.Lines {
		if pad := start - len(lead); pad > 0 {
			lead += strings.Repeat(" ", pad)
		} else if len(lead) > 0 {
			lead += " "
		}
		t.hanging(lead, plain(line), start+hang)
		lead = ""
	}
}

// hanging prints text after lead and indents the lines that wrap.
func (t *textWriter) hanging(lead, text string, indent int) {
	first, rest := splitFirst(text, t.width-runes(lead))
	t.line(lead + first)
	if rest == "" {
		return
	}
	for _, line := range Wrap(rest, t.width-indent) {
		t.line(strings.Repeat(" ", indent) + line)
	}
}

// splitFirst wraps only the first line off text.
func splitFirst(text string, width int) (first, rest string) {
	lines := Wrap(text, width)
	return lines[0], strings.Join(lines[1:], " ")
}

func (t *textWriter) list(b List) {
	if b.Title != "" {
		t.prose(b.Title)
	}
	for i, item := range b.Items {
		lead := "  " + bullet(b.Numbered, i) + "  "
		t.hanging(lead, plain(item), len(lead))
	}
}

func bullet(numbered bool, i int) string {
	if numbered {
		return strconv.Itoa(i + 1)
	}
	return "-"
}

func (t *textWriter) prose(text string) {
	for _, line := range Wrap(plain(text), t.width) {
		t.line(line)
	}
}

func (t *textWriter) line(s string) {
	t.buf.WriteString(strings.TrimRight(s, " "))
	t.buf.WriteByte('\n')
}

// colours are the SGR sequences (ECMA-48 section 8.3.117) of the tones.
var colours = [...]string{Plain: "", Good: "\x1b[32m", Bad: "\x1b[31m", Dim: "\x1b[2m"}

const resetColour = "\x1b[0m"

// paint colours escaped text when colour is asked for.
func (t *textWriter) paint(s string, tone Tone) string {
	if !t.color || tone == Plain || s == "" {
		return s
	}
	return colours[tone] + s + resetColour
}
