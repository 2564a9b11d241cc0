package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

func TestParseRule(t *testing.T) {
	for _, test := range []struct {
		text string
		want Rule
	}{
		{"total.p50=+10%", Rule{Kind: Relative, Key: segment.Total, Percentile: stats.P50, Share: 0.1}},
		{"total.p50=-5%", Rule{Kind: Relative, Key: segment.Total, Percentile: stats.P50, Share: -0.05}},
		{"total.p50=+20ms", Rule{Kind: Absolute, Key: segment.Total, Percentile: stats.P50, Duration: int64(20 * time.Millisecond)}},
		{"wait.p90=250ms", Rule{Kind: Level, Key: segment.Wait, Percentile: stats.P90, Duration: int64(250 * time.Millisecond)}},
		{"wait.upstream.origin.p99.9=1.5s", Rule{Kind: Level, Key: segment.WaitUpstreamOrigin, Percentile: 999_000, Duration: int64(1500 * time.Millisecond)}},
		{"failed=1%", Rule{Kind: Share, Outcome: record.Failed, Share: 0.01}},
		{"throttled=0.5%", Rule{Kind: Share, Outcome: record.Throttled, Share: 0.005}},
	} {
		test.want.Text = test.text
		got, err := ParseRule(test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseRule(%q) = %+v, %v, want %+v", test.text, got, err, test.want)
		}
	}
}

func TestParseRuleRefusesAndShowsTheForm(t *testing.T) {
	for text, want := range map[string]string{
		"total":                  "no limit",
		"total=+10%":             "names no percentile",
		"total.p50":              "no limit",
		"wait.pre_forward=250ms": `"wait.pre_forward" names no percentile`,
		"total.p50=":             "no limit",
		"latency.p50=+10%":       `unknown segment "latency"`,
		"errors=1%":              `unknown metric "errors"`,
		"total.p50=10%":          "carries its sign",
		"total.p50=fast":         "no duration",
		"total.p0=+1%":           "p0",
		"failed=+1%":             "without a sign",
		"failed=3":               "percentage",
		"failed=101%":            "no percentage",
		"total.p50=+x%":          "no percentage",
		"total.p50=-100%":        "no percentage",
		"total.pfifty=+10%":      "pfifty",
	} {
		_, err := ParseRule(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "total.p50=+10%") {
			t.Errorf("ParseRule(%q): %v, want %q and the form", text, err, want)
		}
	}
}

// No rule needs a character that a shell would take.
func TestRuleFormsSurviveAShell(t *testing.T) {
	for _, text := range []string{"total.p50=+10%", "wait.p90=250ms", "failed=1%"} {
		if strings.ContainsAny(text, "<>|&;$`\"'\\*?[]#~(){}! ") {
			t.Errorf("%q holds a character a shell would take", text)
		}
	}
}

func gateOf(t *testing.T, c *Comparison, text string) GateResult {
	t.Helper()
	r, err := ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return c.Gate([]Rule{r})[0]
}

func TestGate(t *testing.T) {
	before, after := live(t, side{rows: noisy(40, 1, typical)}, side{rows: noisy(40, 2, with(typical, segment.WaitUpstream, 175))})
	c := Compare(before, after) // about 238 -> 313 ms
	for _, test := range []struct {
		rule string
		want GateOutcome
	}{
		{"total.p50=+10%", Crossed}, {"total.p50=+60%", Holds}, {"total.p50=+20ms", Crossed}, {"total.p50=+200ms", Holds},
		{"total.p50=300ms", Crossed}, {"total.p50=400ms", Holds}, {"wait.p90=1s", Holds}, {"wait.upstream.p50=+10%", Crossed},
		{"tls.p50=+20%", Holds}, {"setup.p50=+20%", Holds}, {"ttfb.p50=1s", Holds}, {"wait.unattributed.p50=1s", Holds},
		{"total.p99=+10%", GateUndecided}, {"quic.p50=1s", NotRun}, {"quic.p50=+10%", NotRun}, {"failed=20%", Holds}, {"failed=1%", GateUndecided},
	} {
		if got := gateOf(t, c, test.rule); got.Outcome != test.want {
			t.Errorf("%s: %v, want %v (%+v)", test.rule, got.Outcome, test.want, got)
		}
	}
}

func TestGateBlamesTheRowThatCarriesMostOfIt(t *testing.T) {
	before, after := live(t, side{rows: noisy(40, 1, typical)}, side{rows: noisy(40, 2, with(typical, segment.WaitUpstream, 175))})
	c := Compare(before, after)
	for rule, want := range map[string]segment.Key{"total.p50=+10%": segment.WaitUpstream, "wait.p50=+10%": segment.WaitUpstream, "total.p90=+10%": segment.WaitUpstream} {
		if got := gateOf(t, c, rule); got.Blame == nil || got.Blame.Key != want {
			t.Errorf("%s blames %+v, want %s", rule, got.Blame, want)
		}
	}
	if got := gateOf(t, c, "wait.upstream.p50=+10%"); got.Blame != nil {
		t.Errorf("a rule on one row blames %s", got.Blame.Key)
	}
}

func TestAPercentileWithoutIntervalDecidesNothing(t *testing.T) {
	before, after := live(t, side{rows: noisy(25, 1, typical)}, side{rows: noisy(25, 2, with(typical, segment.WaitUpstream, 9000))})
	c := Compare(before, after)
	for _, rule := range []string{"total.p90=+10%", "total.p90=300ms", "total.p99=+20ms"} {
		got := gateOf(t, c, rule)
		if got.Outcome != GateUndecided || got.Why == "" || got.Needed < 36 {
			t.Errorf("%s: %v (%s), %d needed, though p90 of 25 has no interval", rule, got.Outcome, got.Why, got.Needed)
		}
	}
}

func TestUndecidedRuleTellsHowManyWouldSettleIt(t *testing.T) {
	before, after := live(t, side{rows: noisy(10, 3, typical)}, side{rows: noisy(10, 4, with(typical, segment.WaitUpstream, 120))})
	got := gateOf(t, Compare(before, after), "total.p50=+9%")
	if got.Outcome != GateUndecided || got.Needed <= 10 || got.Needed%10 != 0 {
		t.Errorf("%v with %d needed, value %v (%v to %v)", got.Outcome, got.Needed, got.Value, got.Lo, got.Hi)
	}
}

func TestSharesOfAfterAreGated(t *testing.T) {
	failing := func(every int) side {
		return side{rows: noisy(100, 2, typical), edit: func(i int, x *record.Exchange) {
			if i%every == 0 {
				x.Outcome, x.Status = record.Failed, 500
				x.Error = &record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: "500"}
			}
		}}
	}
	before, after := live(t, side{rows: noisy(100, 1, typical)}, failing(5))
	c := Compare(before, after)
	if got := gateOf(t, c, "failed=5%"); got.Outcome != Crossed || got.Value != 0.2 {
		t.Errorf("20 of 100 failed against 5 %%: %+v", got)
	}
	if got := gateOf(t, c, "failed=18%"); got.Outcome != GateUndecided || got.Needed <= 100 {
		t.Errorf("20 of 100 failed against 18 %%: %+v", got)
	}
	if s := c.Shares[0]; s.What != "failed" || s.Counts != [2]int{0, 20} || !s.Significant() {
		t.Errorf("shares %+v", c.Shares)
	}
}

func TestWorstDecidesTheExitCode(t *testing.T) {
	results := []GateResult{{Outcome: Holds}, {Outcome: Crossed}, {Outcome: GateUndecided}}
	if got := Worst(results); got != Crossed {
		t.Errorf("Worst = %v, want crossed", got)
	}
	if got := Worst(nil); got != Holds {
		t.Errorf("Worst of nothing = %v, want holds", got)
	}
}
