package main

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// drain is how long an exchange under way may go on after Ctrl-C.
const drain = time.Second

// pairsPlan is the plan of probe and compare: one exchange at a time, arms interleaved.
func pairsPlan(arms []arm, r *runFlags) (schedule.Pairs, schedule.Policy) {
	pairs := schedule.Pairs{
		Seed: r.seed, Interval: time.Duration(r.interval), Jitter: schedule.DefaultJitter, Spread: time.Duration(r.spread),
	}
	for _, a := range arms {
		pairs.Arms = append(pairs.Arms, schedule.Arm{
			Name: a.route.Name, N: r.n, Requests: requestsOf(a), Optional: a.route.Role == "control",
		})
	}
	policy := schedule.Policy{KeepGoing: r.keepGoing, MaxPause: time.Duration(r.maxPause), Drain: drain}
	if r.maxPause == 0 {
		policy.MaxPause = -1
	}
	return pairs, policy
}

// requestsOf is how many requests one exchange takes: the other states need a priming one.
func requestsOf(a arm) int {
	if a.target.State == probe.Cold {
		return 1
	}
	return 2
}
