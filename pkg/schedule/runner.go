package schedule

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Plan is everything a run needs to know before it starts.
type Plan struct {
	Arms   []Arm
	Steps  []Step
	Policy Policy
	Poll   *Poll // nil for none
}

// Poll is an arm asked on a schedule of its own for as long as steps are under way.
type Poll struct {
	Arm   int
	Every time.Duration // between two starts; a start that falls while a poll is under way is left out
}

// Run carries out plan and returns what was done. The error is the sink's; a run that was cancelled,
// throttled or stopped by failures is no error. See [Runner] to go on afterwards.
func Run(ctx context.Context, plan Plan, do Do, sink Sink) (Report, error) {
	return NewRunner(plan, do, sink).Run(ctx, plan.Steps)
}

// Runner walks through steps. Pacing, budget, streaks of failures and sequence numbers go on from
// one call of Run to the next, so that a run can be extended once its results are known.
type Runner struct {
	plan Plan
	do   Do
	sink Sink

	mu       sync.Mutex // guards what follows down to the blank line
	arms     []arm
	seq      int
	reserved int
	stage    int
	throttle int
	pauses   []Pause
	stop     Stop
	resume   time.Time // nothing starts before
	began    time.Time // the latest step
	ended    time.Time
	pair     int // the latest round

	sinkMu  sync.Mutex // guards sinkErr, and keeps Sink calls apart
	sinkErr error
}

// NewRunner returns a Runner for plan's arms, policy and poll; its steps are given to Run.
func NewRunner(plan Plan, do Do, sink Sink) *Runner {
	return &Runner{plan: plan, do: do, sink: sink, arms: make([]arm, len(plan.Arms)), stage: NoStage}
}

// Run sends steps until they, the policy or ctx end, waits for what is under way, and returns the
// report of all steps so far. Once a Runner has stopped, Run sends nothing more. It must not be
// called again before it has returned.
func (r *Runner) Run(ctx context.Context, steps []Step) (Report, error) {
	r.ask(steps)
	work, release := r.drainable(ctx)
	defer release()
	endPoll := r.startPoll(ctx, work)
	for _, st := range steps {
		if !r.step(ctx, work, st) {
			break
		}
	}
	endPoll()
	r.sinkMu.Lock()
	defer r.sinkMu.Unlock()
	return r.Report(), r.sinkErr
}

func (r *Runner) ask(steps []Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, st := range steps {
		for _, s := range st.Slots {
			r.arms[s.Arm].counts.Asked++
		}
	}
}

// drainable returns the context exchanges run under: it outlives ctx by the policy's drain.
func (r *Runner) drainable(ctx context.Context) (work context.Context, release func()) {
	work, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	interrupt := func() { cut(ErrInterrupted) }
	var timer *time.Timer
	var mu sync.Mutex // guards timer: ctx may end while Run does
	stop := context.AfterFunc(ctx, func() {
		r.end(StopCancelled)
		mu.Lock()
		defer mu.Unlock()
		switch d := r.plan.Policy.Drain; {
		case d == 0:
			interrupt()
		case d > 0:
			timer = time.AfterFunc(d, interrupt)
		}
	})
	return work, func() {
		stop()
		mu.Lock()
		defer mu.Unlock()
		if timer != nil {
			timer.Stop()
		}
		cut(nil)
	}
}

// step waits for st's turn and sends it; false means that the run is over.
func (r *Runner) step(ctx, work context.Context, st Step) bool {
	st.Slots = r.live(st.Slots)
	if len(st.Slots) == 0 {
		return !r.over()
	}
	if !r.await(ctx, st) {
		return false
	}
	began := time.Now()
	r.enter(st.Slots[0], began)
	switch {
	case st.Open:
		r.open(ctx, work, st, began)
	case st.Hold > 0:
		r.hold(ctx, work, st, began)
	default:
		r.burst(work, st.Slots)
	}
	r.mu.Lock()
	r.ended = time.Now()
	r.mu.Unlock()
	return !r.over()
}

func (r *Runner) enter(s Slot, began time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began, r.stage, r.pair = began, s.Stage, s.Pair
}

// await sleeps until st may start; false means that the run ended before.
func (r *Runner) await(ctx context.Context, st Step) bool {
	return !r.over() && r.sleepUntil(ctx, r.due(st))
}

func (r *Runner) due(st Step) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.resume
	if r.began.IsZero() {
		return at
	}
	return latest(at, r.began.Add(st.After), r.ended.Add(st.Gap))
}

func latest(ts ...time.Time) (at time.Time) {
	for _, t := range ts {
		if t.After(at) {
			at = t
		}
	}
	return at
}

// sleepUntil returns false when ctx ended first, or had already.
func (r *Runner) sleepUntil(ctx context.Context, at time.Time) bool {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	if ctx.Err() == nil && time.Until(at) > 0 {
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		r.end(StopCancelled)
		return false
	}
	return true
}

func (r *Runner) end(why Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endLocked(why)
}

// endLocked keeps the first reason: what follows from it explains nothing.
func (r *Runner) endLocked(why Stop) {
	if r.stop == "" {
		r.stop = why
	}
}

func (r *Runner) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop != ""
}

// begin numbers s.
func (r *Runner) begin(s Slot) Slot {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := &r.arms[s.Arm]
	s.Seq, s.First = r.seq, a.begun == 0
	r.seq++
	a.begun++
	return s
}

// finish books what came of s and hands it over. The sink runs outside of mu, so that it may ask
// for a Report.
func (r *Runner) finish(s Slot, res Result) {
	r.book(s, res)
	r.sinkMu.Lock()
	defer r.sinkMu.Unlock()
	if err := r.sink(s, res); err != nil && r.sinkErr == nil {
		r.sinkErr = fmt.Errorf("store exchange %d: %w", s.Seq, err)
		r.end(StopSink)
	}
}

func (r *Runner) book(s Slot, res Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := &r.arms[s.Arm]
	a.counts.Add(res.Outcome)
	for _, x := range res.Exchanges {
		if x.Prime {
			a.counts.Priming++
		}
	}
	// Once the run is over nothing follows from a result; one cut short by the user least of all.
	if s.Role != Health && r.stop == "" {
		r.judge(s, res)
	}
}
