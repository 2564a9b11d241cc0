package report

// Document is one report before it has a format. The zero Document prints nothing in text. Documents
// are values: renderers never change one, and several may render the same one at once.
type Document struct {
	// Title is the heading of the Markdown form; the other formats do not show it.
	Title string
	// Warnings stand above the sentence: reasons not to believe it ("NOT THE SAME ANSWER: ...").
	Warnings []string
	// Sentence is what somebody can quote alone. A line end in it starts a new line.
	Sentence string
	// Blocks follow in order, set apart by a blank line.
	Blocks []Block
	// Footnotes explain marks used above, at the column of the last KeyValue block.
	Footnotes []Entry
	// Hints close the report as "hint: ..." lines. A caller that wants them on stderr instead takes
	// them out of the Document and prints them there.
	Hints []string
	// Records is the CSV form.
	Records Records
	// JSON is the JSON form: a value that marshals to one object with a "schema" member.
	JSON any
}

// Format names an output format as --format spells it.
type Format string

// The formats.
const (
	FormatText     Format = "text"
	FormatMarkdown Format = "md"
	FormatCSV      Format = "csv"
	FormatJSON     Format = "json"
)

// Block is one part of a Document: Table, KeyValue, List, Waterfall, Paragraph, Code, Group, Details
// or Only.
type Block interface{ block() }

// Paragraph is prose, wrapped by the renderers. A line end in it starts a new line.
type Paragraph struct{ Text string }

// Entry is a label and what stands beside it, one or more lines, each wrapped on its own.
type Entry struct {
	Key   string
	Lines []string
}

// KeyValue is a list of labels at the left with text beside them: "run     25 asked: ...".
type KeyValue struct {
	Entries []Entry
	// Width is the column at which the text starts; 0 is the longest key and two blanks.
	Width int
	// Indent moves the whole block to the right.
	Indent int
	// Hang indents the continuation of a wrapped line further.
	Hang int
}

// List is a title and items below it with a hanging indent: findings (numbered), doubts (not).
type List struct {
	Title    string
	Numbered bool
	Items    []string
}

// Code is lines to be copied, printed as they are and never wrapped.
type Code struct{ Lines []string }

// Group keeps blocks together: no blank line between them in text.
type Group []Block

// Details is folded away in Markdown under its summary, whose text form is just its blocks.
type Details struct {
	Summary string
	Blocks  []Block
}

// Only is shown in one format, for what another one says in a different way.
type Only struct {
	Format Format // FormatText or FormatMarkdown
	Blocks []Block
}

// Align is the side a column leans to.
type Align int

// The alignments. Text leans left, figures lean right.
const (
	Left Align = iota
	Right
)

// Tone repeats in colour what a cell says in words. It is never the only carrier of a meaning.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Good       // saved, faster
	Bad        // lost, slower
	Dim        // noise
)

// Table is rows of cells under heads. In text the last column, when it leans left, wraps to the
// width; all other columns keep theirs.
type Table struct {
	Columns []Column
	Rows    []Row
	// Rule is the width of the ruled line in text; 0 is the right edge of the last figure column.
	Rule int
}

// Column describes one column. Trailing blanks of heads are kept in text: they shift a head that
// leans right.
type Column struct {
	Head  string
	Over  string // a head above the head, for the last of several columns it covers
	Align Align
	Min   int // smallest width in text
	Gap   int // blanks before the column in text
	// Wide replaces Head in Markdown, where a mark may need words: "p99 (max)".
	Wide string
}

// Row is one line of a table. A row with Ruled set has a line drawn above it in text and stands in
// bold in Markdown: it is the total of the rows above.
type Row struct {
	Depth int // of a row that is part of the one above; indents the first cell by two blanks each
	Ruled bool
	Cells []Cell
	Tail  string // words after the last cell that is not empty; leading blanks are kept in text
}

// Cell is what stands in one place of a table.
type Cell struct {
	Text string
	Note string // after the text and two blanks: "(est.)"; leading blanks of it are kept in text
	Key  bool   // Text is a key, header or file name: code in Markdown
	Tone Tone
}

// Waterfall draws one exchange as bars on one axis of time.
type Waterfall struct {
	Bars  []Bar
	Total Bar    // the ruled line at the foot; its Start is ignored
	Tail  string // beside the total, instead of a bar
}

// Bar is one row of a Waterfall. Start and Length are nanoseconds from the exchange's start.
type Bar struct {
	Label         Cell
	Depth         int
	Value         string // the length as printed
	Start, Length int64
}

// Records is one tidy table: a header and rows whose cells are string, int, int64, float64, bool or
// nil (unknown, an empty field).
type Records struct {
	Columns []string
	Rows    [][]any
}

func (Paragraph) block() {}
func (KeyValue) block()  {}
func (List) block()      {}
func (Code) block()      {}
func (Group) block()     {}
func (Details) block()   {}
func (Only) block()      {}
func (Table) block()     {}
func (Waterfall) block() {}
