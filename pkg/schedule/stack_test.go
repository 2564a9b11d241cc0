package schedule_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// The goroutines of a burst grew their stacks between the barrier and the first packet, so that 64 of them
// started milliseconds apart.
func TestABurstsStacksHaveGrownBeforeItIsReleased(t *testing.T) {
	for name, hold := range map[string]time.Duration{"closed": 0, "held": time.Nanosecond} {
		t.Run(name, func(t *testing.T) {
			const n, stack = 64, 32 << 10
			runtime.GC()
			defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection shrinks stacks
			before := stackInUse()
			var once sync.Once
			var grown int64
			do := func(_ context.Context, s schedule.Slot) schedule.Result {
				s.Release()
				once.Do(func() { grown = stackInUse() - before }) // the others wait for it
				return schedule.Result{Outcome: record.OK}
			}
			run(t, do, schedule.Step{Slots: make([]schedule.Slot, n), Hold: hold})
			if grown < n*stack/2 { // some were there before
				t.Errorf("the stacks of %d slots take %d bytes more behind the barrier, want about %d", n, grown, n*stack)
			}
		})
	}
}

func run(t *testing.T, do schedule.Do, step schedule.Step) {
	t.Helper()
	plan := schedule.Plan{Arms: []schedule.Arm{{Name: "a"}}, Steps: []schedule.Step{step}}
	store := func(schedule.Slot, schedule.Result) error { return nil }
	if _, err := schedule.NewRunner(plan, do, store).Run(t.Context(), plan.Steps); err != nil {
		t.Fatal(err)
	}
}

func stackInUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}
