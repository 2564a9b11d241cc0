package report

import (
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// rampSays checks what the text of a ramp holds, line breaks aside, and what it must not hold.
func rampSays(t *testing.T, r *load.Ramp, want, not []string) {
	t.Helper()
	text := strings.Join(strings.Fields(textOf(t, RampDocument(Ramp{Result: r}))), " ")
	for _, part := range want {
		if !strings.Contains(text, part) {
			t.Errorf("not said: %q in\n%s", part, text)
		}
	}
	for _, part := range not {
		if strings.Contains(text, part) {
			t.Errorf("said: %q in\n%s", part, text)
		}
	}
}

// missedRamp asks for ten a second of a service that answers after two, with four in flight at most.
func missedRamp(end record.End) *load.Ramp {
	m := newRampMaker(load.Plan{Rates: []float64{10}, Hold: 2 * time.Second, Ceiling: 4})
	began := m.at
	for i := range 20 {
		late := max(0, i/4*2000-i*100)
		m.at = began.Add(time.Duration(i) * 100 * time.Millisecond)
		m.add("llm.example.net", 0, loadOne{total: 2000, late: late})
	}
	m.end = end
	return m.ramp()
}

func TestARateNeverReachedIsNotReportedAsServed(t *testing.T) {
	rampSays(t, missedRamp(record.End{}), []string{
		"throttled nothing; 10 a second was not reached: 2.47 a second were sent.",
		"not reached: 2.47 of 10 a second (p50 3000 ms late)",
		"20 sent in 1 stage of 2 s as planned, but that of 10 took 10 s", "do not believe it (?)",
	}, []string{"up to 10 a second", "evenly", "served 10"})
}

func TestThrottledAreNotLeftOutWhereOthersFailed(t *testing.T) {
	m := newRampMaker(load.Plan{Stages: []int{4, 8}, Gap: time.Second})
	bad := loadOne{total: 90, outcome: record.Failed, status: 503, class: "status", reason: "status 503"}
	m.stage(0, append(refusals(2, ""), bad, bad)...)
	m.stage(1, append(refusals(4, ""), bad, bad, bad, bad)...)
	rampSays(t, m.ramp(), []string{"accepted none of 12 requests: it throttled 6 (429 bench_full), and 6 failed, most often status: 503"}, nil)
}

func TestRequestsAfterTheLoadThatWereNotSentAreTold(t *testing.T) {
	m := newRampMaker(load.Plan{Stages: []int{2, 4}, Gap: time.Second, After: 3, Cost: 1, Budget: 3})
	m.stage(0, loads(2, 0, 0, 100, 1)...)
	m.end.Stop = "budget"
	rampSays(t, m.ramp(), []string{"after 3 requests not sent, the ramp had ended before"}, nil)
	m.add("llm.example.net", -1, loadOne{total: 100})
	rampSays(t, m.ramp(), []string{"1 of 1 ok once the load was gone (total 100 ms); 2 requests not sent"}, nil)
}

func TestNoiseIsNotToldAsLater(t *testing.T) {
	m := newRampMaker(load.Plan{Stages: []int{2, 4}, Gap: time.Second})
	m.stage(0, loads(2, 0, 0, 1000, 1)...)
	m.stage(1, loads(4, 0, 0, 909, 1)...)
	rampSays(t, m.ramp(), []string{"The 4 accepted at 4 were done after 910 ms (p50)."}, []string{"sooner", "later than"})
}

func TestAHoldCutOffIsNotSaidToBeKeptUp(t *testing.T) {
	rampSays(t, heldRamp(), []string{"of 30 s as planned, but that of 2 was cut off after 15.1 s"}, []string{"each kept up for 30 s"})
}

// twoHosts is a ramp over a steady host and one that cuts streams.
func twoHosts(t *testing.T) *load.Ramp {
	t.Helper()
	m := newRampMaker(load.Plan{Stages: []int{2}, Templates: []string{"steady", "cut"}})
	m.routes = []record.Route{{Name: "steady", URL: "https://steady.example/"}, {Name: "cut", URL: "https://cut.example/"}}
	m.add("steady", 0, loadOne{total: 300, template: "steady"})
	m.add("cut", 0, loadOne{total: 200, text: 90, template: "cut", outcome: record.Failed, status: 200, class: "stream", reason: "stream cut"})
	return m.ramp()
}

func TestTheHostThatFailedIsNamedAndNoOther(t *testing.T) {
	rampSays(t, twoHosts(t), []string{"steady.example and cut.example throttled nothing, up to 2 at once, but 1 of 2 failed, all at cut.example.",
		"(cut.example, at 2)"}, []string{"steady.example throttled"})
}

func TestMixedTemplatesAreNotToldAsOne(t *testing.T) {
	rampSays(t, templateRamp(), []string{"Several templates are mixed"}, nil)
	rampSays(t, cleanRamp(), nil, []string{"mixed"})
}

func TestCSVOfAComparisonHoldsTheComparison(t *testing.T) {
	d := RampCompareDocument(RampCompare{Result: load.Compare(slowerRamp(), benchRamp())})
	changes := 0
	for _, row := range d.Records.Rows {
		if len(row) != len(d.Records.Columns) {
			t.Fatalf("%d cells in %d columns", len(row), len(d.Records.Columns))
		}
		if row[0] == "change" {
			changes++
		}
	}
	if changes != 4 {
		t.Errorf("%d stages compared, want 4", changes)
	}
}
