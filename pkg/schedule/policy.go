package schedule

import (
	"errors"
	"math"
	"time"
)

// Defaults of a Policy.
const (
	DefaultAlike     = 3
	DefaultThrottled = 3
	DefaultMaxPause  = 60 * time.Second
	// UnaskedPause follows a 429 that does not say how long to wait.
	UnaskedPause = 5 * time.Second
	// RefusedRest is how long a hold's place stays empty after a throttled exchange that named no
	// Retry-After above 0: a place refilled at once would flood a service that says "not now".
	RefusedRest = time.Second
)

// ErrInterrupted is the cause of a Do's context when the user ended the run and its time to drain
// is over. What such a Do returns is the user's doing: its outcome should be invalid, not failed.
var ErrInterrupted = errors.New("interrupted")

// Policy says when to pause, to stop and to spend no more. The zero Policy holds the defaults.
type Policy struct {
	// KeepGoing leaves arms running that only fail. Otherwise an arm stops after DefaultAlike
	// consecutive failures that are alike, while none of its exchanges was ok, and at the first
	// fatal one.
	KeepGoing bool
	// Together stops every arm when one that is not Optional has stopped, once the round is over:
	// a comparison needs both, and each should have been looked at.
	Together bool
	// ThrottledIsResult takes a throttled exchange as a finding, as a ramp does. Otherwise each one
	// pauses the whole run for as long as it asked, and the run ends at the DefaultThrottled-th or
	// when one asks for more than MaxPause.
	ThrottledIsResult bool
	// MaxPause is the longest pause granted; 0 means DefaultMaxPause, negative none at all.
	MaxPause time.Duration
	// MaxRequests bounds what is sent, priming and requests after the load included; 0 is no bound.
	MaxRequests int
	// Cost is reserved for each request before it is sent, as long as Budget holds it; a Cost of 0
	// is no bound. Both are in the user's unit.
	Cost, Budget float64
	// Ceiling bounds what is under way at once in an open step; 0 means DefaultCeiling.
	Ceiling int
	// Drain is how long exchanges under way may go on once the run is cancelled: 0 cancels them at
	// once, negative lets them finish.
	Drain time.Duration
}

// Allowed is the number of requests the policy lets a run send, math.MaxInt when it sets no bound.
// Health polls are not among them.
func (p Policy) Allowed() int {
	n := math.MaxInt
	if p.MaxRequests > 0 {
		n = p.MaxRequests
	}
	if p.Cost > 0 {
		n = min(n, affordable(p.Budget, p.Cost))
	}
	return n
}

// affordable is the largest n with n*cost <= budget, in the arithmetic the user would check it with:
// 0.3 buys three times 0.1.
func affordable(budget, cost float64) int {
	const grain = 1e-9
	n := math.Floor(budget/cost*(1+grain) + grain)
	if !(n > 0) {
		return 0
	}
	return int(min(n, 1<<53))
}

func (p Policy) maxPause() time.Duration {
	switch {
	case p.MaxPause == 0:
		return DefaultMaxPause
	case p.MaxPause < 0:
		return 0
	}
	return p.MaxPause
}

func (p Policy) ceiling() int {
	if p.Ceiling <= 0 {
		return DefaultCeiling
	}
	return p.Ceiling
}
