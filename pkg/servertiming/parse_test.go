package servertiming_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

func TestDurStatesAreFourFacts(t *testing.T) {
	for header, want := range map[string]servertiming.DurState{
		`cdn-cache-miss`:         servertiming.DurAbsent,
		`x-originResponse;dur=`:  servertiming.DurEmpty,
		`x;dur`:                  servertiming.DurEmpty,
		`x;dur=""`:               servertiming.DurEmpty,
		`x;dur="12`:              servertiming.DurEmpty,
		`x;dur=foo`:              servertiming.DurInvalid,
		`x;dur=NaN`:              servertiming.DurInvalid,
		`x;dur=Infinity`:         servertiming.DurInvalid,
		`x;dur=1e999`:            servertiming.DurInvalid,
		`cfOrigin;dur=0`:         servertiming.DurValue,
		`x;dur=-5`:               servertiming.DurValue,
		`x;dur=0x10`:             servertiming.DurValue, // 0, then junk
		`x;dur=foo;dur=12`:       servertiming.DurInvalid,
		`x;dur;dur=12`:           servertiming.DurEmpty,
		`x;DUR="2132ms";desc=ok`: servertiming.DurValue,
	} {
		f := servertiming.Parse(header)
		if len(f.Metrics) != 1 || f.Metrics[0].Dur.State != want {
			t.Errorf("Parse(%q) = %+v, want one metric with dur %v", header, f.Metrics, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	type kinds = []servertiming.WarningKind
	for _, tt := range []struct {
		header string
		want   kinds
	}{
		{`db=150; cache=22`, kinds{servertiming.DeprecatedSyntax, servertiming.UnrecognizedParameter}},
		{`lb=42; "Load, balancer"`, kinds{servertiming.DeprecatedSyntax, servertiming.Junk}},
		{`sql;desc="MySQL";dur=100;dur=200`, kinds{servertiming.DuplicateParameter}},
		{`sql;desc;dur=100`, kinds{servertiming.NoValue}},
		{`sql;dur=;desc=""`, kinds{servertiming.NoValue}},
		{`sql;desc="MySQL";dur=abc`, kinds{servertiming.UnparsableDuration}},
		{`sql;dur=100;invalid=lol`, kinds{servertiming.UnrecognizedParameter}},
		{`metric==   ""foo;dur=123.4`, kinds{servertiming.DeprecatedSyntax}},
		{`metric;desc="abc, other`, kinds{servertiming.UnclosedQuote, servertiming.NoValue}},
		{`metric;dur=2132ms`, kinds{servertiming.TrailingUnit}},
		{`=, metric`, kinds{servertiming.Junk}},
		{`metric;desc:"x"`, kinds{servertiming.Junk, servertiming.NoValue}},
		{`a;dur=1 , , b;desc="x"`, nil},
	} {
		var got kinds
		for _, w := range servertiming.Parse(tt.header).Warnings {
			got = append(got, w.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("Parse(%q) warns %v, want %v", tt.header, got, tt.want)
		}
	}
}

func TestLinesAreReadAlone(t *testing.T) {
	f := servertiming.Parse(`a;desc="open`, `b;dur=2`, ``, `c`)
	if got := names(f); got != "a b c" {
		t.Fatalf("names = %q, want every line to count", got)
	}
	for i, line := range []int{0, 1, 3} {
		if f.Metrics[i].Line != line {
			t.Errorf("metric %q says line %d, want %d", f.Metrics[i].Name, f.Metrics[i].Line, line)
		}
	}
}

func TestUntrustedSizes(t *testing.T) {
	t.Run("10,000 metrics", func(t *testing.T) {
		f := servertiming.Parse(strings.Repeat("m;dur=1,", 2000), strings.Repeat("m;dur=1,", 8000))
		if len(f.Metrics) != servertiming.MaxMetrics {
			t.Errorf("kept %d metrics, want %d", len(f.Metrics), servertiming.MaxMetrics)
		}
		wantLast(t, f, servertiming.MetricsCut)
	})
	t.Run("a cut never changes a number", func(t *testing.T) {
		pad := strings.Repeat("x", servertiming.MaxLine-len("p,m;dur=12")-1)
		f := servertiming.Parse("p" + pad + ",m;dur=1234")
		if got := len(f.Metrics); got != 1 {
			t.Errorf("kept %d metrics, want the unfinished one dropped", got)
		}
		wantLast(t, f, servertiming.LineCut)
	})
	t.Run("64 KiB of broken quotes", func(t *testing.T) {
		f := servertiming.Parse(`m;desc="` + strings.Repeat(`\"`, 32<<10))
		if len(f.Metrics) != 0 {
			t.Errorf("kept %d metrics of a cut, unclosed line", len(f.Metrics))
		}
	})
	t.Run("a warning for every metric", func(t *testing.T) {
		f := servertiming.Parse(strings.Repeat("m;dur=x,", 500))
		if got := len(f.Warnings); got != servertiming.MaxWarnings+1 {
			t.Errorf("%d warnings, want %d", got, servertiming.MaxWarnings+1)
		}
		wantLast(t, f, servertiming.WarningsCut)
	})
	t.Run("lines without end", func(t *testing.T) {
		f := servertiming.Parse(slices.Repeat([]string{"="}, 5000)...)
		if got := len(f.Warnings); got != servertiming.MaxWarnings+1 {
			t.Errorf("%d warnings, want %d", got, servertiming.MaxWarnings+1)
		}
		wantLast(t, servertiming.Parse(make([]string, 5000)...), servertiming.LinesCut)
	})
}

func wantLast(t *testing.T, f servertiming.Field, want servertiming.WarningKind) {
	t.Helper()
	if len(f.Warnings) == 0 || f.Warnings[len(f.Warnings)-1].Kind != want {
		t.Errorf("warnings %v, want the last to be %q", f.Warnings, want)
	}
}

func TestNumberIsExactlyRounded(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for _, tt := range []struct {
		text string
		unit time.Duration
		want time.Duration
		ok   bool
	}{
		{"123.4", ms, 123_400_000, true},
		{"0.1", ms, 100_000, true},
		{"389.24", ms, 389_240_000, true},
		{"52.000046", ms, 52_000_046, true},
		{"129.999876", ms, 129_999_876, true},
		{"0.123456789", s, 123_456_789, true},
		{"0.0000004999", ms, 0, true},
		{"0.0000005", ms, 1, true},
		{"-0.0000005", ms, -1, true},
		{"1.0049999999999999999999999", ms, 1_005_000, true},
		{"234.275390625", ms, 234_275_391, true},
		{".5", ms, 500_000, true},
		{"5.", ms, 5_000_000, true},
		{"+5", ms, 5_000_000, true},
		{"-0", ms, 0, true},
		{"1e3", ms, s, true},
		{"1.5E-3", ms, 1500, true},
		{"1e-300", ms, 0, true},
		{"0e99", ms, 0, true},
		{"9223372036854.775807", ms, 1<<63 - 1, true},
		{"9223372036854.775808", ms, 1<<63 - 1, false},
		{"1e300", ms, 1<<63 - 1, false},
		{"-1e300", ms, -1 << 63, false},
		{"99999999999999999999", time.Nanosecond, 1<<63 - 1, false},
	} {
		n, _, ok := servertiming.ParseNumber(tt.text)
		if !ok {
			t.Errorf("ParseNumber(%q) refused it", tt.text)
			continue
		}
		if got, ok := n.Duration(tt.unit); got != tt.want || ok != tt.ok {
			t.Errorf("%q in %v = %d, %v; want %d, %v", tt.text, tt.unit, got, ok, tt.want, tt.ok)
		}
	}
}

// The rules are those of HTML's "rules for parsing floating-point number
// values"; each row is one of their steps.
func TestParseNumberFollowsHTML(t *testing.T) {
	for text, want := range map[string][2]string{
		"2132ms":   {"2132", "ms"},
		" \t\n 7 ": {"7", " "},
		"1.e5":     {"1.e5", ""},
		"1e":       {"1", "e"},
		"1e+":      {"1", "e+"},
		"1.2.3":    {"1.2", ".3"},
		"0x10":     {"0", "x10"},
		"1_000":    {"1", "_000"},
	} {
		n, rest, ok := servertiming.ParseNumber(text)
		if !ok || n.String() != want[0] || rest != want[1] {
			t.Errorf("ParseNumber(%q) = %q, %q, %v; want %q", text, n.String(), rest, ok, want)
		}
	}
	for _, text := range []string{"", ".", "-", "+.", "-.x", "e5", "NaN", "Inf", "infinity", "--1", "1e309"} {
		if n, rest, ok := servertiming.ParseNumber(text); ok || rest != text {
			t.Errorf("ParseNumber(%q) = %q, %q, %v; want a refusal", text, n.String(), rest, ok)
		}
	}
}

func TestStep(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"9":           time.Millisecond,
		"8.59":        10 * time.Microsecond,
		"0.123000":    time.Nanosecond,
		"12.34e1":     100 * time.Microsecond,
		"0.123456789": time.Nanosecond,
	} {
		n, _, _ := servertiming.ParseNumber(text)
		if got := n.Step(time.Millisecond); got != want {
			t.Errorf("step of %q ms = %v, want %v", text, got, want)
		}
	}
}

func names(f servertiming.Field) string {
	var all []string
	for _, m := range f.Metrics {
		all = append(all, m.Name)
	}
	return strings.Join(all, " ")
}
