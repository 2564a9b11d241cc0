package scenario_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// tenLines is a topology as a user would write it.
const tenLines = `client: Lagos
services:
  edge:
    {city: Frankfurt, provider: cloudflare, calls: [session, api]}
  session: {city: Frankfurt, takes: 2ms, state: true}
  api:
    {city: Ashburn, takes: {p50: 20ms, p90: 45ms}, calls: [db x3, cache 20%]}
  db: {city: Ashburn, takes: 4ms, state: true}
  cache: {city: Ashburn, takes: 1ms}
`

func TestMistakesAreNamedWithLineAndColumn(t *testing.T) {
	cases := map[string]struct{ from, to, want string }{
		"city nobody knows":     {"client: Lagos", "client: Lagosss", "my.yaml:1:9: "},
		"key nobody knows":      {"takes: 1ms", "take: 1ms", `my.yaml:9:26: unknown field "take"`},
		"callee nobody knows":   {"[session, api]", "[session, apy]", `my.yaml:4:62: service "edge" names "apy", which is no service; there are edge, session, api, db, cache`},
		"call in no form":       {"db x3", "db three", `my.yaml:7:60: "db three": want a number of times like x3 or a share like 20% after the name, got "three"`},
		"duration without unit": {"takes: 2ms", "takes: 2", `my.yaml:5:37: "2" is no duration; want one like 20ms or 1.5s`},
		"falling percentiles":   {"p90: 45ms", "p90: 5ms", "my.yaml:7:29: a higher percentile has a lower value"},
		"circle":                {"takes: 1ms", "takes: 1ms, calls: [edge]", "services call each other in a circle: edge -> api -> cache -> edge"},
		"provider":              {"cloudflare", "cloudfare", `my.yaml:4:33: unknown provider "cloudfare"`},
		"no YAML":               {"client: Lagos", "client: [Lagos", "my.yaml:2:1: "},
		"no city":               {"db: {city: Ashburn, takes", "db: {takes", `my.yaml:8:7: service "db" has no city`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := scenario.Parse("my.yaml", []byte(strings.Replace(tenLines, c.from, c.to, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestSettingsNameTheirMistakes(t *testing.T) {
	d := parse(t, tenLines)
	for setting, want := range map[string]string{
		"edge.city=Tokio City": `with edge.city=Tokio City: place "Tokio City": not known`,
		"edg.city=Tokyo":       `set "edg.city=Tokyo": no service "edg"; there are edge, session, api, db, cache`,
		"edge":                 `set "edge": want NAME.KEY=VALUE`,
		"edge.town=Tokyo":      `with edge.town=Tokyo: unknown field "town"`,
		"db.takes=fast":        `with db.takes=fast: "fast" is no duration`,
	} {
		if _, err := d.With(setting); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func parse(t *testing.T, text string) *scenario.Document {
	t.Helper()
	d, err := scenario.Parse("my.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSettingsDoNotTouchTheirDocument(t *testing.T) {
	d := parse(t, tenLines)
	moved, err := d.With("edge.city=Tokyo", "client.access=30ms", "paths.edge -> api.rtt=80ms")
	if err != nil {
		t.Fatal(err)
	}
	if string(d.Text()) != tenLines {
		t.Error("the document changed")
	}
	for _, want := range []string{"Tokyo", "access: 30ms", "city: Lagos", "edge -> api"} {
		if !strings.Contains(string(moved.Text()), want) {
			t.Errorf("the other document lacks %q:\n%s", want, moved.Text())
		}
	}
}

func TestAdviceSaysWhatAMoveLeavesBehind(t *testing.T) {
	r, err := parse(t, tenLines).Rehearse("edge.city=Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Advice) != 2 {
		t.Fatalf("advice %v, want two", r.Advice)
	}
	session, api := r.Advice[0], r.Advice[1]
	if session.Service != "session" || !session.HoldsState || session.When != "before forwarding" || session.Move != "session.city=Tokyo" {
		t.Errorf("first advice %+v, want session, dearest", session)
	}
	if api.Service != "api" || api.When != "as the forward" {
		t.Errorf("second advice %+v, want api", api)
	}
	const sentence = "session stays in Frankfurt: every request to edge pays Tokyo-Frankfurt once before forwarding (+"
	if !strings.HasPrefix(session.String(), sentence) || !strings.Contains(session.String(), "holds state") {
		t.Errorf("sentence %q, want it to begin with %q", session, sentence)
	}
}

func TestAdviceCountsCallsAndNamesTheCallerThatStays(t *testing.T) {
	r, err := parse(t, tenLines).Rehearse("db.city=Dublin")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Advice) != 1 {
		t.Fatalf("advice %v, want one", r.Advice)
	}
	a := r.Advice[0]
	if a.Times != 3 || a.Stays != "api" || a.PerRequest < 2*(a.RTT-a.Was) {
		t.Errorf("advice %+v, want api staying and paying three times", a)
	}
	if want := "api stays in Ashburn and asks db: every request to api pays Ashburn-Dublin 3 times while answering"; !strings.HasPrefix(a.String(), want) {
		t.Errorf("sentence %q, want %q", a, want)
	}
}

// The stranded switch of the published case is what advice names first.
func TestAdviceFindsTheStrandedSwitch(t *testing.T) {
	d, err := scenario.Load("stranded-state")
	if err != nil {
		t.Fatal(err)
	}
	moved, err := d.With("pod.city=Taipei")
	if err != nil {
		t.Fatal(err)
	}
	r, err := moved.Rehearse("edge.city=Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	if want := "switch stays in Los Angeles: every request to edge pays Tokyo-Los Angeles once before forwarding (+155 ms)"; !strings.HasPrefix(r.Advice[0].String(), want) {
		t.Errorf("first advice %q, want %q", r.Advice[0], want)
	}
}

func TestRehearsalMeasuresBothWorldsSideBySide(t *testing.T) {
	t.Parallel()
	r, err := parse(t, tenLines).Rehearse("edge.city=Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.Document.Open(1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before, after := both(t, w, "2", 3)
	const least = 1 // the lowest percentile: what nothing disturbed
	rose := rank(after, least, named("pre_forward")) - rank(before, least, named("pre_forward"))
	if advised := r.Advice[0].RTT - r.Advice[0].Was; rose < advised-20*ms || rose > advised+20*ms {
		t.Errorf("pre_forward rose by %v, advice says %v", rose, advised)
	}
	if after[1].header.Get("Cf-Placement") != "local-NRT" || before[1].header.Get("Cf-Placement") != "local-FRA" {
		t.Errorf("placed %q and %q", before[1].header.Get("Cf-Placement"), after[1].header.Get("Cf-Placement"))
	}
	if len(w.Notes()) == 0 || !strings.HasPrefix(w.Notes()[0], "rehearsed, not measured") {
		t.Errorf("notes %q, want them to say that this was rehearsed", w.Notes())
	}
}

func TestEveryEmbeddedScenarioAndVariantLoads(t *testing.T) {
	for _, info := range scenario.List() {
		if info.Title == "" {
			t.Errorf("%s has no title", info.Name)
		}
		for _, v := range info.Variants {
			if _, err := scenario.Load(info.Name + "/" + v.Name); err != nil {
				t.Errorf("%s/%s: %v", info.Name, v.Name, err)
			}
		}
	}
}

func TestUnknownNamesListTheKnown(t *testing.T) {
	for _, name := range []string{"strandedstate", "bench-lane/fast", "../data/drift", "drift/"} {
		_, err := scenario.Open(name, 1)
		var unknown *scenario.UnknownError
		if !errors.As(err, &unknown) {
			t.Errorf("%s: %v, want an unknown scenario or variant", name, err)
		}
	}
}

func TestOpeningTwiceAndClosingTwice(t *testing.T) {
	t.Parallel()
	for range 2 {
		w, err := scenario.Open("round-robin", 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
	}
}
