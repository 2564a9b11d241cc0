package schedule_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// TestAHoldDoesNotFloodAServiceThatThrottles: a refused worker's place stays empty as long as it was
// asked to wait, or a second; those that are accepted go on at their own pace.
func TestAHoldDoesNotFloodAServiceThatThrottles(t *testing.T) {
	for name, c := range map[string]struct {
		refusal schedule.Result
		each    int // refused starts of each of the two workers beyond the limit, in 6 s
	}{
		"Retry-After 2":  {busy(2 * time.Second), 3},
		"Retry-After 0":  {schedule.Result{Outcome: record.Throttled, HasRetryAfter: true}, 6},
		"no Retry-After": {schedule.Result{Outcome: record.Throttled}, 6},
		"beyond the end": {busy(time.Hour), 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sv := &service{answer: func(_ int, s schedule.Slot) (time.Duration, schedule.Result) {
					if s.Worker >= 4 {
						return 0, c.refusal
					}
					return 500 * ms, good
				}}
				rep := sv.run(t, t.Context(), rampPlan(t, schedule.Ramp{Stages: []int{6}, Hold: 6 * time.Second}, schedule.Policy{}))
				if rep.Counts.Throttled != 2*c.each || rep.Counts.OK != 4*12 || rep.Stop != "" {
					t.Errorf("%+v, want %d throttled", rep.Counts, 2*c.each)
				}
				if took := time.Since(sv.began); took != 6*time.Second {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}
