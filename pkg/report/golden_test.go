package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// renderers are the formats with the endings of their golden files.
var renderers = map[string]func(io.Writer, Document) error{
	".txt":  func(w io.Writer, d Document) error { return Text(w, d, TextOptions{}) },
	".md":   Markdown,
	".csv":  CSV,
	".json": JSON,
}

func TestReportsAreThoseReviewed(t *testing.T) {
	for name, p := range probeCases() {
		d := ProbeDocument(p)
		for ending, render := range renderers {
			t.Run(name+ending, func(t *testing.T) { checkGolden(t, name+ending, d, render) })
		}
	}
}

func checkGolden(t *testing.T, file string, d Document, render func(io.Writer, Document) error) {
	t.Helper()
	var got bytes.Buffer
	if err := render(&got, d); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "testdata", "golden", file)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}
