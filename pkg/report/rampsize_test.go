package report

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// descending is a ramp of 8, 4 and 2; throttled of the first are refused.
func descending(throttled int) *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{8, 4, 2}, Gap: 10 * time.Second})
	for i, n := range []int{8, 4, 2} {
		ones := loads(n, 0, 0, 600, 3)
		for j := range ones {
			if i == 0 && j < throttled {
				ones[j] = loadOne{total: 100, outcome: record.Throttled, status: 429, reason: "429"}
			}
		}
		m.stage(i, ones...)
	}
	return m.ramp()
}

// Stages 4,2 throttled nothing "up to 2 at once": the last stage was taken for the largest.
func TestARampThatDescendsIsToldByItsLargestStage(t *testing.T) {
	d := RampDocument(Ramp{Result: descending(0)})
	expectText(t, d.Sentence, "throttled nothing, up to 8 at once")
	expectText(t, d.Title, "up to 8 at once")
	expectText(t, d.Sentence, "The 8 accepted at 8")
}

func TestARampThatDescendsServedItsSmallerStages(t *testing.T) {
	d := RampDocument(Ramp{Result: descending(3)})
	expectText(t, d.Sentence, "served 4 requests at once; of 8 it throttled 3")
	expectNoText(t, d.Sentence, "never clean")
}

// The p50 of two is the faster one, and edge_rtt an estimate, without a mark.
func TestRampMarksWhatIsExtremeOrEstimated(t *testing.T) {
	text := textOf(t, RampDocument(Ramp{Result: descending(0)}))
	expectText(t, text, "p50*", "p50 of 2 is the faster one", "wait.edge_rtt (est.)", "(est.) the tcp segment of the same exchange, not reported")
}
