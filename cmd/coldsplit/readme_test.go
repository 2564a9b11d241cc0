package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shownCommand is a command line in a document's console block and the output below it.
type shownCommand struct {
	line   string
	output string
	masked bool // figures were measured: every number is compared as a shape
	part   bool // an excerpt of what is printed, measured too
}

// shownCommands finds the console blocks of a Markdown file. A block that follows a comment line
// "<!-- measured -->" holds measured figures, one after "<!-- excerpt -->" only a part of the output.
func shownCommands(t *testing.T, text string) []shownCommand {
	t.Helper()
	var out []shownCommand
	blocks := regexp.MustCompile("(?s)(<!-- (?:measured|excerpt) -->\n)?```console\n(.*?)```").FindAllStringSubmatch(text, -1)
	for _, b := range blocks {
		line, output, _ := strings.Cut(b[2], "\n")
		for strings.HasSuffix(line, "\\") {
			var next string
			next, output, _ = strings.Cut(output, "\n")
			line = strings.TrimSuffix(line, "\\") + strings.TrimSpace(next)
		}
		line, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			t.Errorf("a console block starts with %q, want a command", line)
		}
		out = append(out, shownCommand{line: line, output: output, masked: b[1] != "", part: strings.Contains(b[1], "excerpt")})
	}
	return out
}

// shellWords splits a command line of the documents: words, single quotes, nothing else.
func shellWords(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words
}

func TestEveryBlockOfTheReadmeIsWhatTheProgramPrints(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := shownCommands(t, string(text))
	if len(shown) == 0 {
		t.Fatal("the README shows no command")
	}
	t.Chdir("../..")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, c := range shown {
		t.Run(c.line, func(t *testing.T) { runShown(t, c) })
	}
}

// updateReadme rewrites the output blocks of the README from what the program prints now.
var updateReadme = flag.Bool("update-readme", false, "rewrite the README's output blocks")

func runShown(t *testing.T, c shownCommand) {
	words := shellWords(c.line)
	if words[0] == "go" {
		words = words[2:] // go run ./cmd/coldsplit
		words[0] = "coldsplit"
	}
	if words[0] != "coldsplit" {
		t.Fatalf("%q is not ours to run", c.line)
	}
	if c.masked && testing.Short() {
		t.Skip("it measures")
	}
	t.Setenv("API_KEY", "what requests.yaml asks for")
	var out bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &out, err: io.Discard, getenv: os.Getenv}
	run(t.Context(), words[1:], s)
	if *updateReadme && !c.part {
		rewriteReadme(t, c.output, out.String())
		return
	}
	want, got := c.output, out.String()
	if c.masked {
		want, got = mask(want), mask(got)
	}
	if c.part && strings.Contains(got, want) {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-README +program):\n%s", c.line, diff)
	}
}

// mask keeps the shape of a report whose figures are measured anew every time: numbers become 9,
// bars and rules one mark, blanks and line ends one blank.
func mask(s string) string {
	s = regexp.MustCompile(`[0-9][0-9.,:-]*`).ReplaceAllString(s, "9")
	s = regexp.MustCompile(`(^|\s)[=.-]+(\s|$)`).ReplaceAllString(s, "$1~$2")
	return strings.TrimSpace(regexp.MustCompile(`\s+`).ReplaceAllString(s, " "))
}

func rewriteReadme(t *testing.T, from, to string) {
	t.Helper()
	if from == "" {
		t.Fatal("an empty block cannot be told from another: put a line into it")
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("README.md", bytes.Replace(text, []byte(from), []byte(to), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTheReadmesYAMLIsTheFileItNames(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"three-cities.yaml", "requests.yaml"} {
		file, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, append([]byte("```yaml\n"), file...)) {
			t.Errorf("the README's YAML differs from testdata/%s", name)
		}
	}
}

func TestFixturesNamedInTheReadmeExist(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`testdata/[A-Za-z0-9._/-]*[A-Za-z0-9]`).FindAllString(string(text), -1) {
		if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
			t.Errorf("the README names %s: %v", name, err)
		}
	}
}
