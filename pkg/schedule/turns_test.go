package schedule_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// A worker of a held stage began its next exchange at once, and answers that were here already waited for
// the processor meanwhile: their exchanges were told to have waited longer for the service.
func TestAHeldWorkerLetsAnswersThatCameGoFirst(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var order []string
	for range 5 { // now and then the runtime picks another one out of turn
		if order = orderOfTurns(t); len(order) == 2 && order[0] == "answered" {
			return
		}
	}
	t.Errorf("order %v five times, want answered before next", order)
}

// orderOfTurns tells which came first in a held stage: what waited for an answer that is here, or the next
// exchange of the worker that had its turn.
func orderOfTurns(t *testing.T) []string {
	answer := make(chan struct{})
	var waits sync.WaitGroup
	waits.Add(1)
	var order []string // one processor, and every entry is made without giving it up
	do := func(_ context.Context, s schedule.Slot) schedule.Result {
		switch {
		case s.Worker == 1 && s.Pair == 0:
			waits.Done()
			<-answer
			order = append(order, "answered")
		case s.Worker == 0 && s.Pair == 0:
			waits.Wait()
			runtime.Gosched() // it is waiting now
			close(answer)
		case s.Worker == 0 && s.Pair == 1:
			order = append(order, "next")
		default:
			time.Sleep(time.Millisecond)
		}
		return schedule.Result{Outcome: record.OK}
	}
	slots := []schedule.Slot{{Worker: 0}, {Worker: 1}}
	run(t, do, schedule.Step{Slots: slots, Hold: 20 * time.Millisecond})
	return order
}
