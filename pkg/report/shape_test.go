package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

func rendered(t *testing.T, p Probe, ending string) string {
	t.Helper()
	var b bytes.Buffer
	if err := renderers[ending](&b, ProbeDocument(p)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextFitsAnOldTerminal(t *testing.T) {
	for name, p := range probeCases() {
		for i, line := range strings.Split(rendered(t, p, ".txt"), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s line %d has %d columns: %s", name, i+1, n, line)
			}
			if strings.TrimRight(line, " \t") != line || strings.ContainsAny(line, "\x1b\t\r\u202e") {
				t.Errorf("%s line %d has blanks at its end or acts on a terminal: %q", name, i+1, line)
			}
		}
	}
}

func TestTextIsASCIILeftOfTheLastColumn(t *testing.T) {
	p := oneArmRun(greenArm(), runFacts)
	p.Arms[0].Places[0].Site, p.Arms[0].Places[0].Evidence = "東京", "東京"
	p.Arms = append(p.Arms, h2Arm())
	p.Arms[0].Name = "東京"
	d := ProbeDocument(p)
	for _, line := range strings.Split(textOf(t, d), "\n") {
		if at := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); at >= 0 && at < strings.LastIndex(line, "  ") {
			t.Errorf("not ASCII left of the last column: %s", line)
		}
	}
}

func TestMarkdownTablesHaveEqualRows(t *testing.T) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	for name, p := range probeCases() {
		source := []byte(rendered(t, p, ".md"))
		tables, rules := 0, strings.Count(string(source), "\n|:--")
		err := ast.Walk(parser.Parse(text.NewReader(source)), func(n ast.Node, in bool) (ast.WalkStatus, error) {
			if table, ok := n.(*east.Table); ok && in {
				tables++
				checkRows(t, name, table)
			}
			if in && (n.Kind() == ast.KindRawHTML || n.Kind() == ast.KindImage || n.Kind() == ast.KindLink) {
				t.Errorf("%s: text from outside became %s", name, n.Kind())
			}
			return ast.WalkContinue, nil
		})
		if err != nil || tables != rules {
			t.Errorf("%s: %d tables parsed of %d written (%v)", name, tables, rules, err)
		}
		checkSourceRows(t, name, string(source))
	}
}

func checkRows(t *testing.T, name string, table *east.Table) {
	t.Helper()
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if got, want := row.ChildCount(), len(table.Alignments); got != want {
			t.Errorf("%s: a row has %d cells, want %d", name, got, want)
		}
	}
}

var unescapedBar = regexp.MustCompile(`(^|[^\\])(\\\\)*\|`)

// checkSourceRows counts bars, since a parser fills short rows and cuts long ones.
func checkSourceRows(t *testing.T, name, source string) {
	t.Helper()
	want := 0
	for _, line := range strings.Split(source, "\n") {
		if !strings.HasPrefix(line, "|") {
			want = 0
			continue
		}
		got := len(unescapedBar.FindAllString(strings.ReplaceAll(line, "||", "| |"), -1))
		if want == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%s: %d bars, want %d: %s", name, got, want, line)
		}
	}
}

func TestJSONHoldsWhatTextShows(t *testing.T) {
	for name, p := range probeCases() {
		var got struct {
			Schema string `json:"schema"`
			Unit   int64  `json:"text_unit_ns"`
		}
		source := rendered(t, p, ".json")
		if err := json.Unmarshal([]byte(source), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Schema != "coldsplit."+commandOf(p)+"/1" {
			t.Errorf("%s: schema %q", name, got.Schema)
		}
		known := nanoseconds(t, source, Scale(got.Unit))
		for _, figure := range tableFigures(rendered(t, p, ".txt")) {
			if !slices.Contains(known, figure) {
				t.Errorf("%s: text shows %s, which JSON does not hold", name, figure)
			}
		}
	}
}

func commandOf(p Probe) string {
	if p.Command == "" {
		return "probe"
	}
	return p.Command
}

var member = regexp.MustCompile(`"[a-z0-9_]+_ns": (-?\d+)`)

// nanoseconds are all members in _ns as the text writes them; a column that adds up may round one
// unit up or down.
func nanoseconds(t *testing.T, source string, s Scale) []string {
	t.Helper()
	var out []string
	for _, m := range member.FindAllStringSubmatch(source, -1) {
		ns, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		units := s.units(durationOf(ns))
		out = append(out, s.text(units-1), s.text(units), s.text(units+1))
	}
	return out
}

var figureLineOf = regexp.MustCompile(`^ *(dns|race|tcp|tls|quic|send|wait[._a-z]*|transfer|total|setup|ttfb)  .*( +[0-9.]+){3}$`)

// tableFigures are the numbers of the rows of segments.
func tableFigures(report string) []string {
	var out []string
	for _, line := range strings.Split(report, "\n") {
		if figureLineOf.MatchString(line) {
			out = append(out, regexp.MustCompile(` (\d+(\.\d)?)\b`).FindAllString(line[27:], -1)...)
		}
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

func TestCSVIsOneTidyTable(t *testing.T) {
	for name, p := range probeCases() {
		rows, err := csv.NewReader(strings.NewReader(rendered(t, p, ".csv"))).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(rows) < 1+6*len(p.Arms) {
			t.Errorf("%s: %d rows for %d arms", name, len(rows), len(p.Arms))
		}
		for _, row := range rows[1:] {
			for i, field := range row {
				if probeColumns[i] != "value_ns" && field != "" && strings.ContainsAny(field[:1], "=+-@") {
					t.Errorf("%s: a spreadsheet would run %q", name, field)
				}
			}
		}
	}
}

func TestColourOnlyRepeatsWords(t *testing.T) {
	d := Document{Warnings: []string{"NOT THE SAME ANSWER: two pages"}, Blocks: []Block{Table{
		Columns: []Column{{Head: "ms"}, {Head: "change", Align: Right, Min: 9}, {}},
		Rows: []Row{{Cells: []Cell{{Text: "tls"}, {Text: "-5", Tone: Good}, {Text: "saved", Tone: Good}}},
			{Cells: []Cell{{Text: "dns"}, {Text: "+1", Tone: Dim}, {Text: "noise", Tone: Dim}}}},
	}}}
	var coloured bytes.Buffer
	if err := Text(&coloured, d, TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(coloured.String(), "\x1b[32msaved\x1b[0m") {
		t.Errorf("no colour: %q", coloured.String())
	}
	stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured.String(), "")
	if plain := textOf(t, d); stripped != plain {
		t.Errorf("colour moved text:\n%s\nwant\n%s", stripped, plain)
	}
}
