package record_test

import (
	"io"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// doctored is a run of one cold h2 route with the lines given, ended with the counts given.
func doctored(lines ...string) string {
	head := `{"type":"run","schema":"coldsplit/1","id":"r","routes":[{"name":"a","url":"https://a.example/","protocol":"h2","state":"cold"},{"name":"b","url":"https://a.example/","protocol":"auto","state":"warm"}]}`
	return head + "\n" + strings.Join(lines, "\n") + "\n"
}

func okLine(rest string) string {
	return `{"type":"exchange","outcome":"ok","status":200,"total_ns":5,"segments":{"wait":5},` + rest + `}`
}

func readDoctored(t *testing.T, text string) (*record.Reader, error) {
	t.Helper()
	r, err := record.NewReader(strings.NewReader(text), record.ReadOptions{Name: "f.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	var x record.Exchange
	for err == nil {
		err = r.Next(&x)
	}
	if err == io.EOF {
		err = nil
	}
	return r, err
}

func TestExchangeThatContradictsItsRouteIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		okLine(`"route":"a","state":"warm","protocol":"h2"`):              `f.jsonl:2: state "warm" on route "a", which was measured cold`,
		okLine(`"route":"a","state":"cold","protocol":"h3"`):              `f.jsonl:2: protocol "h3" on route "a", which asked for h2`,
		okLine(`"route":"b","state":"warm","protocol":"h3"`):              `f.jsonl:2: protocol "h3" on route "b", which asked for auto`,
		okLine(`"route":"b","state":"warm","protocol":"http/1.1"`):        "",
		okLine(`"route":"b","state":"cold","protocol":"h2","prime":true`): "",
		okLine(`"route":"a"`): "",
		`{"type":"exchange","route":"a","outcome":"invalid","protocol":"h3","state":"cold","total_ns":5,"segments":{"tls":5},"error":{"segment":"tls","text":"asked for h2"}}`: "",
	} {
		_, err := readDoctored(t, doctored(line))
		if got := errorText(err); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestFileThatContradictsItselfIsDoubted(t *testing.T) {
	first, second := okLine(`"route":"a","seq":0`), okLine(`"route":"a","seq":1`)
	end := func(counts string) string { return `{"type":"end",` + counts + `}` }
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"whole":            {[]string{first, second, end(`"asked":2,"ok":2`)}, ""},
		"out of order":     {[]string{second, first, end(`"asked":2,"ok":2`)}, ""},
		"a number a route": {[]string{first, okLine(`"route":"b","seq":0`), end(`"asked":2,"ok":2`)}, ""},
		"copied line":      {[]string{first, second, first, end(`"asked":3,"ok":3`)}, `f.jsonl: on route "a", 1 of 3 exchanges have a number that another one has: was a line copied?`},
		"one too many":     {[]string{first, second, end(`"asked":1,"ok":1`)}, "f.jsonl holds 2 exchanges, its end line counts 1"},
		"other outcomes":   {[]string{first, second, end(`"asked":2,"ok":1,"failed":1`)}, "f.jsonl holds 2 ok, 0 throttled, 0 failed, 0 invalid, its end line counts 1 ok, 0 throttled, 1 failed, 0 invalid"},
		"other routes": {[]string{first, second, end(`"asked":2,"ok":2,"arms":[{"route":"a","asked":1,"ok":1},{"route":"b","asked":1,"ok":1}]`)},
			`f.jsonl holds 2 ok, 0 throttled, 0 failed, 0 invalid of route "a", its end line counts 1 ok, 0 throttled, 0 failed, 0 invalid`},
	} {
		r, err := readDoctored(t, doctored(c.lines...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := strings.Join(r.Doubts(), "\n")
		if got != c.want && !(c.want != "" && strings.HasPrefix(got, c.want+"\n")) {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, c.want)
		}
		if len(r.Warnings()) != len(r.Doubts()) {
			t.Errorf("%s: warnings %q", name, r.Warnings())
		}
	}
}

func TestWhatOnlyBeginsLikeZstdIsToldAsThat(t *testing.T) {
	_, err := record.NewReader(strings.NewReader("\x28\xb5\x2f\xfdnot a frame at all"), record.ReadOptions{Name: "f.jsonl"})
	if err == nil || !strings.HasPrefix(err.Error(), "f.jsonl: unpack zstd: ") {
		t.Errorf("got %v", err)
	}
}
