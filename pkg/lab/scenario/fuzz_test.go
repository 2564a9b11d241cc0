package scenario_test

import (
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// Whatever a file holds, reading it ends in a document that can be changed, or in
// one line that names the file.
func FuzzParse(f *testing.F) {
	for _, i := range scenario.List() {
		d, err := scenario.Load(i.Name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(d.Text()))
	}
	for _, text := range []string{tenLines, "", "client: x", "- a", "{", "client: &a *a", "services: {a: {city: Tokyo, calls: [[a], ~]}}\nclient: Tokyo", "? : ?"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := scenario.Parse("my.yaml", []byte(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || !strings.HasPrefix(err.Error(), "my.yaml:") {
				t.Errorf("mistake told as %q", err)
			}
			return
		}
		if _, err := d.With("client.city=Tokyo"); err != nil {
			t.Errorf("a document that was read cannot be changed: %v\n%s", err, text)
		}
	})
}
