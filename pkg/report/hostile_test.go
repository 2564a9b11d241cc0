package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// checkMarkdown holds that a stranger's text adds no table, row, link or markup of its own.
func checkMarkdown(t *testing.T, d Document) {
	t.Helper()
	var b bytes.Buffer
	if err := Markdown(&b, d); err != nil {
		t.Fatal(err)
	}
	got := countNodes(t, b.Bytes())
	var calm bytes.Buffer
	if err := Markdown(&calm, ProbeDocument(oneArmRun(greenArm(), runFacts))); err != nil {
		t.Fatal(err)
	}
	if want := countNodes(t, calm.Bytes()); got.tables != want.tables || got.headings != want.headings || got.foreign > 0 {
		t.Errorf("structure changed: %+v, want %+v\n%s", got, want, b.String())
	}
}

type nodes struct{ tables, headings, foreign int }

func countNodes(t *testing.T, source []byte) nodes {
	t.Helper()
	var n nodes
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(node ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		switch node.(type) {
		case *east.Table:
			n.tables++
		case *ast.Heading:
			n.headings++
		case *ast.RawHTML, *ast.Link, *ast.Image, *ast.AutoLink, *ast.FencedCodeBlock, *ast.CodeBlock, *ast.List, *ast.ThematicBreak:
			n.foreign++
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func checkText(t *testing.T, d Document) {
	t.Helper()
	for _, line := range strings.Split(textOf(t, d), "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("line of more than 80 columns: %q", line)
		}
		if strings.IndexFunc(line, acts) >= 0 {
			t.Errorf("line acts on a terminal: %q", line)
		}
	}
}

func checkMachine(t *testing.T, d Document) {
	t.Helper()
	var j, c bytes.Buffer
	if err := JSON(&j, d); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(j.Bytes()) || strings.IndexFunc(strings.ReplaceAll(j.String(), "\n", ""), acts) >= 0 {
		t.Errorf("JSON is not valid or acts on a terminal: %q", j.String())
	}
	if err := CSV(&c, d); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&c).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if field := strings.TrimLeft(row[0], " "); field != "" && strings.ContainsRune(formulaStarts, []rune(field)[0]) {
			t.Errorf("a spreadsheet would run %q", row[0])
		}
	}
}
