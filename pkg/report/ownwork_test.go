package report

import (
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// TestOwnWorkInsideTheHandshakeIsNoted, where the process did nothing else meanwhile and had none of the
// servers in it.
func TestOwnWorkInsideTheHandshakeIsNoted(t *testing.T) {
	own := func(by time.Duration) func(i int, x *record.Exchange) {
		return func(i int, x *record.Exchange) { x.SetupCPU = by + time.Duration(i)*10*time.Microsecond }
	}
	report := func(by time.Duration, rehearsed bool) string {
		set := measured(t, 9, madeStart, route{Route: named("api"), typical: plainTook, edit: own(by)})
		set.Run.Rehearsed = rehearsed
		return textOf(t, ProbeDocument(ProbeOf(set)))
	}
	expectText(t, report(860*time.Microsecond, false), "of tls, 0.9 ms is this machine's own processor time (p50)")
	expectNoText(t, report(860*time.Microsecond, true), "own processor time")
	expectNoText(t, report(-time.Millisecond, false), "own processor time")
}

// TestOwnWorkOfBothArmsIsNoted in every format, under the names of the comparison.
func TestOwnWorkOfBothArmsIsNoted(t *testing.T) {
	by := func(own time.Duration) func(int, *record.Exchange) {
		return func(_ int, x *record.Exchange) { x.SetupCPU = own }
	}
	c := comparedLive(t, 9, route{Route: named("blue"), typical: plainTook, edit: by(860 * time.Microsecond)},
		route{Route: named("green"), typical: plainTook, edit: by(2 * time.Millisecond)})
	d := CompareDocument(Compare{Result: c})
	for _, ending := range []string{".txt", ".md"} {
		text := renderedAs(t, ending, d)
		expectText(t, text, "blue: of tls, 0.9 ms is this machine's own processor time (p50)")
		expectText(t, text, "green: of tls, 2 ms is this machine's own processor time (p50)")
	}
	expectText(t, renderedAs(t, ".json", d), `"own_work": { "segment": "tls", "p50_ns": 860000 }`)
	expectNoText(t, textOf(t, CompareDocument(Compare{Result: comparedLive(t, 9,
		route{Route: named("blue"), typical: plainTook}, route{Route: named("green"), typical: plainTook})})), "own processor time")
}

func renderedAs(t *testing.T, ending string, d Document) string {
	t.Helper()
	var b strings.Builder
	if err := renderers[ending](&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
