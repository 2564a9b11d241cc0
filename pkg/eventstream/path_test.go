package eventstream_test

import (
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
)

func TestPathLeadsToText(t *testing.T) {
	const document = `{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}],"x.y":{"":"no","z":"c"},"n":1,"list":[["d"]],"s":"e"}`
	for path, want := range map[string]string{
		"choices[0].delta.content": "a", "choices[1].delta.content": "b", "choices[*].delta.content": "ab",
		"$.choices[0].delta.content": "a", ".s": "e", "s": "e", `["x.y"].z`: "c", `$['x.y']["z"]`: "c", "list[0][0]": "d",
		"choices[2].delta.content": "", "choices.delta": "", "n": "", "s.t": "", "s[0]": "", "choices": "", "missing.member": "",
	} {
		p, err := eventstream.ParsePath(path)
		if err != nil {
			t.Errorf("ParsePath(%q): %v", path, err)
			continue
		}
		if got := p.Text([]byte(document)); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
		if p.String() != path || p.IsZero() {
			t.Errorf("%q is spelled %q", path, p)
		}
	}
}

func TestPathOfTheWrongForm(t *testing.T) {
	for path, want := range map[string]string{
		"": "want member names", "$": "want member names", "a..b": "does not go on", "a.": "does not go on", "a[": "no closing bracket",
		"a[x]": `index "x"`, "a[-1]": `index "-1"`, "a[0]b": "does not go on", "a b": "no member name", "a.[0]": "does not go on", `a["b"`: "no closing bracket", "a]": "no member name",
	} {
		_, err := eventstream.ParsePath(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParsePath(%q): %v, want %q", path, err, want)
		}
	}
	var zero eventstream.Path
	if !zero.IsZero() || zero.Text([]byte(`"a"`)) != "" {
		t.Error("the zero path leads somewhere")
	}
}
