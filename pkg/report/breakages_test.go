package report

import (
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// failingAs makes the exchanges that some picks fail as e says, with the status given.
func failingAs(some func(i int) bool, status int, e record.Error) func(int, *record.Exchange) {
	return func(i int, x *record.Exchange) {
		if some(i) {
			x.Outcome, x.Status, x.Error = record.Failed, status, &e
		}
	}
}

func all(int) bool { return true }

// "did not answer" was said of streams that answered 200 and were cut.
func TestACutStreamAnswered(t *testing.T) {
	text := func(status int, e record.Error) string {
		return textOf(t, ProbeDocument(ProbeOf(measured(t, 5, madeStart, route{Route: named("steady"), typical: plainTook},
			route{Route: named("cut"), typical: plainTook, edit: failingAs(all, status, e)}))))
	}
	cut := text(200, record.Error{Class: record.ClassStream, Segment: segment.Transfer, Text: "stream ended"})
	expectText(t, cut, "cut answered and did not finish: 5 of 5 failed (stream in transfer).")
	expectText(t, text(500, record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: "500"}), "cut answered, and no answer was ok:")
	expectText(t, text(0, record.Error{Class: record.ClassTimeout, Segment: segment.TCP, Text: "timeout"}), "cut did not answer:")
}

// The sentence over several arms spoke of those that had figures and hid half of the requests.
func TestSeveralArmsDoNotHideTheirFailures(t *testing.T) {
	dry := record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: "402 Payment Required"}
	late := failingAs(func(i int) bool { return i > 1 }, 402, dry)
	text := textOf(t, ProbeDocument(ProbeOf(measured(t, 4, madeStart, route{Route: named("chat"), typical: plainTook, edit: late},
		route{Route: named("messages"), typical: plainTook, edit: late}))))
	expectText(t, text, "THE ACCOUNT RAN DRY: ", "answered 402 to 2 of 4 requests; they are in no figure.",
		"4 of 8 failed (status in wait); their times are not in it.", "252*")
}

// A race or a slow AAAA answer in every request had no reason anywhere.
func TestAHabitOfTheTypicalRequestHasItsReason(t *testing.T) {
	race := func(_ int, x *record.Exchange) {
		x.Segments.Set(segment.Race, 250*ms)
		x.Attempts = []record.Attempt{{Addr: "[2001:db8::4]:443", Err: "canceled"}, {Addr: "203.0.113.40:443"}}
	}
	aaaa := func(_ int, x *record.Exchange) {
		x.DNS.A, x.DNS.AAAA, x.DNS.HasA, x.DNS.HasAAAA = 5*ms, 305*ms, true, true
	}
	text := func(n int, edit func(int, *record.Exchange)) string {
		few := func(i int, x *record.Exchange) {
			if i < n {
				edit(i, x)
			}
		}
		return strings.Join(strings.Fields(textOf(t, ProbeDocument(ProbeOf(measured(t, 25, madeStart, route{Route: named("api"), typical: plainTook, edit: few}))))), " ")
	}
	expectText(t, text(25, race), "IPv6 (2001:db8::4) did not answer; the next address was tried after 250 ms (25 of 25).")
	expectText(t, text(25, aaaa), "AAAA took 305 ms, A 5 ms in the first request, and both are waited for (25 of 25).")
	expectNoText(t, text(12, aaaa), "AAAA took")
}

// A part of upstream without upstream was a numbered finding of every arm.
func TestAPartWithoutItsWholeIsANoteOnce(t *testing.T) {
	lone := func(_ int, x *record.Exchange) { x.Headers = record.Fields{"server-timing": {"origin;dur=5"}} }
	set := measured(t, 12, madeStart, route{Route: named("blue"), typical: plainTook, edit: lone}, route{Route: named("green"), typical: plainTook, edit: lone})
	text := textOf(t, ProbeDocument(ProbeOf(set)))
	expectNoText(t, text, "findings")
	if n := strings.Count(text, "wait.upstream.origin"); n != 1 {
		t.Errorf("told %d times in\n%s", n, text)
	}
	c := comparedLive(t, 12, route{Route: named("blue"), typical: plainTook, edit: lone}, route{Route: named("green"), typical: plainTook, edit: lone})
	compare := textOf(t, CompareDocument(Compare{Result: c}))
	if n := strings.Count(compare, "wait.upstream.origin"); n != 1 {
		t.Errorf("compare tells it %d times in\n%s", n, compare)
	}
}

// A footnote explained (est.) where no row had it, and five of five were "most often".
func TestMarksAndCountsFitWhatTheyStandAt(t *testing.T) {
	c := comparedLive(t, 12, route{Route: named("near"), typical: edgeTook(5, 120), spread: 0.05}, route{Route: named("far"), typical: edgeTook(95, 30), spread: 0.05})
	folded := textOf(t, CompareDocument(Compare{Result: c}))
	expectText(t, folded, "wait.edge_rtt + upstream")
	expectNoText(t, folded, "(est.)")
	unlike := func(i int, x *record.Exchange) { x.BodySHA = time.Duration(i).String() }
	text := textOf(t, ProbeDocument(ProbeOf(measured(t, 5, madeStart, route{Route: named("api"), typical: plainTook, edit: unlike}))))
	expectText(t, strings.Join(strings.Fields(text), " "), "the first of 5 answers, no two alike")
}
