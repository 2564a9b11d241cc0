package schedule

import (
	"context"
	"sync"
	"time"
)

// startPoll polls until the function it returns is called or ctx ends; the function waits for a
// poll under way.
func (r *Runner) startPoll(ctx, work context.Context) (end func()) {
	p := r.plan.Poll
	if p == nil || p.Every <= 0 {
		return func() {}
	}
	polling, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { r.poll(polling, work, *p) })
	return func() {
		stop()
		done.Wait()
	}
}

func (r *Runner) poll(polling, work context.Context, p Poll) {
	for next := time.Now(); ; {
		select {
		case <-time.After(time.Until(next)):
		case <-polling.Done():
		}
		if polling.Err() != nil {
			return
		}
		s := Slot{Arm: p.Arm, Role: Health, Stage: r.currentStage()}
		r.askOne(s)
		r.one(work, s)
		for !next.After(time.Now()) {
			next = next.Add(p.Every)
		}
	}
}

func (r *Runner) currentStage() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stage
}
