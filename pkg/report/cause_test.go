package report

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// A server that sleeps 380 ms now and then was excused by a machine that ran 20 ms late meanwhile.
func TestLatenessOfAFractionOfTheExcessIsNoCause(t *testing.T) {
	late := func(by time.Duration) func(i int, x *record.Exchange) {
		return func(i int, x *record.Exchange) {
			if i%10 == 9 {
				wait, _ := x.Segments.Get(segment.Wait)
				x.Segments.Set(segment.Wait, wait+380*ms)
				x.SchedLag, x.HasLag = by, true
			}
		}
	}
	text := func(by time.Duration) string {
		return textOf(t, ProbeDocument(ProbeOf(measured(t, 30, madeStart, route{Route: named("api"), typical: plainTook, spread: 0.02, edit: late(by)}))))
	}
	expectNoText(t, text(20*ms), "busy", "late")
	expectText(t, text(200*ms), "This machine was busy: it ran up to 200 ms late.")
	c := comparedLive(t, 30, route{Route: named("blue"), typical: plainTook, spread: 0.02}, route{Route: named("green"), typical: plainTook, spread: 0.02, edit: late(20 * ms)})
	expectNoText(t, textOf(t, CompareDocument(Compare{Result: c})), "busy")
}

// firstSlow makes the first exchange slow by 400 ms in k, and lets edit add what else was seen.
func firstSlow(k segment.Key, edit func(x *record.Exchange)) func(int, *record.Exchange) {
	return func(i int, x *record.Exchange) {
		if i > 0 {
			return
		}
		d, _ := x.Segments.Get(k)
		x.Segments.Set(k, d+400*ms)
		edit(x)
	}
}

// What was not warm yet was said to be the cause of any slow first request.
func TestAFirstRequestIsNotCalledColdForAReasonThatWasSeen(t *testing.T) {
	nothing := func(*record.Exchange) {}
	busy := func(x *record.Exchange) { x.SchedLag, x.HasLag = 300*ms, true }
	lost := func(x *record.Exchange) { x.TCP.TotalRetrans = 1 }
	for _, test := range []struct {
		name string
		edit func(int, *record.Exchange)
		want string
		warm bool
	}{
		{"time behind the edge", firstSlow(segment.Wait, nothing), ": something behind it was not warm yet.", true},
		{"a busy machine", firstSlow(segment.Wait, busy), "This machine was busy", false},
		{"a lost segment", firstSlow(segment.Wait, lost), "The kernel sent a segment again.", false},
		{"a slow handshake", firstSlow(segment.TLS, nothing), "462 of it in tls.", false},
		{"a slow body", firstSlow(segment.Transfer, nothing), "404 of it in transfer.", false},
	} {
		c := comparedLive(t, 25, route{Route: named("blue"), typical: plainTook}, route{Route: named("green"), typical: plainTook, edit: test.edit})
		text := textOf(t, CompareDocument(Compare{Result: c}))
		expectText(t, text, "The first request of green took 652 ms (p50 252)", test.want)
		if !test.warm {
			expectNoText(t, text, "not warm")
		}
		set := measured(t, 25, madeStart, route{Route: named("green"), typical: plainTook, edit: test.edit})
		probe := textOf(t, ProbeDocument(ProbeOf(set)))
		if expectText(t, probe, "First request of the run"); !test.warm {
			expectNoText(t, probe, "not warm")
		}
	}
}

// "One SYN was lost and sent again after 3 s" was said of two: 1 s and 2 s.
func TestTwoLostSYNsAreNotOne(t *testing.T) {
	lost := func(n int) string {
		return textOf(t, ProbeDocument(ProbeOf(measured(t, 25, madeStart, route{Route: named("api"), typical: plainTook, edit: func(i int, x *record.Exchange) {
			if i == 14 {
				x.TCP.TotalRetrans = n
				tcp, _ := x.Segments.Get(segment.TCP)
				x.Segments.Set(segment.TCP, tcp+3*time.Second)
			}
		}}))))
	}
	expectText(t, lost(1), "One SYN was lost and sent again after 3 s.")
	expectText(t, lost(2), "A SYN was lost: 2 segments were sent again, 3 s in all.")
}

// A cold edge was stated as the cause of any slow first request that nothing else explained.
func TestACauseNobodySawIsNoStatement(t *testing.T) {
	text := func(k segment.Key, by time.Duration, also int) string {
		return textOf(t, ProbeDocument(ProbeOf(measured(t, 25, madeStart, route{Route: named("api"), typical: edgeTook(5, 120), edit: func(i int, x *record.Exchange) {
			if i <= also {
				d, _ := x.Segments.Get(k)
				x.Segments.Set(k, d+by)
			}
		}}))))
	}
	expectText(t, text(segment.Wait, 600*ms, 0), "something behind the edge was not warm.")
	expectText(t, text(segment.Wait, 600*ms, 4), "something behind the edge may not have been warm.")
	expectText(t, text(segment.DNS, 300*ms, 0), "the resolver's cache may have been cold.")
	expectText(t, text(segment.TLS, 300*ms, 0), "First request of the run, cause unknown.")
}

// "Data was lost" was said where a segment was sent again, which a late machine does as well.
func TestARetransmissionIsNoLoss(t *testing.T) {
	again := func(i int, x *record.Exchange) {
		if i == 9 {
			x.TCP.TotalRetrans = 1
			wait, _ := x.Segments.Get(segment.Wait)
			x.Segments.Set(segment.Wait, wait+220*ms)
		}
	}
	text := textOf(t, ProbeDocument(ProbeOf(measured(t, 25, madeStart, route{Route: named("api"), typical: plainTook, edit: again}))))
	expectText(t, text, "The kernel sent a segment again. The excess is about one retransmission timeout.")
	expectNoText(t, text, "lost")
}

func TestEachFirstRequestHasItsOwnReason(t *testing.T) {
	nothing := func(*record.Exchange) {}
	c := comparedLive(t, 25, route{Route: named("blue"), typical: plainTook, edit: firstSlow(segment.Wait, nothing)},
		route{Route: named("green"), typical: plainTook, edit: firstSlow(segment.TLS, nothing)})
	expectText(t, textOf(t, CompareDocument(Compare{Result: c})),
		"blue: something behind it was not warm yet. green: 462 of it in tls. They are in the numbers, once each.")
}

// An order effect was explained by warmth, which contradicts the proof that both were cold.
func TestAnOrderEffectIsNotExplained(t *testing.T) {
	odd := 0
	second := func(_ int, x *record.Exchange) {
		if odd++; odd%2 == 0 {
			wait, _ := x.Segments.Get(segment.Wait)
			x.Segments.Set(segment.Wait, wait-40*ms)
		}
	}
	c := comparedLive(t, 30, route{Route: named("blue"), typical: plainTook, spread: 0.02, edit: second}, route{Route: named("green"), typical: plainTook, spread: 0.02, edit: second})
	text := textOf(t, CompareDocument(Compare{Result: c}))
	expectText(t, text, "Being sent first or second in a pair made a difference")
	expectNoText(t, text, "was not cold. ", "warms")
}

// A request or two an arm were enough to say where the edges stand.
func TestAnEdgeRoundTripThatDiffersTellsNoPlace(t *testing.T) {
	c := comparedLive(t, 2, route{Route: named("near"), typical: edgeTook(5, 120), spread: 0.05}, route{Route: named("far"), typical: edgeTook(95, 30), spread: 0.05})
	if c.Fold&ledger.FoldEdgeRTT == 0 {
		t.Fatalf("fold %b", c.Fold)
	}
	expectNoText(t, textOf(t, CompareDocument(Compare{Result: c})), "places", "stand in")
}
