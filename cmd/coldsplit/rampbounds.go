package main

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/report"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// held reports whether stages are kept up, so that more is sent than the plan lists.
func (j *rampJob) held() bool { return schedule.SizeOf(j.steps).Held && len(j.ramp.Rates) == 0 }

// sendable is how many requests the bounds let the ramp send: as many as planned, or what the steps
// before the first that does not fit come to. Of a search and of a hold it is the most.
func (j *rampJob) sendable() int {
	allowed := j.policy.Allowed()
	switch {
	case len(j.steps) > 0 && !j.steps[0].Open && len(j.steps[0].Slots) > allowed:
		return 0
	case j.held():
		return allowed
	case j.find:
		return min(j.most(), allowed)
	}
	sent := 0
	for _, st := range j.steps {
		n := len(st.Slots)
		switch {
		case n <= allowed-sent:
			sent += n
		case st.Open:
			return allowed
		default:
			return sent
		}
	}
	return min(j.most(), allowed)
}

// checkBounds finds bounds under which nothing could be sent.
func (j *rampJob) checkBounds() error {
	if j.sendable() > 0 {
		return nil
	}
	first := 1
	if !j.steps[0].Open {
		first = len(j.steps[0].Slots)
	}
	if j.policy.MaxRequests > 0 && first > j.policy.MaxRequests {
		return usagef("--max-requests %d: nothing could be sent, the first stage is %s", j.policy.MaxRequests, plural(first, "request"))
	}
	return usagef("--budget %s: nothing could be sent, the first stage is %s of %s, %s together", amount(j.policy.Budget),
		plural(first, "request"), amount(j.policy.Cost), amount(float64(first)*j.policy.Cost))
}

// boundWords say what the bounds cut off, "" when they cut off nothing that is planned.
func (j *rampJob) boundWords() string {
	switch n := j.sendable(); {
	case j.held() && j.policy.Allowed() < maxPlanned:
		return fmt.Sprintf("once %s are sent, whatever is planned", plural(n, "request"))
	case j.find && n < j.most():
		return fmt.Sprintf("before a stage would make it more than %s", plural(n, "request"))
	case n < j.most() && !j.held():
		return fmt.Sprintf("after %d of these %s: the next would break a bound", n, plural(j.most(), "request"))
	}
	return ""
}

// maxPlanned is above what any plan can send; a bound above it is none.
const maxPlanned = 1 << 50

// costWords is the most that will be reserved.
func (j *rampJob) costWords() string {
	n, word := min(j.most(), j.sendable()), ""
	if j.held() {
		n, word = j.sendable(), "at most "
	}
	return fmt.Sprintf("%s%s x %s = %s of %s; stops before the budget could be broken", word,
		report.Thousands(int64(n)), amount(j.policy.Cost), amount(float64(n)*j.policy.Cost), amount(j.policy.Budget))
}
