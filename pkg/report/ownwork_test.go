package report

import (
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
