package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/provider"
)

func explain(t *testing.T, text string) map[string]provider.Explanation {
	t.Helper()
	var lines []provider.Line
	for _, l := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(l, ": ")
		lines = append(lines, provider.Line{Name: name, Value: value})
	}
	out := map[string]provider.Explanation{}
	for _, x := range provider.Explain(lines) {
		out[x.Header+"/"+x.Metric] = x
	}
	return out
}

func TestExplain(t *testing.T) {
	got := explain(t, `CF-Ray: 8f0123456789abcd-NRT
Server: cloudflare
X-Runtime: 0.399578
Server-Timing: cfEdge;dur=9, pre_forward;dur=175, mystery;dur=4, wp-memory-usage;dur=5795096, wp-total;dur=70
X-App-Preforward-Time: 12
Content-Type: text/html
X-Queue-Time: -0.003
X-Sql-Calls: 4
Timing-Allow-Origin: *
X-Response-Time: 2`)
	for key, want := range map[string]string{
		"cf-ray/":                       "cloudflare|id and site code|true",
		"server/":                       "|text|true",
		"x-runtime/":                    "discourse|s|true",
		"server-timing/cfEdge":          "cloudflare|ms|true",
		"server-timing/pre_forward":     "|ms|true",
		"server-timing/mystery":         "||false",
		"server-timing/wp-memory-usage": "wordpress-performance-lab|bytes|true",
		"x-app-preforward-time/":        "||false",
		"content-type/":                 "||false",
		"timing-allow-origin/":          "|text|true",
		"x-response-time/":              "||false",
		"x-queue-time/":                 "discourse|s|true",
	} {
		x := got[key]
		if s := fmt.Sprintf("%s|%s|%v", x.Provider, x.Unit, x.Known); s != want {
			t.Errorf("%s explained as %s, want %s", key, s, want)
		}
		if x.Known != (x.Meaning != "" && x.Caveat != "") {
			t.Errorf("%s: known %v with meaning %q, caveat %q", key, x.Known, x.Meaning, x.Caveat)
		}
	}
	if p := got["cf-ray/"].Places; len(p) != 1 || p[0].Code != "NRT" {
		t.Errorf("cf-ray names places %+v, want NRT", p)
	}
	if s := got["server-timing/cfEdge"].Spans; len(s) != 1 || s[0].Role != provider.PreForward || s[0].Bound != provider.AtMost {
		t.Errorf("cfEdge tells %+v, want at most 9 ms before the forward", s)
	}
	for key, note := range map[string]string{
		"server-timing/mystery":  "no rule knows this name",
		"x-app-preforward-time/": "looks like a time",
		"x-response-time/":       "looks like a time",
	} {
		if !slices.ContainsFunc(got[key].Notes, func(n string) bool { return strings.Contains(n, note) }) {
			t.Errorf("%s has notes %q, want %q", key, got[key].Notes, note)
		}
	}
	if n := got["content-type/"].Notes; len(n) > 0 {
		t.Errorf("content-type has notes %q", n)
	}
}

func TestExplainKeepsTheOrderAndTheDoubts(t *testing.T) {
	lines := []provider.Line{
		{Name: "server-timing", Value: "b;dur=2, a;dur"},
		{Name: "server-timing", Value: "=;"},
		{Name: "x-kong-proxy-latency", Value: "soon"},
	}
	var got []string
	for _, x := range provider.Explain(lines) {
		got = append(got, fmt.Sprintf("%d %s%s %d", x.Line, x.Header, x.Metric, len(x.Notes)))
	}
	want := []string{"0 server-timingb 1", "0 server-timinga 2", "1 server-timing 2", "2 x-kong-proxy-latency 1"}
	if !slices.Equal(got, want) {
		t.Errorf("explanations %q, want %q", got, want)
	}
}

// What concerns a line and none of its metrics comes as a note of its own, and
// a head without end is cut with a note.
func TestExplainSaysWhatItLeavesOut(t *testing.T) {
	long := "m;dur=1," + strings.Repeat("x;desc=\"y\",", 3000)
	xs := provider.Explain([]provider.Line{{Name: "Server-Timing", Value: long}})
	last := xs[len(xs)-1]
	if last.Metric != "" || !slices.ContainsFunc(last.Notes, func(n string) bool {
		return strings.Contains(n, "too many metrics") || strings.Contains(n, "line too long")
	}) {
		t.Errorf("the cut line ends in %+v, want a note on the cut", last)
	}
	xs = provider.Explain(slices.Repeat([]provider.Line{{Name: "x-a", Value: "1"}}, 9000))
	if last := xs[len(xs)-1]; len(xs) != provider.MaxExplanations+1 || len(last.Notes) != 1 {
		t.Errorf("%d explanations, the last %+v", len(xs), last)
	}
}

// manyRegions is an x-vercel-id that names n regions.
func manyRegions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%c%c%c1::", 'a'+i%26, 'a'+i/26%26, 'a')
	}
	return b.String() + "id"
}

func TestWarnings(t *testing.T) {
	for text, want := range map[string]string{
		"x-envoy-attempt-count: 3\nx-envoy-upstream-service-time: 40":                 "3 attempts: the upstream time holds retries",
		"x-kong-upstream-latency: soon":                                               `not a number: "soon"`,
		"x-kong-upstream-latency: -4":                                                 `negative: "-4"`,
		"server-timing: cfOrigin;dur=":                                                "dur is empty: the time is not known, which is not zero",
		"server-timing: cfOrigin;dur=-3":                                              "dur is negative",
		"server-timing: cfOrigin;dur=1e300":                                           "too large for a time",
		"server-timing: cfCacheStatus;desc=HIT, cfOrigin;dur=40":                      "an upstream time although the response came from a cache",
		"server-timing: atl-edge;dur=100, atl-edge-upstream;dur=120":                  "120ms is larger than server-timing: atl-edge (100ms), which should contain it",
		"server-timing: upstream;dur=60, upstream;dur=70":                             "given 2 times: between the largest and the sum",
		"x-vercel-id: " + manyRegions(150):                                            "names too much; the rest was left out",
		"age: yesterday":                                                              "not a number of seconds",
		"x-timer: " + strings.Repeat("9", 20<<10):                                     "a value of 20480 bytes is not read; the limit is 16384",
		"server-timing: m;desc=\"\x1b[31mred, m2":                                     `quote never closed: the rest of the line is lost: "\x1b[31mred, m2"`,
		"server-timing: " + strings.Repeat("m;dur=1,", 1500):                          "too many metrics: the rest dropped",
		"server-timing: m;desc=\"" + strings.Repeat("x", 64<<10) + "\"":               "line too long: cut, the unfinished metric dropped",
		"x-served-by: cache-fra1-FRA" + strings.Repeat("\nx-served-by: cache-x", 150): "151 values, only the first 100 are read",
	} {
		r := provider.Read(head(text), nil)
		if !slices.ContainsFunc(r.Warnings, func(w provider.Warning) bool { return strings.HasSuffix(w.Text, want) }) {
			t.Errorf("%.80q warns %+v, want %q", text, r.Warnings, want)
		}
	}
}

// An edge and its upstream rounded each on its own may exceed the whole by a
// few milliseconds (Atlassian, 5 of 6 samples): that is no contradiction.
func TestRoundingIsTolerated(t *testing.T) {
	r := provider.Read(head("server-timing: atl-edge;dur=63, atl-edge-upstream;dur=66"), nil)
	if len(r.Warnings) > 0 {
		t.Errorf("warnings %v", r.Warnings)
	}
}

func TestUntrustedTextIsBounded(t *testing.T) {
	long := strings.Repeat("\x1b]0;x\a", 10<<10)
	h := map[string][]string{}
	for _, name := range provider.Headers() {
		h[name] = []string{long, long[:300]}
	}
	h["cf-ray"] = []string{long[:300] + "-NRT"}
	r := provider.Read(h, h)
	for _, p := range r.Places {
		if len(p.Raw) > provider.MaxRaw || len(p.Code) > provider.MaxRaw {
			t.Errorf("%s keeps %d bytes", p.Source, len(p.Raw))
		}
	}
	for _, w := range r.Warnings {
		if len(w.Text) > 4*provider.MaxRaw {
			t.Errorf("%s: a warning of %d bytes", w.Source, len(w.Text))
		}
	}
	if len(r.Places) != 1 {
		t.Errorf("places %s, want only cf-ray's", placeText(r))
	}
}
