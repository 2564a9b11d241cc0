package schedule

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// burst sends slots behind one barrier and waits for all of them. It is reserved as a whole: part
// of a burst would be a different measurement.
func (r *Runner) burst(work context.Context, slots []Slot) {
	if !r.reserve(slots...) {
		return
	}
	if len(slots) == 1 {
		r.one(work, slots[0])
		return
	}
	together(slots, func(s Slot) { r.one(work, s) })
}

// together runs do for every slot behind one barrier and waits for all of them.
func together(slots []Slot, do func(Slot)) {
	g := newGate(len(slots))
	var all sync.WaitGroup
	for _, s := range slots {
		s.ticket = &ticket{gate: g}
		all.Go(func() {
			growStack()
			do(s)
		})
	}
	all.Wait()
}

// one sends a slot that was reserved.
func (r *Runner) one(work context.Context, s Slot) Result {
	s = r.begin(s)
	res := r.do(work, s)
	if s.ticket != nil {
		s.ticket.arrive()
	}
	r.finish(s, res)
	return res
}

// hold keeps one exchange of each slot's worker under way until st.Hold after began. The first ones
// leave as a burst. A worker that was throttled waits as long as it was asked to before it sends on.
func (r *Runner) hold(ctx, work context.Context, st Step, began time.Time) {
	if !r.reserve(st.Slots...) {
		return
	}
	until := began.Add(st.Hold)
	sent := &counter{n: len(st.Slots)}
	together(st.Slots, func(s Slot) {
		if r.rest(ctx, r.one(work, s), until) {
			r.sendOn(ctx, work, st, s, until, sent)
		}
	})
}

func (r *Runner) sendOn(ctx, work context.Context, st Step, s Slot, until time.Time, sent *counter) {
	s.ticket = nil
	for time.Now().Before(until) && r.goesOn(ctx) && len(r.live([]Slot{s})) > 0 {
		s.Pair++
		s.Template = st.Mix.At(sent.next())
		if !r.reserve(s) {
			return
		}
		r.askOne(s)
		runtime.Gosched() // those whose answers are here go first: it is their waiting that is timed
		if !r.rest(ctx, r.one(work, s), until) {
			return
		}
	}
}

// rest waits out a refusal, at most until the hold is over; false means that the run ended meanwhile.
func (r *Runner) rest(ctx context.Context, res Result, until time.Time) bool {
	if res.Outcome != record.Throttled {
		return true
	}
	wait := res.RetryAfter
	if wait <= 0 {
		wait = RefusedRest
	}
	at := time.Now().Add(wait)
	if at.After(until) {
		at = until
	}
	return r.sleepUntil(ctx, at)
}

type counter struct {
	mu sync.Mutex // guards n
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n - 1
}

func (r *Runner) askOne(s Slot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arms[s.Arm].counts.Asked++
}

func (r *Runner) goesOn(ctx context.Context) bool {
	if ctx.Err() != nil {
		r.end(StopCancelled)
	}
	return !r.over()
}

// open starts each slot at its intended time, at most the policy's ceiling at once. A slot that had
// to wait for a place is late, and says so: the wait is the service's doing and belongs to what a
// user would have waited.
func (r *Runner) open(ctx, work context.Context, st Step, began time.Time) {
	places := make(chan struct{}, r.plan.Policy.ceiling())
	var all sync.WaitGroup
	defer all.Wait()
	for _, s := range st.Slots {
		due := began.Add(s.Intended)
		if !r.sleepUntil(ctx, latest(due, r.due(Step{}))) || !takePlace(ctx, places) {
			r.goesOn(ctx)
			return
		}
		if !r.goesOn(ctx) {
			return
		}
		if len(r.live([]Slot{s})) == 0 {
			<-places
			continue
		}
		if !r.reserve(s) {
			return
		}
		s.Late = max(0, time.Since(due))
		all.Go(func() {
			r.one(work, s)
			<-places
		})
	}
}

func takePlace(ctx context.Context, places chan<- struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// reserve sets aside what slots cost, all of them or none; none ends the run.
func (r *Runner) reserve(slots ...Slot) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	need := 0
	for _, s := range slots {
		need += max(1, r.plan.Arms[s.Arm].Requests)
	}
	if need > r.plan.Policy.Allowed()-r.reserved {
		r.endLocked(StopBudget)
		return false
	}
	r.reserved += need
	return true
}
