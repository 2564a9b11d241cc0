package ledger

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// A file compared with itself has one arm: no pairs were sent, no coin was thrown, and the change of
// a figure to itself is 0 without an interval of chance around it.
func TestAnArmComparedWithItselfIsNoPairOfArms(t *testing.T) {
	a := fixture(t, "ledger-A.jsonl", 0)
	again := fixture(t, "ledger-A.jsonl", 0) // read twice, as by naming the file twice
	for name, c := range map[string]*Comparison{"one reading": Compare(a, a), "read twice": Compare(a, again)} {
		if !c.Self || !c.Identical || c.Interleaved || c.Pairs != 0 {
			t.Errorf("%s: self %v, identical %v, interleaved %v, %d pairs", name, c.Self, c.Identical, c.Interleaved, c.Pairs)
		}
		for i, change := range append(c.Percentiles[:], c.Total) {
			if change.Complete() && (change.Lo != 0 || change.Hi != 0) {
				t.Errorf("%s: percentile %d of identical data changes by %d to %d", name, i, change.Lo, change.Hi)
			}
		}
		if ttfb, ok := c.ChangeOf(segment.TTFB, stats.P50); !ok || ttfb.Lo != 0 || ttfb.Hi != 0 {
			t.Errorf("%s: ttfb of identical data changes by %d to %d", name, ttfb.Lo, ttfb.Hi)
		}
		for _, e := range c.Entries {
			if e.Interval.Lo != 0 || e.Interval.Hi != 0 {
				t.Errorf("%s: %s of identical data has limits %+v", name, e.Key, e.Interval)
			}
		}
		rule, err := ParseRule("total.p50=+1%")
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Gate([]Rule{rule})[0]; got.Outcome != Holds {
			t.Errorf("%s: a rule on no change %s: %+v", name, got.Outcome, got)
		}
	}
}

func TestTwoRoutesOfOneRunStayPairs(t *testing.T) {
	rows := []row{{segment.TCP: 10, segment.WaitUnattributed: 5}, {segment.TCP: 11, segment.WaitUnattributed: 5}}
	before, after := live(t, side{rows: rows}, side{rows: rows})
	if c := Compare(before, after); c.Self || !c.Interleaved || c.Pairs != 2 {
		t.Errorf("self %v, interleaved %v, %d pairs", c.Self, c.Interleaved, c.Pairs)
	}
}
