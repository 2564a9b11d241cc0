package report

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// failingEvery makes every nth exchange an answer of 500.
func failingEvery(n int) func(int, *record.Exchange) {
	return func(i int, x *record.Exchange) {
		if i%n == n-1 {
			x.Outcome, x.Status = record.Failed, 500
			x.Error = &record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: "500 Internal Server Error"}
		}
	}
}

// The first sentence told how much faster a route was that answered 500 every third time, and nothing
// else; where both arms failed, no arm's count stood anywhere.
func TestFailuresStandInTheFirstSentenceAndArmByArm(t *testing.T) {
	c := comparedLive(t, 12, route{Route: way("before", ""), typical: plainTook, spread: 0.02, edit: failingEvery(3)},
		route{Route: way("after", ""), typical: changed(plainTook, segment.WaitUnattributed, 5), spread: 0.02, edit: failingEvery(2)})
	d := CompareDocument(Compare{Result: c})
	expectText(t, d.Sentence, "On before 4 of 12 failed (status in wait), on after 6 of 12 failed (status in wait); their times are not in it.")
	expectText(t, textOf(t, d), "before 8 ok, 4 failed; after 6 ok, 6 failed", "before #", "after #", "status in wait, 500 Internal Server Error")
}

func TestFailuresOfSavedRunsStandArmByArm(t *testing.T) {
	before := measured(t, 12, madeStart.Add(-day), route{Route: way("api", ""), typical: plainTook, spread: 0.02, edit: failingEvery(4)})
	after := measured(t, 12, madeStart, route{Route: way("api", ""), typical: plainTook, spread: 0.02})
	text := comparedText(t, ledger.Compare(ledger.Arm{Arm: before.Arms[0], Set: before}, ledger.Arm{Arm: after.Arms[0], Set: after}))
	expectText(t, text, "On before 3 of 12 failed (status in wait); their times are not in it.", "before #4 #8 #12: status in wait")
}

// quota is a run of which the service refused the eleventh request for an hour.
func quota(t *testing.T) *ledger.Comparison {
	t.Helper()
	refuse := func(i int, x *record.Exchange) {
		if i == 5 {
			x.Outcome, x.Status = record.Throttled, 429
			x.Throttle = &record.Throttle{Reason: "429", RetryAfter: time.Hour, HasRetryAfter: true}
		}
	}
	set := measured(t, 5, madeStart, route{Route: way("before", ""), typical: farTook, spread: 0.02}, route{Route: way("after", "edge.example.net"), typical: plainTook, spread: 0.02})
	b := reading.NewBuilder(set.Run, reading.Options{})
	one := route{Route: way("before", ""), typical: farTook, edit: refuse}
	two := route{Route: way("after", "edge.example.net"), typical: plainTook}
	for i := range 11 {
		r := [2]route{one, two}[i%2]
		x := r.exchange(i/2, rand.New(rand.NewPCG(1, 1)))
		x.Seq, x.Started = i, madeStart.Add(time.Duration(i)*time.Second)
		if err := b.Add(&x); err != nil {
			t.Fatal(err)
		}
	}
	counts := record.Counts{Asked: 25, NotSent: 19}
	set = b.Finish(record.End{
		Counts: record.Counts{Asked: 50, OK: 10, Throttled: 1, NotSent: 39}, Stop: "long-pause",
		Pauses: []record.Pause{{After: 10, For: time.Hour}},
		Arms:   []record.ArmEnd{{Route: "before", Counts: counts}, {Route: "after", Counts: record.Counts{Asked: 25, NotSent: 20}}},
	}, true)
	return ledger.Compare(ledger.Arm{Arm: set.Arms[0], Set: set}, ledger.Arm{Arm: set.Arms[1], Set: set})
}

// A quota of ten was told as "1 throttled, 39 not sent", without a reason.
func TestAQuotaIsToldAsTheReasonForFewPairs(t *testing.T) {
	d := CompareDocument(CompareOf(quota(t)))
	text := textOf(t, d)
	expectText(t, text, "on 5 cold pairs only: the 11th request was throttled for an hour (429).",
		"50 asked: 10 ok, 1 throttled, 0 failed, 0 invalid, 39 not sent",
		"hint: 10 an hour fit: --interval 6m takes 5 h for 25 pairs", "#11: 429, Retry-After 3600, longer than --max-pause 60s; its half pair is left out")
	expectNoText(t, d.Sentence, "were throttled", "was throttled (429); its")
}

func TestEveryVerdictTellsWhyThereAreFewRequests(t *testing.T) {
	in := Compare{Result: comparedLive(t, 12, route{Route: way("before", ""), typical: plainTook, spread: 0.6}, route{Route: way("after", ""), typical: plainTook, spread: 0.6})}
	in.Short = "stopped by hand after 24 of 50"
	expectText(t, CompareDocument(in).Sentence, "No verdict", "There are no more: stopped by hand after 24 of 50.")
}

// Requests to the control and pairs added while a rule was undecided were sent and told nowhere.
func TestEveryRequestOfALiveComparisonIsCounted(t *testing.T) {
	set := measured(t, 27, madeStart, route{Route: way("before", ""), typical: plainTook, spread: 0.1}, route{Route: way("after", ""), typical: plainTook, spread: 0.1},
		route{Route: record.Route{Name: "control", Role: "control"}, typical: plainTook, spread: 0.1})
	set.Run.Plan = json.RawMessage(`{"command":"compare","args":["--max=total.p50=+1%","--requests=9","--","https://api.example.com/"]}`)
	d := CompareDocument(Compare{Result: ledger.Compare(ledger.Arm{Arm: set.Arms[0], Set: set}, ledger.Arm{Arm: set.Arms[1], Set: set})})
	expectText(t, textOf(t, d), "27 requests to the control route besides", "9 pairs were asked for, 18 more added while a --max was undecided")
	j := d.JSON.(jsonCompare)
	if j.ControlSent != 27 || j.Verdict.PairsAsked != 9 {
		t.Errorf("JSON has %d control requests, %d pairs asked for", j.ControlSent, j.Verdict.PairsAsked)
	}
	set.Run.Plan = json.RawMessage(`{"command":"compare","args":["--requests=9","--"]}`)
	if d := CompareDocument(Compare{Result: ledger.Compare(ledger.Arm{Arm: set.Arms[0], Set: set}, ledger.Arm{Arm: set.Arms[1], Set: set})}); d.JSON.(jsonCompare).Verdict.PairsAsked != 0 {
		t.Error("without a rule nothing was added")
	}
}

// An arm without an exchange was "0 of 0 throttled".
func TestAnArmThatWasNotAskedSaysSo(t *testing.T) {
	before := reading.NewBuilder(record.Run{Routes: []record.Route{way("api", "")}}, reading.Options{}).Finish(record.End{}, true)
	after := measured(t, 5, madeStart, route{Route: way("api", ""), typical: plainTook})
	text := comparedText(t, ledger.Compare(ledger.Arm{Arm: before.Arms[0], Set: before}, ledger.Arm{Arm: after.Arms[0], Set: after}))
	expectText(t, text, "before was not asked", "before - was not asked")
	expectNoText(t, text, "0 of 0")
}

// Two totals stood in one report without a word about dns, and a warm request had a set-up of 0.0.
func TestATotalWithDNSSaysSo(t *testing.T) {
	c := comparedLive(t, 12, route{Route: way("before", ""), typical: plainTook, spread: 0.1}, route{Route: way("after", "203.0.113.9"), typical: without(plainTook, segment.DNS), spread: 0.1})
	expectText(t, comparedText(t, c), "total (without dns)", "total (with dns) before")
}

func TestWhatAnArmNeverHadIsADash(t *testing.T) {
	warm := took{segment.Send: 0.1, segment.Wait: 50, segment.WaitUnattributed: 50, segment.Transfer: 1}
	text := comparedText(t, comparedLive(t, 12, route{Route: named("cold"), typical: without(plainTook, segment.DNS), spread: 0.1}, route{Route: named("warm"), typical: warm, spread: 0.1}))
	expectText(t, text, "setup 125 - -125", "tcp 59 -")
}

// A protocol left open was named by the word for leaving it open.
func TestAnArmLeftOpenIsNamedByWhatItAgreedOn(t *testing.T) {
	c := comparedLive(t, 12, route{Route: record.Route{Name: "auto", URL: "https://api.example.com/", Protocol: "auto"}, typical: h2Took, spread: 0.01},
		route{Route: record.Route{Name: "h3", URL: "https://api.example.com/", Protocol: "h3"}, typical: h3Took, spread: 0.01})
	sentence := CompareDocument(Compare{Result: c, Names: [2]string{"auto", "h3"}}).Sentence
	expectText(t, sentence, "h3 is", "faster than h2")
	expectNoText(t, sentence, "auto")
}

// One route split by a dimension, or the hops of a chain, take no turns.
func TestOneRouteTakesNoTurns(t *testing.T) {
	same := []*reading.Arm{{Route: record.Route{Name: "a"}, Group: "x"}, {Route: record.Route{Name: "a"}, Group: "y"}}
	hops := []*reading.Arm{{Route: record.Route{Name: "a"}}, {Route: record.Route{Name: "b", Hop: 1}}}
	two := []*reading.Arm{{Route: record.Route{Name: "a"}}, {Route: record.Route{Name: "b"}}}
	if takeTurns(same) || takeTurns(hops) || !takeTurns(two) || takeTurns(nil) {
		t.Errorf("groups %v, hops %v, two routes %v", takeTurns(same), takeTurns(hops), takeTurns(two))
	}
}

func TestTheLongestPauseIsWrittenAsOnTheCommandLine(t *testing.T) {
	for args, want := range map[string]string{
		`["--"]`: "60s", `["--max-pause=1m30s","--"]`: "90s", `["--max-pause=2h0m0s"]`: "2h", `["--","--max-pause=5s"]`: "60s",
	} {
		if got := plannedOf(record.Run{Plan: json.RawMessage(`{"args":` + args + `}`)}).maxPause(); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
