package report

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// everyFormat is a document in text, Markdown, CSV and JSON.
func everyFormat(t *testing.T, d Document) map[string]string {
	t.Helper()
	out := map[string]string{}
	for ending, render := range renderers {
		var b bytes.Buffer
		if err := render(&b, d); err != nil {
			t.Fatal(err)
		}
		out[ending] = b.String()
	}
	return out
}

// told is a probe of one route and a comparison of it with a plain one.
func told(t *testing.T, edit func(int, *record.Exchange)) (probe, compare Document) {
	t.Helper()
	set := measured(t, 12, madeStart, route{Route: named("api"), typical: plainTook, spread: 0.05, edit: edit})
	c := comparedLive(t, 12, route{Route: named("blue"), typical: plainTook, spread: 0.05}, route{Route: named("green"), typical: plainTook, spread: 0.05, edit: edit})
	return ProbeDocument(ProbeOf(set)), CompareDocument(Compare{Result: c})
}

// A body cut at --max-body was an ok exchange with a total, and only the file knew.
func TestABodyCutAtTheCapIsToldInEveryFormat(t *testing.T) {
	probe, compare := told(t, func(_ int, x *record.Exchange) { x.Bytes.Capped = true })
	for name, d := range map[string]Document{"probe": probe, "compare": compare} {
		out := everyFormat(t, d)
		for ending, want := range map[string]string{
			".txt": "12 bodies were read up to --max-body and no further: transfer and total run until there", ".md": "read up to --max-body",
			".csv": "capped", ".json": `"capped": 12`,
		} {
			t.Run(name+ending, func(t *testing.T) { expectText(t, out[ending], want) })
		}
	}
}

// Interim responses were in the file and in no format, though wait held them.
func TestInterimResponsesAreToldInEveryFormat(t *testing.T) {
	probe, compare := told(t, func(_ int, x *record.Exchange) {
		sent := x.Segments.Sum()
		for _, k := range []segment.Key{segment.Wait, segment.Transfer} {
			d, _ := x.Segments.Get(k)
			sent -= d
		}
		x.Interim = []record.Interim{{Status: 103, At: sent + 20*ms}, {Status: 103, At: sent + 60*ms}}
	})
	for name, d := range map[string]Document{"probe": probe, "compare": compare} {
		out := everyFormat(t, d)
		for ending, want := range map[string]string{
			".txt": "103 in 12 of 12 (24 responses), the first 20 ms into wait (p50); wait ends at the final response",
			".md":  "103 in 12 of 12 (24 responses)", ".csv": "interim_103", ".json": `"first_p50_ns": 20000000`,
		} {
			t.Run(name+ending, func(t *testing.T) { expectText(t, out[ending], want) })
		}
	}
}

// -k said "marked on top" and was a line at the bottom.
func TestAnUnverifiedCertificateIsMarkedOnTop(t *testing.T) {
	set := measured(t, 12, madeStart, route{Route: named("blue"), typical: plainTook, spread: 0.05}, route{Route: named("green"), typical: plainTook, spread: 0.05})
	set.Run.Notes = []string{"certificates were not verified (-k)"}
	c := ledger.Compare(ledger.Arm{Arm: set.Arms[0], Set: set}, ledger.Arm{Arm: set.Arms[1], Set: set})
	for name, d := range map[string]Document{"probe": ProbeDocument(ProbeOf(set)), "compare": CompareDocument(Compare{Result: c})} {
		if len(d.Warnings) != 1 {
			t.Fatalf("%s warns %q", name, d.Warnings)
		}
		out := everyFormat(t, d)
		expectText(t, out[".txt"][:80], "CERTIFICATES WERE NOT VERIFIED (-k)")
		for ending, want := range map[string]string{".md": "CERTIFICATES WERE NOT VERIFIED", ".csv": "not_verified", ".json": "CERTIFICATES WERE NOT VERIFIED"} {
			expectText(t, out[ending], want)
		}
	}
}

// A part of upstream stood below edge_rtt as if it were part of it.
func TestAPartOfUpstreamWithoutUpstreamIsNoRow(t *testing.T) {
	a := greenArm()
	a.Figures = slices.DeleteFunc(a.Figures, func(f Figure) bool {
		return f.Key == segment.WaitUpstream || f.Key == segment.WaitUpstreamNetwork
	})
	for _, row := range probeTable(a, WholeMS).Rows {
		if row.Cells[0].Text == "wait.upstream.origin" {
			t.Errorf("row %+v", row)
		}
	}
	for _, bar := range waterfallOf(a, figuresOf(a), WholeMS).Bars {
		if bar.Label.Text == "wait.upstream.origin" {
			t.Errorf("bar %+v", bar)
		}
	}
}

// A cell of the column that adds up lay outside what its own row showed, without a word.
func TestACellBentToAddUpIsExplained(t *testing.T) {
	a := greenArm()
	expectNoText(t, textOf(t, ProbeDocument(oneArmRun(a, runFacts))), "rounded so that they do")
	for i, k := range []segment.Key{segment.DNS, segment.TCP, segment.TLS} {
		a.Figures[i] = figure(k, 25, 3.4, 3, 3, 3, 3)
	}
	a.Figures[4] = figure(segment.Wait, 25, 252.6, 231, 252, 260, 623)
	a.Figures = append(a.Figures[:5], a.Figures[11:]...)
	expectText(t, textOf(t, ProbeDocument(oneArmRun(a, runFacts))), "Its cells are rounded so that they do; one may differ by a unit from its row's.")
}

// Resumption would "save -0.3 ms".
func TestAStateThatSavesNothingDoesNotSave(t *testing.T) {
	arm := func(state string, total float64) Arm {
		return Arm{Name: state, Host: "a", URL: "https://a/", State: state, Counts: record.Counts{Asked: 25, OK: 25},
			Figures: []Figure{figure(segment.Total, 25, total, total, total, total, total)}}
	}
	got := stateCosts([]Arm{arm("cold", 40), arm("warm", 40.2), arm("resumed", 40.3), arm("early", 40)}, TenthsMS)
	want := "Set-up, look-up included, costs nothing that shows: 40.0 cold, 40.2 on an open connection. " +
		"Resumption would cost 0.3 ms more: 40.0 cold, 40.3 resumed. 0-RTT would save nothing: 40.0 cold, 40.0 with early data. " +
		"Differences of two p50s, not tested."
	if got != want {
		t.Errorf("%s", got)
	}
}

// "stopped after 3 of 3; --keep-going sends the rest": there was none.
func TestNothingIsLeftToSendAfterTheLast(t *testing.T) {
	a := failedArm("api.example.com", nil)
	a.Counts = record.Counts{Asked: 3, Failed: 3}
	p := oneArmRun(a, RunFacts{Stopped: &Stopped{After: 3, Asked: 3}})
	text := textOf(t, ProbeDocument(p))
	expectText(t, text, "after 3 of 3, all alike")
	expectNoText(t, text, "--keep-going")
}

// Timeouts said "context deadline exceeded" and not how long was waited; a clean close was a reset,
// told with the addresses of both ends.
func TestFailuresAreToldInAReadersWords(t *testing.T) {
	for _, test := range []struct {
		f    reading.Failure
		want string
	}{
		{reading.Failure{Class: record.ClassTimeout, N: 2, Text: "context deadline exceeded", In: []time.Duration{10 * time.Second, 10 * time.Second}}, "given up after 10 s (p50)"},
		{reading.Failure{Class: record.ClassTimeout, N: 1, Text: "read tcp 127.0.0.1:4->127.0.0.1:5: i/o timeout", In: []time.Duration{1500 * ms}}, "given up after 1.5 s"},
		{reading.Failure{Class: record.ClassTimeout, N: 1, Text: "no reply to any SYN", In: []time.Duration{ms}}, "no reply to any SYN"},
		{reading.Failure{Class: record.ClassTimeout, N: 1, Text: "context deadline exceeded"}, "context deadline exceeded"},
		{reading.Failure{Class: record.ClassReset, N: 1, Text: "read tcp 127.0.0.1:41076->127.0.0.1:19000: recvmsg: connection reset by peer"}, "connection reset by the peer"},
		{reading.Failure{Class: record.ClassReset, N: 1, Text: "EOF"}, "the peer closed the connection"},
		{reading.Failure{Class: record.ClassReset, N: 1, Text: "something else"}, "something else"},
		{reading.Failure{Class: record.ClassStatus, N: 1, Text: "500"}, "500"},
	} {
		if got := failureSaid(test.f); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.f.Class, test.f.Text, got, test.want)
		}
	}
}
