package report

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// insideRun is n exchanges of one route whose responses carry fields, read by opt.
func insideRun(t *testing.T, opt reading.Options, from string, n int, fields func(i int) record.Fields) *reading.Set {
	t.Helper()
	run := record.Run{
		ID: "inside", Tool: "coldsplit 0.1.0 go1.26.8 linux/amd64", Started: madeStart, Interval: 200 * time.Millisecond, Resolver: "192.0.2.53",
		Routes: []record.Route{{Name: "green", URL: "https://green.example.com/translate", State: "cold", Protocol: "h2"}},
	}
	if at, err := geo.Find(from); err == nil {
		run.Vantage = record.Vantage{From: from, Lat: at.Lat, Lon: at.Lon, Located: true}
	}
	b, noise := reading.NewBuilder(run, opt), rand.New(rand.NewPCG(1, 1))
	r := route{Route: run.Routes[0], spread: 0.02, typical: took{segment.DNS: 3, segment.TCP: 7, segment.TLS: 14, segment.Send: 0, segment.WaitEdgeRTT: 6,
		segment.WaitUnattributed: 233, segment.Transfer: 2}}
	for i := range n {
		x := r.exchange(i, noise)
		x.Seq, x.Started, x.Headers = i, madeStart.Add(time.Duration(i)*time.Second), fields(i)
		if err := b.Add(&x); err != nil {
			t.Fatal(err)
		}
	}
	return b.Finish(record.End{}, true)
}

func always(lines ...string) func(int) record.Fields {
	return func(int) record.Fields {
		f := record.Fields{}
		for _, l := range lines {
			name, value, _ := strings.Cut(l, ": ")
			f[name] = append(f[name], value)
		}
		return f
	}
}

// insideCases are readings whose reports are kept as pictures.
func insideCases(t *testing.T) map[string]*reading.Set {
	t.Helper()
	near := func(i int) record.Fields {
		site := "GRU"
		if i%5 == 4 {
			site = "EZE"
		}
		return always("cf-ray: 8f0123456789abcd-"+site, "cf-placement: local-"+site,
			"server-timing: pre_forward;dur=127, upstream;dur=102, origin;dur=97")(i)
	}
	return map[string]*reading.Set{
		"inside-where": insideRun(t, reading.Options{}, "sao-paulo", 25, near),
		"inside-sign": insideRun(t, reading.Options{}, "sao-paulo", 12, always("cf-ray: 8f0123456789abcd-NRT", "cf-placement: remote-AMS",
			"server-timing: cfEdge;dur=9, cfOrigin;dur=150, upstream;dur=900")),
		"inside-projected": insideRun(t, reading.Options{AtRTT: 250 * time.Millisecond}, "sao-paulo", 25, near),
	}
}

func TestReadingsAreThoseReviewed(t *testing.T) {
	for name, set := range insideCases(t) {
		d := ProbeDocument(ProbeOf(set))
		for ending, render := range renderers {
			t.Run(name+ending, func(t *testing.T) { checkGolden(t, name+ending, d, render) })
		}
	}
}

// TestProjectedFiguresSaySoEverywhere: a figure may be quoted from any format.
func TestProjectedFiguresSaySoEverywhere(t *testing.T) {
	d := ProbeDocument(ProbeOf(insideCases(t)["inside-projected"]))
	for ending, render := range renderers {
		var b strings.Builder
		if err := render(&b, d); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "projected") {
			t.Errorf("%s does not say that its figures are projected:\n%s", ending, b.String())
		}
	}
	if !strings.Contains(d.Sentence, "projected") {
		t.Errorf("the sentence alone does not say so: %s", d.Sentence)
	}
}

func TestBoundsAreWordedAsBounds(t *testing.T) {
	place := func(code string) reading.Place {
		site, ok := geo.Lookup(geo.Cloudflare, code)
		if !ok {
			t.Fatal(code)
		}
		return reading.Place{Site: code, At: site.Place, Known: true, Source: "cf-ray"}
	}
	for _, row := range []struct {
		f    reading.Finding
		want []string
	}{
		{reading.Finding{Kind: reading.FoundSign, Time: 8 * time.Millisecond, KM: 9200, Fit: geo.Impossible, Site: place("NRT")},
			[]string{"cannot be true", "9,200 km or more", "in vacuum needs 61 ms"}},
		{reading.Finding{Kind: reading.FoundSign, Time: 75 * time.Millisecond, KM: 9200, Fit: geo.Implausible, Site: place("NRT")},
			[]string{"is implausible", "in fibre needs 90 ms"}},
		{reading.Finding{Kind: reading.FoundSign, Time: 8 * time.Millisecond, TLS: 95 * time.Millisecond, KM: 9200, Fit: geo.Impossible, Site: place("NRT")},
			[]string{"TLS took 95 ms a round trip, which fits"}},
		{reading.Finding{Kind: reading.FoundBefore, Key: segment.WaitPreForward, Time: 175 * time.Millisecond, N: 25, Near: place("NRT")},
			[]string{"has a p50 of 175 ms and fits a round trip to a place up to 18,000 km away", "is not at NRT (Tokyo, JP)"}},
		{reading.Finding{Kind: reading.FoundNetwork, Key: segment.WaitUpstreamNetwork, Time: 290 * time.Millisecond, Near: place("NRT")},
			[]string{"fits a round trip to any place on earth"}},
		{reading.Finding{Kind: reading.FoundApart, Time: 120 * time.Millisecond, KM: 9200, Site: place("AMS"), Near: place("HKG"), N: 3, Of: 25},
			[]string{"Accepted at HKG", "worked on at AMS", "3 of 25", "at least 90 ms in fibre"}},
	} {
		text := physicsText(row.f)
		for _, want := range row.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q does not say %q", row.f.Kind, text, want)
			}
		}
	}
}

func TestRoundTripsNameTheirReasons(t *testing.T) {
	line := tripLine(RoundTrips{TCP: 1, TLS: 2, Reasons: []string{"TLS 1.2 takes two"}, N: 24, Of: 25, Setup: 560 * time.Millisecond, RTT: 187 * time.Millisecond})
	if want := "3 round trips (tcp 1, tls 2), 24 of 25; at the shortest 560 ms, 3.0 times edge_rtt; one more each: TLS 1.2 takes two"; line != want {
		t.Errorf("got  %s\nwant %s", line, want)
	}
}

// hostileFields are what a response may hold to break a report: escapes, control characters, markup,
// a value of 64 KiB, ten thousand metrics.
func hostileFields() record.Fields {
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, "m%d;dur=%d;desc=\"\x1b[31m|`<b>\", ", i, i)
	}
	return record.Fields{
		"server-timing": {many.String(), "pre_forward;dur=\x1b[2J5", "upstream;dur=9e99;desc=\"\x07\"", "x\x00y;dur=3"},
		"cf-ray":        {"8f0123456789abcd-\x1b]0;owned\x07", strings.Repeat("A", 64<<10)},
		"cf-placement":  {"remote-" + strings.Repeat("|`*<script>\u202e", 40)},
		"x-served-by":   {strings.Repeat("cache-\x1b[1m-FRA, ", 4000)},
		"x-vercel-id":   {"=cmd|' /C calc'!A0::\r\n\r\niad1::x"},
		"age":           {"\x1b[0m"},
		"x-evil":        {"\x1b[31m" + strings.Repeat("red", 30_000)},
	}
}

func TestHostileFieldsAreEscapedCutAndNoted(t *testing.T) {
	set := insideRun(t, reading.Options{}, "", 12, func(int) record.Fields { return hostileFields() })
	probe := ProbeDocument(ProbeOf(set))
	checkText(t, probe)
	checkMachine(t, probe)
	explain := explainOf(hostileFields())
	checkText(t, explain)
	checkMachine(t, explain)
	for name, d := range map[string]Document{"probe": probe, "explain": explain} {
		for ending, render := range renderers {
			var b strings.Builder
			if err := render(&b, d); err != nil {
				t.Fatal(err)
			}
			if b.Len() > 2<<20 {
				t.Errorf("%s%s: %d bytes", name, ending, b.Len())
			}
			if name+ending == "probe.csv" {
				continue // figures alone: no field's text is in it
			}
			if text := b.String(); !strings.Contains(text, "the limit is") && !strings.Contains(text, "(cut, ") {
				t.Errorf("%s%s has no note of what was cut", name, ending)
			}
		}
	}
}

func explainOf(fields record.Fields) Document {
	var lines []provider.Line
	for name, values := range fields {
		for _, v := range values {
			lines = append(lines, provider.Line{Name: name, Value: v})
		}
	}
	return ExplainDocument(Explain{Lines: provider.Explain(lines), Reading: provider.Read(fields, nil), Others: []string{"x-\x1b[31mevil"}})
}

func TestExplanationsAreThoseReviewed(t *testing.T) {
	head := []provider.Line{
		{Name: "Server", Value: "cloudflare"}, {Name: "CF-Ray", Value: "8f0123456789abcd-NRT"}, {Name: "cf-placement", Value: "remote-IAD"},
		{Name: "Server-Timing", Value: `cfCacheStatus;desc="DYNAMIC", cfEdge;dur=4, cfOrigin;dur=27`},
		{Name: "Server-Timing", Value: "db=150; cache=22"}, {Name: "x-response-time", Value: "45"},
	}
	headers := map[string][]string{}
	for _, l := range head {
		name := strings.ToLower(l.Name)
		headers[name] = append(headers[name], l.Value)
	}
	d := ExplainDocument(Explain{From: "https://www.example.com/", Lines: provider.Explain(head), Reading: provider.Read(headers, nil), Others: []string{"date", "content-type"}})
	for ending, render := range renderers {
		t.Run("explain"+ending, func(t *testing.T) { checkGolden(t, "explain"+ending, d, render) })
	}
}

func TestNothingToExplain(t *testing.T) {
	d := ExplainDocument(Explain{Others: []string{"date"}})
	if err := Text(io.Discard, d, TextOptions{}); err != nil || !strings.HasPrefix(d.Sentence, "Nothing in the response") {
		t.Errorf("%v, %q", err, d.Sentence)
	}
}
