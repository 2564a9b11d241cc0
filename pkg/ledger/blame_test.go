package ledger

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// total.p50=0ms was blamed on send, which had risen by 0.1 ms: a limit on after alone speaks of what
// after takes, not of what changed.
func TestALimitOnAfterBlamesWhatTakesMostOfIt(t *testing.T) {
	big := row{segment.TCP: 5, segment.TLS: 5, segment.Send: 0.3, segment.Wait: 27, segment.Transfer: 1}
	before, after := live(t, side{rows: noisy(40, 1, big)}, side{rows: noisy(40, 2, with(big, segment.Send, 0.4))})
	c := Compare(before, after)
	for _, rule := range []string{"total.p50=0ms", "total.p90=0ms", "ttfb.p50=1ms"} {
		if got := gateOf(t, c, rule); got.Outcome != Crossed || got.Blame == nil || got.Blame.Key != segment.Wait {
			t.Errorf("%s: %s, blames %+v, want wait", rule, got.Outcome, got.Blame)
		}
	}
	if got := gateOf(t, c, "setup.p50=0ms"); got.Blame != nil && 2*got.Blame.After <= c.Parents.After[segment.Setup] {
		t.Errorf("setup blames %s, %d of %d", got.Blame.Key, got.Blame.After, c.Parents.After[segment.Setup])
	}
}

// A rule that asks for a gain is crossed by a route that changed little: no row carries that.
func TestNoRowIsBlamedForARiseThatIsNone(t *testing.T) {
	before, after := live(t, side{rows: noisy(40, 1, typical)}, side{rows: noisy(40, 2, with(with(typical, segment.WaitUpstream, 60), segment.TLS, 18))})
	c := Compare(before, after)
	if got := gateOf(t, c, "total.p50=-50%"); got.Outcome != Crossed || got.Blame != nil {
		t.Errorf("%s, blames %+v", got.Outcome, got.Blame)
	}
	if got := gateOf(t, c, "total.p99=0ms"); got.Blame != nil {
		t.Errorf("there is no ledger at p99, blames %+v", got.Blame)
	}
}
