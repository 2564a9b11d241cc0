package provider

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// corpus returns the responses of the corpus by their number.
func corpus(t testing.TB) map[string]map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../../testdata/server-timing-corpus.tsv")
	if err != nil {
		t.Fatal(err)
	}
	responses := map[string]map[string][]string{}
	rows := strings.Split(strings.TrimRight(string(data), "\n"), "\n")[1:]
	if len(rows) != 250 {
		t.Fatalf("corpus has %d rows, want 250", len(rows))
	}
	for _, row := range rows {
		c := strings.SplitN(row, "\t", 5)
		if responses[c[0]] == nil {
			responses[c[0]] = map[string][]string{}
		}
		name := strings.ToLower(c[3])
		responses[c[0]][name] = append(responses[c[0]][name], c[4])
	}
	return responses
}

func TestCorpusObeysTheLaws(t *testing.T) {
	for id, headers := range corpus(t) {
		r := Read(headers, nil)
		if err := lawful(r); err != "" {
			t.Errorf("response %s: %s\n%+v", id, err, r)
		}
		for _, w := range r.Warnings {
			if strings.Contains(w.Text, "larger than") {
				t.Errorf("response %s: nested figures do not fit: %s: %s", id, w.Source, w.Text)
			}
		}
	}
}

// lawful names the law a reading breaks, "" if none.
func lawful(r Reading) string {
	for i, s := range r.Spans {
		switch {
		case s.Lo < 0 || s.Hi < s.Lo || s.Step < 0:
			return s.Source + ": figure out of order"
		case s.Bound == Exact && s.Lo != s.Hi:
			return s.Source + ": exact, but not one figure"
		case s.Parent >= len(r.Spans) || r.Inside(i, i):
			return s.Source + ": inside itself"
		case len(s.Text) > MaxRaw || s.Source == "" || s.Provider == "":
			return s.Source + ": text too long or missing"
		}
	}
	for _, p := range r.Places {
		if p.Code == "" || p.Source == "" || len(p.Raw) > MaxRaw {
			return p.Source + ": place without a code or a source"
		}
	}
	return ""
}

// The ten responses whose accepting and computing sites differ, from the note
// on Server-Timing: six are corpus rows.
func TestAcceptedIsNotCompute(t *testing.T) {
	for name, headers := range map[string]map[string][]string{
		"Worker at HKG, ran in AMS":          corpus(t)["33"],
		"Worker at DXB, ran in ZRH":          {"cf-ray": {"8f0123456789abcd-DXB"}, "cf-placement": {"remote-ZRH"}, "cf-cache-status": {"HIT"}},
		"Worker at GIG, ran in MRS":          {"cf-ray": {"8f0123456789abcd-GIG"}, "cf-placement": {"remote-MRS"}},
		"Vercel, Hong Kong and Virginia":     corpus(t)["75"],
		"Shopify, California and Oregon":     corpus(t)["115"],
		"Slack, London and Virginia":         corpus(t)["120"],
		"LinkedIn, Mumbai and Virginia":      corpus(t)["98"],
		"GitHub Pages, Palo Alto, Arizona":   {"x-served-by": {"cache-pao-kpao1770034-PAO"}, "x-github-edge-region": {"westus3"}},
		"Atlassian, Dusseldorf, Virginia":    {"x-amz-cf-pop": {"DUS51-P6"}, "server-timing": {`atl-edge-pop;desc="aws-us-east-1"`}},
		"WordPress.com, San Jose, Burbank":   corpus(t)["190"],
		"Shopify again, San Jose and Oregon": corpus(t)["117"],
	} {
		if same, known := samePlace(t, Read(headers, nil)); !known || same {
			t.Errorf("%s: same %v, known %v; want two known places apart", name, same, known)
		}
	}
}

// Of all corpus responses that name both, these and only these are apart.
func TestMatchingResponsesStayMatching(t *testing.T) {
	var apart, together []string
	for id, headers := range corpus(t) {
		switch same, known := samePlace(t, Read(headers, nil)); {
		case known && same:
			together = append(together, id)
		case known:
			apart = append(apart, id)
		}
	}
	slices.Sort(apart)
	want := []string{"115", "117", "118", "119", "120", "121", "190", "32", "33", "75", "77", "78", "80", "98", "99"}
	if !slices.Equal(apart, want) {
		t.Errorf("apart: %v, want %v", apart, want)
	}
	if slices.Sort(together); !slices.Equal(together, []string{"108", "44"}) {
		t.Errorf("together: %v, want 108 and 44", together)
	}
}

// samePlace looks the first accepting and computing sites up; known is false
// unless both are found.
func samePlace(t *testing.T, r Reading) (same, known bool) {
	t.Helper()
	accepted, compute := r.PlacesOf(Accepted), r.PlacesOf(Compute)
	if len(accepted) == 0 || len(compute) == 0 {
		return false, false
	}
	a, okA := geo.Lookup(accepted[0].Scheme, accepted[0].Code)
	c, okC := geo.Lookup(compute[0].Scheme, compute[0].Code)
	if !okA || !okC {
		t.Errorf("no position for %+v or %+v", accepted[0], compute[0])
	}
	return geo.LeastKM(a.Place, c.Place) == 0, okA && okC
}

// Every code of the corpus but Alibaba's and addresses is known to package geo.
func TestCorpusPlacesHavePositions(t *testing.T) {
	for id, headers := range corpus(t) {
		for _, p := range Read(headers, nil).Places {
			if p.Scheme == SchemeAlibaba || p.Scheme == SchemeIP {
				continue
			}
			if _, ok := geo.Lookup(p.Scheme, p.Code); !ok {
				t.Errorf("response %s: %s has no position for %q (%s)", id, p.Scheme, p.Code, p.Source)
			}
		}
	}
}

func TestRulesAreComplete(t *testing.T) {
	names := map[string]bool{}
	for _, f := range append(families(), canonical()) {
		if f.name == "" || names[f.name] {
			t.Errorf("family name %q missing or given twice", f.name)
		}
		names[f.name] = true
		for _, r := range f.rules {
			if (r.header == "") == (r.metric == "") {
				t.Errorf("%s: a rule needs a header or a metric, not both", f.name)
			}
			if r.header != strings.ToLower(r.header) {
				t.Errorf("%s: header %q is not lower case", f.name, r.header)
			}
			if r.meaning == "" || r.caveat == "" || r.time == nil && r.unit == "" && r.cache == nil {
				t.Errorf("%s: %s does not say what it means, in which unit and what it leaves open", f.name, r.name())
			}
		}
	}
}

func TestTheBookHasRoom(t *testing.T) {
	if n := len(book().layered); n > 64 {
		t.Errorf("%d families do not fit a familySet", n)
	}
	if n, most := len(book().byHeader)+len(book().byMetric), 64*len(nameSet{}); n > most {
		t.Errorf("%d names do not fit a nameSet of %d", n, most)
	}
	for _, f := range families() {
		for _, s := range f.sign {
			if (s.header == "") == (s.metric == "") || s.header+s.text != strings.ToLower(s.header+s.text) {
				t.Errorf("%s: the sign %+v needs a header or a metric, not both, and lower case", f.name, s)
			}
		}
	}
}

func TestHeadersAreWhatTheRulesRead(t *testing.T) {
	h := Headers()
	if !slices.IsSorted(h) || len(slices.Compact(slices.Clone(h))) != len(h) {
		t.Errorf("headers are not sorted or not unique: %v", h)
	}
	for id, headers := range corpus(t) {
		kept := map[string][]string{}
		for name, values := range headers {
			if slices.Contains(h, name) {
				kept[name] = values
			}
		}
		if got, want := Read(kept, nil), Read(headers, nil); len(got.Spans) != len(want.Spans) || len(got.Places) != len(want.Places) || got.Cache.State != want.Cache.State {
			t.Errorf("response %s reads differently from the kept headers alone", id)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(uint16(3), "8f0123456789abcd-FRA", uint16(0), "cfEdge;dur=4, upstream;dur=1e9, total;dur=3")
	f.Add(uint16(70), "-1, 2 : 3", uint16(9), `{"nr":"nrt"}`)
	f.Add(uint16(40), "cache5.jp3[0,200-0,H]", uint16(12), `atl-edge;dur=1,atl-edge-upstream;dur=99999999999999999999`)
	m, err := ParseMapping([]string{"pre_forward=header:x-app#a", "upstream=pod", "upstream=header:via@s"}, []string{"state=header:server#1"})
	if err != nil {
		f.Fatal(err)
	}
	names := append(Headers(), "x-app", "x-unknown-ms")
	f.Fuzz(func(t *testing.T, i uint16, a string, j uint16, b string) {
		headers := map[string][]string{
			names[int(i)%len(names)]: {a, b}, names[int(j)%len(names)]: {b}, "server-timing": {a, b},
			"x-envoy-upstream-service-time": {a}, "x-kong-upstream-latency": {b}, "age": {a},
		}
		for _, mapping := range []Mapping{{}, m} {
			if law := lawful(mapping.Read(headers, map[string][]string{"server-timing": {b}})); law != "" {
				t.Fatalf("%q: %s", headers, law)
			}
		}
		Explain([]Line{{names[int(i)%len(names)], a}, {"Server-Timing", b}})
	})
}

func FuzzMapping(f *testing.F) {
	for _, seed := range []string{"upstream=pod", "origin=header:x#a.b@us", "kong", "upstream=header:@s", "="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMapping([]string{text}, nil)
		if err != nil {
			return
		}
		again, err := ParseMapping(m.Maps(), nil)
		if err != nil || !slices.Equal(again.timings, m.timings) {
			t.Fatalf("%q read again: %v, %+v, want %+v", text, err, again.timings, m.timings)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	all := corpus(b)
	for b.Loop() {
		Read(all["49"], nil)
	}
}

// A writer's network lies beside its origin's work, not inside it.
func TestNetworkAndOriginOfOneWriterStandBesideEachOther(t *testing.T) {
	r := Read(map[string][]string{"server-timing": {"upstream;dur=105, upstream.network;dur=100, origin;dur=5"}}, nil)
	for i, s := range r.Spans {
		if want := map[bool]int{true: -1, false: 0}[s.Role == Upstream]; s.Parent != want {
			t.Errorf("span %d, %s, lies in %d, want %d", i, s.Role, s.Parent, want)
		}
	}
	if len(r.Warnings) != 0 {
		t.Errorf("warnings %v", r.Warnings)
	}
}
