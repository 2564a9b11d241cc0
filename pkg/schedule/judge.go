package schedule

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// arm is what a Runner remembers of one arm.
type arm struct {
	counts  record.Counts
	begun   int
	alike   int    // consecutive failures that share failure
	failure string // of the latest, or why it was fatal
	stop    Stop
}

// judge draws the consequences of a result: a streak, a stop, a pause. r.mu is held.
func (r *Runner) judge(s Slot, res Result) {
	a := &r.arms[s.Arm]
	switch {
	case res.Outcome == record.Throttled:
		a.alike, a.failure = 0, ""
		r.pause(s, res)
	case res.Failure == "":
		a.alike, a.failure = 0, ""
	default:
		a.fail(res, r.plan.Policy.KeepGoing)
	}
	if r.allStopped() {
		r.endLocked(a.stop)
	}
}

func (a *arm) fail(res Result, keepGoing bool) {
	if a.stop != "" {
		return // a late one of the same burst; the reason stands
	}
	if res.Failure != a.failure {
		a.alike, a.failure = 0, res.Failure
	}
	a.alike++
	switch {
	case keepGoing || a.counts.OK > 0:
	case res.Fatal != "":
		a.stop, a.failure = StopFatal, res.Fatal
	case a.alike >= DefaultAlike:
		a.stop = StopFailures
	}
}

// allStopped tells whether an arm stopped and no other is left that the run is about.
func (r *Runner) allStopped() bool {
	for i, a := range r.arms {
		if a.stop == "" && !r.plan.Arms[i].Optional && a.counts.Asked > a.counts.Done() {
			return false
		}
	}
	return r.essentialStop() != ""
}

// essentialStop is the reason of the first arm that stopped and is not optional.
func (r *Runner) essentialStop() Stop {
	for i, a := range r.arms {
		if a.stop != "" && !r.plan.Arms[i].Optional {
			return a.stop
		}
	}
	return ""
}

// pause books a throttled exchange. r.mu is held.
func (r *Runner) pause(s Slot, res Result) {
	p := r.plan.Policy
	if p.ThrottledIsResult {
		return
	}
	r.throttle++
	wait := res.RetryAfter
	if !res.HasRetryAfter {
		wait = min(UnaskedPause, p.maxPause())
	}
	granted := wait <= p.maxPause()
	switch {
	case r.throttle >= DefaultThrottled:
		r.endLocked(StopThrottled)
		return
	case !granted:
		r.endLocked(StopLongPause)
	}
	r.pauses = append(r.pauses, Pause{Seq: s.Seq, For: wait, Granted: granted})
	r.resume = latest(r.resume, time.Now().Add(wait))
}

// live returns the slots whose arm may still send. When arms stop together and a round is over, the
// stop of one ends the run.
func (r *Runner) live(slots []Slot) []Slot {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan.Policy.Together && len(slots) > 0 && slots[0].Pair != r.pair {
		if why := r.essentialStop(); why != "" {
			r.endLocked(why)
		}
	}
	if r.stop != "" {
		return nil
	}
	var live []Slot
	for _, s := range slots {
		if r.arms[s.Arm].stop == "" {
			live = append(live, s)
		}
	}
	return live
}
