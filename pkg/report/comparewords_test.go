package report

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

func comparedText(t *testing.T, c *ledger.Comparison) string {
	t.Helper()
	return textOf(t, CompareDocument(Compare{Result: c}))
}

// The sentence spoke of wait.upstream, the table had wait.edge_rtt + upstream.
func TestTheSentenceNamesTheRowTheTableHas(t *testing.T) {
	alike := func(t took) took { return changed(changed(t, segment.TCP, 20), segment.TLS, 20) }
	blue := route{Route: named("blue"), typical: alike(edgeTook(5, 330)), spread: 0.02}
	green := route{Route: named("green"), typical: alike(edgeTook(35, 30)), spread: 0.02}
	c := comparedLive(t, 25, blue, green)
	if c.Fold&ledger.FoldEdgeRTT == 0 {
		t.Fatalf("fold %b", c.Fold)
	}
	text := comparedText(t, c)
	expectText(t, text, "in wait.edge_rtt + upstream")
	expectNoText(t, text, "in wait.upstream")
	back := comparedText(t, comparedLive(t, 25, green, blue))
	expectText(t, back, "wait.edge_rtt + upstream rose")
	expectNoText(t, back, "wait.upstream rose", "in wait.upstream")
}

// Read the other way round, a comparison said that 145 % of what was saved was lost again, and that
// the one row which saved was "elsewhere".
func TestASlowerRouteNamesWhatItSaved(t *testing.T) {
	text := comparedText(t, ledger.Compare(savedArm(t, "ledger-B.jsonl"), savedArm(t, "ledger-A.jsonl")))
	expectText(t, text, "It lost 224 ms in wait.upstream and saved 155 in wait.pre_forward.")
	expectNoText(t, text, "elsewhere", "was lost again")
}

// A few microseconds were "lost", and paid for the change.
func TestARowBelowTheResolutionPaysForNothing(t *testing.T) {
	fast := took{segment.DNS: 1, segment.TCP: 0.02, segment.Send: 0.02, segment.Wait: 8, segment.WaitUnattributed: 8, segment.Transfer: 0.1}
	slow := changed(changed(changed(fast, segment.WaitUnattributed, 17), segment.TCP, 0.04), segment.DNS, 1.06)
	c := comparedLive(t, 9, route{Route: way("before", ""), typical: fast, spread: 0.02}, route{Route: way("after", ""), typical: slow, spread: 0.02})
	confirmed := 0
	for _, e := range c.Entries {
		if e.Lost() {
			confirmed++
		}
	}
	if confirmed < 2 {
		t.Fatalf("want tcp and wait confirmed: %+v", c.Entries)
	}
	d := CompareDocument(Compare{Result: c})
	text := textOf(t, d)
	expectText(t, text, "9 pairs say which route is faster, and that wait paid for it", "tcp 0.0 0.1 +0.1 small")
	more := comparedLive(t, 12, route{Route: way("before", ""), typical: fast, spread: 0.02}, route{Route: way("after", ""), typical: slow, spread: 0.02})
	expectText(t, comparedText(t, more), "small: confirmed, and too little to show here.")
	expectNoText(t, text, "tcp and wait", "0.0 to 0.0", "dns and")
	for _, e := range d.JSON.(jsonCompare).Ledger.P50 {
		if e.Key == "tcp" && e.Standing != "confirmed" {
			t.Errorf("JSON has tcp as %s", e.Standing)
		}
	}
}

// A finding spoke of a figure "at p50" that the column of that name did not have.
func TestAFindingDoesNotCallItsOwnPercentileAtP50(t *testing.T) {
	text := comparedText(t, ledger.Compare(savedArm(t, "ledger-B.jsonl"), savedArm(t, "ledger-A.jsonl")))
	expectText(t, text, "wait.pre_forward has a p50 of 177 ms")
}

// Six requests an arm that make four pairs were called six pairs.
func TestWhatFewPairsSayIsSaidOfThePairs(t *testing.T) {
	failed := func(lo, hi int) func(int, *record.Exchange) {
		return func(i int, x *record.Exchange) {
			if i >= lo && i < hi {
				failing(record.ClassBody, segment.Transfer, "cut")(i, x)
			}
		}
	}
	c := comparedLive(t, 8, route{Route: way("before", ""), typical: plainTook, spread: 0.02, edit: failed(0, 2)},
		route{Route: way("after", ""), typical: changed(plainTook, segment.WaitUnattributed, 200), spread: 0.02, edit: failed(6, 8)})
	if c.Pairs != 4 || c.Before.N() != 6 || c.After.N() != 6 {
		t.Fatalf("%d pairs of %d and %d", c.Pairs, c.Before.N(), c.After.N())
	}
	text := comparedText(t, c)
	expectText(t, text, "4 pairs say")
	expectNoText(t, text, "6 pairs say")
}
