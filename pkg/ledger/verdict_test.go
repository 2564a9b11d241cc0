package ledger

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

func changeOf(lo, delta, hi float64) stats.Change {
	c := stats.Change{Delta: int64(ms(delta)), Interval: stats.Interval{Lo: int64(ms(lo)), Hi: int64(ms(hi)), HasLo: true, HasHi: true}}
	c.Before.N, c.After.N = 25, 25
	return c
}

func TestJudge(t *testing.T) {
	few, open := changeOf(-10, -5, -1), stats.Change{}
	few.After.N = 4
	open.Before.N, open.After.N = 25, 25
	for _, test := range []struct {
		name   string
		change stats.Change
		p      float64
		faster bool
		want   Verdict
	}{
		{"interval below 0", changeOf(-40, -30, -20), 1, true, Faster},
		{"interval above 0", changeOf(20, 30, 40), 1, false, Slower},
		{"real but small", changeOf(-6, -4, -2), 0.001, true, Small},
		{"within delta", changeOf(-7, 1, 7), 0.5, false, Unchanged},
		{"rank test alone", changeOf(-55, -20, 1), 0.01, true, Probably},
		{"rank test against the p50s", changeOf(-55, -20, 1), 0.01, false, Undecided},
		{"anything", changeOf(-94, -30, 21), 0.3, true, Undecided},
		{"four in an arm", few, 0.001, true, TooFew},
		{"no interval", open, 0.001, true, Correlated},
	} {
		if got := judge(test.change, stats.RankTest{P: test.p}, test.faster, int64(ms(8))); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestDelta(t *testing.T) {
	for _, test := range []struct{ before, after, want time.Duration }{
		{ms(100), ms(120), ms(5)}, {ms(400), ms(300), ms(8)}, {ms(300), ms(400), ms(8)}, {0, 0, ms(5)},
	} {
		if got := Delta(int64(test.before), int64(test.after)); got != int64(test.want) {
			t.Errorf("Delta(%v, %v) = %v, want %v", test.before, test.after, time.Duration(got), test.want)
		}
	}
}

func TestFourRequestsHaveATableAndNoVerdict(t *testing.T) {
	for n := 1; n <= 4; n++ {
		before, after := live(t, side{rows: noisy(n, 1, typical)}, side{rows: noisy(n, 2, with(typical, segment.WaitUpstream, 900))})
		c := Compare(before, after)
		if c.Verdict != TooFew || len(c.Entries) == 0 {
			t.Errorf("n %d: verdict %v, %d rows", n, c.Verdict, len(c.Entries))
		}
		for _, e := range c.Entries {
			if e.Standing != Untested {
				t.Errorf("n %d: %s is %v", n, e.Key, e.Standing)
			}
		}
	}
}

func TestAnArmWithoutAnswersHasNoVerdict(t *testing.T) {
	failed := side{rows: noisy(3, 1, typical), edit: func(_ int, x *record.Exchange) {
		x.Outcome, x.Error = record.Failed, &record.Error{Class: record.ClassTLS, Segment: segment.TLS, Text: "certificate"}
	}}
	before, after := live(t, side{rows: noisy(3, 1, typical)}, failed)
	c := Compare(before, after)
	rule, _ := ParseRule("total.p50=+10%")
	if c.Verdict != TooFew || c.Findings() != nil || c.Gate([]Rule{rule})[0].Outcome != NotRun {
		t.Errorf("verdict %v, findings %v, gate %+v", c.Verdict, c.Findings(), c.Gate([]Rule{rule}))
	}
}

func TestTwoRunsThatDifferAreNotSubtracted(t *testing.T) {
	h3 := side{rows: noisy(25, 2, overQUIC), route: record.Route{Name: "route", URL: "https://api.example.com/", State: "cold"}}
	c := Compare(saved(t, side{rows: noisy(25, 1, typical)}), saved(t, h3))
	if c.Verdict != NotComparable || len(c.Differences) != 1 || c.Differences[0].What != "protocol" || !c.Differences[0].Bars {
		t.Errorf("verdict %v, differences %+v", c.Verdict, c.Differences)
	}
	before, after := live(t,
		side{rows: noisy(25, 1, typical), route: record.Route{Name: "h2", URL: "https://api.example.com/", State: "cold", Protocol: "h2"}},
		side{rows: noisy(25, 2, overQUIC), route: record.Route{Name: "h3", URL: "https://api.example.com/", State: "cold", Protocol: "h3"}})
	if c = Compare(before, after); c.Verdict == NotComparable || !c.Differences[0].Asked || len(c.Unasked()) != 0 {
		t.Errorf("asked for in one run: verdict %v, differences %+v", c.Verdict, c.Differences)
	}
}

func TestARehearsalIsNotSubtractedFromAMeasurement(t *testing.T) {
	real, lab := saved(t, side{rows: noisy(25, 1, typical)}), saved(t, side{rows: noisy(25, 2, typical)})
	lab.Set.Run.Rehearsed = true
	if c := Compare(real, lab); c.Verdict != NotComparable || c.Differences[0].After != "rehearsed" {
		t.Errorf("verdict %v, differences %+v", c.Verdict, c.Differences)
	}
}

// A resolver that changed between two runs is said above the verdict and does not take it away.
func TestAnotherResolverIsSaidAndDoesNotBar(t *testing.T) {
	served := func(server string, seed uint64) Arm {
		return saved(t, side{rows: noisy(25, seed, typical), edit: func(_ int, x *record.Exchange) { x.DNS = &record.DNS{Server: server} }})
	}
	c := Compare(served("192.0.2.53", 1), served("192.0.2.54", 2))
	if c.Verdict == NotComparable || len(c.Unasked()) != 1 || c.Unasked()[0].What != "resolver" {
		t.Errorf("verdict %v, differences %+v", c.Verdict, c.Differences)
	}
}

func TestAnswersMustMatch(t *testing.T) {
	answering := func(edit func(int, *record.Exchange)) side { return side{rows: noisy(12, 1, typical), edit: edit} }
	plain := answering(nil)
	for _, test := range []struct {
		name string
		arm  side
		want func(Answers) bool
	}{
		{"same", plain, func(a Answers) bool { return a.Known && a.Same }},
		{"status", answering(func(_ int, x *record.Exchange) { x.Status = 302 }), func(a Answers) bool { return a.Status && !a.Same }},
		{"size", answering(func(_ int, x *record.Exchange) { x.Bytes.Decoded = 51208 }), func(a Answers) bool { return a.Size && !a.Same }},
		{"body", answering(func(_ int, x *record.Exchange) { x.BodySHA = "ffff" }), func(a Answers) bool { return a.Body && !a.Same }},
		{"varies within the arm", answering(func(i int, x *record.Exchange) { x.Bytes.Decoded += int64(i - 5) }), func(a Answers) bool { return a.Same }},
	} {
		before, after := live(t, plain, test.arm)
		if got := Compare(before, after).SameAnswer; !test.want(got) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// 24 completion times of a load test, against a run twice as quick: separate runs whose exchanges
// depend on each other have wider limits, and the drift is said.
func TestCompletionTimesDriftAndWidenTheirLimits(t *testing.T) {
	arm := fixture(t, "ledger-completion.jsonl", 0)
	c := Compare(arm, saved(t, side{rows: noisy(24, 9, row{segment.Wait: 1000})}))
	before := c.Total.Before
	if before.Value != int64(2345*time.Millisecond) {
		t.Errorf("p50 %v, want 2.345 s", time.Duration(before.Value))
	}
	checkNear(t, "variance inflation", c.Drift.VIF[0], 3.1666666666666665, 1e-9)
	checkNear(t, "effective n", c.Drift.Effective[0], 7.578947368421053, 1e-9)
	checkNear(t, "widened lower limit", time.Duration(before.Lo).Seconds(), 2.09, 0.01)
	checkNear(t, "widened upper limit", time.Duration(before.Hi).Seconds(), 3.09, 0.01)
	checkNear(t, "p of the trend", c.Drift.Before.P, 0.004662905903036121, 1e-6)
	if !c.Drift.Drifts() || !c.Drift.Correlated(0) || c.Drift.Correlated(1) {
		t.Errorf("drift %+v", c.Drift)
	}
}

func TestCompletionTimesHaveNoUpperLimitAtP90(t *testing.T) {
	s := Compare(fixture(t, "ledger-completion.jsonl", 0), fixture(t, "ledger-completion.jsonl", 0)).Before
	figure := s.Figures[segment.Total]
	p50, _ := figure.At(stats.P50)
	p90, _ := figure.At(stats.P90)
	p99, _ := figure.At(stats.P99)
	checkNear(t, "lower limit of p50", time.Duration(p50.Lo).Seconds(), 2.203, 0.001)
	checkNear(t, "upper limit of p50", time.Duration(p50.Hi).Seconds(), 2.764, 0.001)
	if p90.Value != int64(3035*time.Millisecond) || p90.HasHi || !p90.HasLo {
		t.Errorf("p90 %+v, want 3.035 s without an upper limit", p90)
	}
	if !p99.IsMax() || p99.Value != int64(3051*time.Millisecond) {
		t.Errorf("p99 %+v, want the slowest, 3.051 s", p99)
	}
}

func TestSeparateRunsThatDependOnThemselvesHaveNoVerdict(t *testing.T) {
	rows := noisy(24, 1, typical)
	for i := range rows { // two halves, one fast, one slow: worth about two exchanges
		rows[i] = with(rows[i], segment.WaitUpstream, rows[i][segment.WaitUpstream]+float64(i/12)*300)
	}
	c := Compare(saved(t, side{rows: rows}), saved(t, side{rows: noisy(24, 2, typical)}))
	if c.Verdict != Correlated || c.Total.HasLo || c.Total.HasHi {
		t.Errorf("verdict %v, effective n %v, interval %+v", c.Verdict, c.Drift.Effective, c.Total.Interval)
	}
}
