package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/provider"
)

func TestMapping(t *testing.T) {
	for _, tt := range []struct {
		name  string
		maps  []string
		head  string
		spans string
	}{
		{"metric and header", []string{"pre_forward=edge_wait", "upstream=pod", "upstream.origin=infer"},
			"server-timing: edge_wait;dur=175, pod;dur=200, infer;dur=135",
			"pre_forward=175ms upstream=200ms upstream.origin=135ms/upstream"},
		{"part of a header", []string{"pre_forward=header:x-preforward-ms#total"},
			"x-preforward-ms: total;dur=12, kv=3", "pre_forward=12ms"},
		{"short form of a key", []string{"origin=infer"}, "server-timing: infer;dur=135", "upstream.origin=135ms"},
		{"sum of two", []string{"upstream=header:x-tc", "upstream=header:x-tr"},
			"x-tc: 3\nx-tr: 62", "upstream=65ms"},
		{"a sum with a part missing is not the sum", []string{"upstream=header:x-tc", "upstream=header:x-tr"}, "x-tc: 3", ""},
		{"seconds", []string{"upstream=header:x-t@s"}, "x-t: 0.123", "upstream=123ms"},
		{"microseconds", []string{"upstream=header:x-t@us"}, "x-t: 65000", "upstream=65ms"},
		{"a metric in seconds", []string{"upstream=up@s"}, "server-timing: up;dur=0.065", "upstream=65ms"},
		{"a written unit wins", []string{"upstream=header:x-t@s"}, "x-t: 12.5ms", "upstream=12.5ms"},
		{"Go's duration text", []string{"upstream=header:x-t"}, "x-t: 1m26.4s", "upstream=1m26.4s"},
		{"nginx: tries one after another", []string{"upstream=header:x-t@s"}, "x-t: 0.001, 0.002 : 0.003", "upstream=6ms"},
		{"nginx: a try that failed has no figure", []string{"upstream=header:x-t@s"}, "x-t: -, 0.073", "upstream>=73ms"},
		{"nginx: none", []string{"upstream=header:x-t@s"}, "x-t: -", ""},
		{"HAProxy: never happened", []string{"pre_forward=header:x-tw"}, "x-tw: -1", ""},
		{"a list of unknown making", []string{"upstream=header:x-t"}, "x-t: 10, 30", "upstream=30ms..40ms"},
		{"provider rules are off", []string{"pre_forward=edge_wait"},
			"cf-ray: 8f0123456789abcd-NRT\nserver-timing: cfEdge;dur=9, cfOrigin;dur=300, edge_wait;dur=20", "pre_forward=20ms"},
		{"own names go on speaking for other keys", []string{"pre_forward=edge_wait"},
			"server-timing: pre_forward;dur=3, upstream;dur=65, edge_wait;dur=20", "pre_forward=20ms upstream=65ms"},
		{"nothing of it there", []string{"pre_forward=edge_wait"}, "server-timing: other;dur=20", ""},
		{"history behind a cache", []string{"upstream=pod"}, "age: 7\nserver-timing: pod;dur=65", "upstream=65ms(stored)"},
		{"but not what the edge writes", []string{"pre_forward=cfEdge"}, "cf-cache-status: HIT\nserver-timing: cfEdge;dur=9", "pre_forward=9ms"},
		{"a unit that contradicts", []string{"upstream=pod"}, "server-timing: pod;dur=2.1s", "upstream=2.1ms(doubt)"},
		{"preset kong", []string{"kong"}, "x-kong-proxy-latency: 28\nx-kong-upstream-latency: 495", "pre_forward=28ms upstream=495ms"},
		{"preset haproxy", []string{"haproxy"}, "x-haproxy-tw: 5\nx-haproxy-tc: 1\nx-haproxy-tr: 60", "pre_forward=5ms upstream=61ms"},
		{"preset nginx", []string{"nginx"}, "x-upstream-header-time: 0.061", "upstream=61ms"},
		{"preset caddy", []string{"caddy"}, "x-caddy-upstream-latency: 61.5ms", "upstream=61.5ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := provider.ParseMapping(tt.maps, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := spanText(m.Read(head(tt.head), nil)); got != tt.spans {
				t.Errorf("%v of\n%s\ngot  %s\nwant %s", tt.maps, tt.head, got, tt.spans)
			}
		})
	}
}

func TestMappingKeepsPlacesAndReadsTrailers(t *testing.T) {
	m, err := provider.ParseMapping([]string{"upstream=header:x-up", "pre_forward=pre"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := m.Read(head("cf-ray: 8f0123456789abcd-NRT"), head("x-up: 65\nserver-timing: pre;dur=12"))
	if got := spanText(r); got != "pre_forward=12ms upstream=65ms" {
		t.Errorf("spans from trailers: %s", got)
	}
	for _, s := range r.Spans {
		if !s.Trailer {
			t.Errorf("%s is not marked as a trailer", s.Source)
		}
	}
	if got := placeText(r); got != "accepted cloudflare:NRT" {
		t.Errorf("places: %s", got)
	}
}

func TestMappingSaysWhatItCouldNotRead(t *testing.T) {
	for response, want := range map[string]string{
		"x-t: soon":                          `not a number: "soon"`,
		"x-t: -3":                            `negative: "-3"`,
		"x-t: ":                              `empty: ""`,
		"server-timing: pod;dur":             "dur is empty: the time is not known, which is not zero",
		"x-t: 4":                             "missing here, so that the sum mapped to upstream is not known",
		"x-t: 4\nx-t: 5\nserver-timing: pod": "given 2 times: between the largest and the sum",
	} {
		m, err := provider.ParseMapping([]string{"upstream=header:x-t", "upstream=pod"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := m.Read(head(response), nil)
		if !slices.ContainsFunc(r.Warnings, func(w provider.Warning) bool { return w.Text == want }) {
			t.Errorf("%q warns %+v, want %q", response, r.Warnings, want)
		}
		if len(r.Spans) > 0 {
			t.Errorf("%q gives %s, want nothing", response, spanText(r))
		}
	}
}

func TestPlaceMapping(t *testing.T) {
	const response = "cf-ray: 8f0123456789abcd-NRT\ncf-placement: remote-SIN\nx-do-colo: iad\nx-hops: FRA, LAX\nserver-timing: region;desc=\"europe-west3\""
	for text, want := range map[string]string{
		"state=header:x-do-colo":    "state :iad, accepted cloudflare:NRT, compute cloudflare:SIN",
		"tier=header:x-hops#-1":     "tier :LAX, accepted cloudflare:NRT, compute cloudflare:SIN",
		"compute=region":            "compute :europe-west3, accepted cloudflare:NRT",
		"compute=header:x-absent":   "accepted cloudflare:NRT",
		"accepted=header:x-hops#1":  "accepted :FRA, compute cloudflare:SIN",
		"accepted=header:x-hops#17": "compute cloudflare:SIN",
	} {
		m, err := provider.ParseMapping(nil, []string{text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := placeText(m.Read(head(response), nil)); got != want {
			t.Errorf("%s: places %s, want %s", text, got, want)
		}
		if m.Timed() {
			t.Errorf("%s turns the timing rules off", text)
		}
	}
}

func TestMappingErrors(t *testing.T) {
	for _, tt := range []struct{ maps, places, want string }{
		{"foo=bar", "", `map "foo=bar": unknown key "foo": expected pre_forward, upstream, upstream.network or upstream.origin`},
		{"upstream=", "", `map "upstream=": bad metric name "": expected METRIC or header:NAME[#SUB]`},
		{"upstream=header:", "", `map "upstream=header:": bad header "": expected header:NAME or header:NAME#SUB`},
		{"upstream=header:x-a#", "", `map "upstream=header:x-a#": bad header "x-a#": expected header:NAME or header:NAME#SUB`},
		{"upstream=a b", "", `map "upstream=a b": bad metric name "a b": expected METRIC or header:NAME[#SUB]`},
		{"upstream=pod@min", "", `map "upstream=pod@min": unknown unit "min": expected @ms, @s or @us`},
		{"upstream=header:server-timing", "", `map "upstream=header:server-timing": header "server-timing" holds metrics: expected a metric's name alone`},
		{"", "edge=header:x", `place "edge=header:x": expected ROLE=header:NAME with ROLE accepted, tier, compute or state`},
		{"", "state=header:x@s", `place "state=header:x@s": a place has no unit`},
	} {
		var maps, places []string
		if tt.maps != "" {
			maps = []string{tt.maps}
		}
		if tt.places != "" {
			places = []string{tt.places}
		}
		if _, err := provider.ParseMapping(maps, places); err == nil || err.Error() != tt.want {
			t.Errorf("error of %q%q:\ngot  %v\nwant %s", tt.maps, tt.places, err, tt.want)
		}
	}
	_, err := provider.ParseMapping([]string{"nonsense"}, nil)
	if err == nil || !strings.Contains(err.Error(), `"nonsense"`) || !strings.Contains(err.Error(), "haproxy") {
		t.Errorf("error of an unknown preset: %v, want the presets named", err)
	}
}

func TestNestedFiguresAreNotAdded(t *testing.T) {
	for _, pair := range [][]string{
		{"upstream.origin=process_action.action_controller", "upstream.origin=sql.active_record"},
		{"upstream.origin=sql.active_record", "origin=header:x-runtime@s"},
		{"upstream=atl-edge", "upstream=atl-edge-upstream"},
		{"upstream=pod", "upstream=pod"},
	} {
		if _, err := provider.ParseMapping(pair, nil); err == nil {
			t.Errorf("%v was accepted: its figures would be counted twice", pair)
		}
	}
	if _, err := provider.ParseMapping([]string{"upstream=atl-edge", "pre_forward=atl-edge-internal"}, nil); err != nil {
		t.Errorf("different keys: %v", err)
	}
}

func TestMappingRoundTrip(t *testing.T) {
	maps, places := []string{"pre_forward=edge_wait", "kong", "upstream=header:X-Pod#a.b@us"}, []string{"state=header:x-do-colo"}
	m, err := provider.ParseMapping(maps, places)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pre_forward=edge_wait", "pre_forward=header:x-kong-proxy-latency", "upstream=header:x-kong-upstream-latency", "upstream=header:X-Pod#a.b@us"}
	if got := m.Maps(); !slices.Equal(got, want) {
		t.Errorf("maps %q, want %q", got, want)
	}
	if got := m.Headers(); !slices.Equal(got, []string{"x-do-colo", "x-kong-proxy-latency", "x-kong-upstream-latency", "x-pod"}) {
		t.Errorf("headers %q", got)
	}
	again, err := provider.ParseMapping(m.Maps(), m.PlaceTexts())
	if err != nil || !slices.Equal(again.Maps(), m.Maps()) || !slices.Equal(again.PlaceTexts(), places) {
		t.Errorf("read again: %v, %q, %q", err, again.Maps(), again.PlaceTexts())
	}
}

func TestPresetsParse(t *testing.T) {
	if len(provider.Presets()) == 0 {
		t.Fatal("no presets")
	}
	for _, name := range provider.Presets() {
		if _, err := provider.ParseMapping([]string{name}, nil); err != nil {
			t.Errorf("preset %s: %v", name, err)
		}
	}
}
