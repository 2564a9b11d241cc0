package servertiming_test

import (
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// What holds for any bytes: no panic, limits kept, every name a token, and a
// well-formed copy of what was read is read the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`metric;dur=123.4;desc="a \" b"`, `a, b;dur;desc`, `==;,`, `db=150; cache=22`, "m;desc=\"\x1b[31m",
	} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		got := servertiming.Parse(first, second)
		if len(got.Metrics) > servertiming.MaxMetrics || len(got.Warnings) > servertiming.MaxWarnings+1 {
			t.Fatalf("limits broken: %d metrics, %d warnings", len(got.Metrics), len(got.Warnings))
		}
		for _, m := range got.Metrics {
			checkMetric(t, m)
		}
	})
}

func checkMetric(t *testing.T, m servertiming.Metric) {
	t.Helper()
	if m.Name == "" || strings.ContainsAny(m.Name, " \t,;=\"()") {
		t.Fatalf("name %q is no token", m.Name)
	}
	if m.Line < 0 || m.Line > 1 {
		t.Fatalf("line %d of two", m.Line)
	}
	if len(write(m)) >= servertiming.MaxLine {
		return // escaping made it too long to be read whole
	}
	again := servertiming.Parse(write(m))
	if len(again.Metrics) != 1 {
		t.Fatalf("%q gives %d metrics", write(m), len(again.Metrics))
	}
	m.Line = 0
	if again.Metrics[0] != m {
		t.Fatalf("%q read again: %+v, want %+v", write(m), again.Metrics[0], m)
	}
	m.Dur.Duration()
}

func write(m servertiming.Metric) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	s := m.Name
	if m.Dur.State != servertiming.DurAbsent {
		s += `;dur="` + escape.Replace(m.Dur.Text) + `"`
	}
	if m.Described {
		s += `;desc="` + escape.Replace(m.Desc) + `"`
	}
	return s
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"123.4ms", "-1e-7", "+.5", "1e999", "NaN", "0e-999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, rest, ok := servertiming.ParseNumber(text)
		if !strings.HasSuffix(text, rest) || (!ok && rest != text) {
			t.Fatalf("ParseNumber(%q) leaves %q", text, rest)
		}
		if !ok {
			return
		}
		small, fits := n.Duration(time.Millisecond)
		large, fitsToo := n.Duration(time.Second)
		if fits && fitsToo && (large < 0) != (small < 0) && small != 0 {
			t.Fatalf("%q is %v in ms and %v in s", n.String(), small, large)
		}
		if n.Step(time.Millisecond) < 1 {
			t.Fatalf("step of %q is %v", n.String(), n.Step(time.Millisecond))
		}
	})
}
