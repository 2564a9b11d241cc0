package schedule

import "time"

// Order is how the arms of a round follow each other.
type Order string

// The orders; the words stand in a run file.
const (
	RandomPairs Order = "random-pairs" // each round is a random permutation of the arms
	Sequential  Order = "sequential"   // all of the first arm, then all of the second
)

// DefaultJitter is the fraction of the interval by which starts wander, so that a run does not
// beat in step with a periodic load.
const DefaultJitter = 0.25

// Pairs plans n exchanges per arm, one at a time: in every round each arm that still has some left
// comes once. Who comes first in a round is drawn, the first round included, so no arm owns the
// run's first exchange.
type Pairs struct {
	Arms     []Arm
	Order    Order // "" means RandomPairs
	Seed     uint64
	Interval time.Duration // between two starts
	Jitter   float64       // starts are Interval*(1-Jitter) to Interval*(1+Jitter) apart; 0 to 1
	Spread   time.Duration // instead of Interval: all slots evenly over this time, each somewhere in its share
}

// Steps returns one step per exchange. The same Pairs always gives the same steps.
func (p Pairs) Steps() []Step {
	rounds := 0
	for _, a := range p.Arms {
		rounds = max(rounds, a.N)
	}
	slots := p.slots(0, rounds, func(arm, round int) bool { return round < p.Arms[arm].N })
	return p.pace(slots, 0)
}

// More returns n further rounds of every arm, the first being round from: a run of from rounds
// extended by More is the run of from+n rounds, except that a Spread is taken anew for them.
func (p Pairs) More(from, n int) []Step {
	slots := p.slots(from, from+n, func(int, int) bool { return true })
	return p.pace(slots, from*len(p.Arms))
}

func (p Pairs) slots(from, to int, wanted func(arm, round int) bool) []Slot {
	var slots []Slot
	add := func(arm, round int) {
		if wanted(arm, round) {
			slots = append(slots, Slot{Arm: arm, Pair: round, Stage: NoStage})
		}
	}
	if p.Order == Sequential {
		for arm := range p.Arms {
			for round := from; round < to; round++ {
				add(arm, round)
			}
		}
		return slots
	}
	for round := from; round < to; round++ {
		for _, arm := range stream(p.Seed, forOrder, round).Perm(len(p.Arms)) {
			add(arm, round)
		}
	}
	return slots
}

// pace puts each slot into a step of its own. The first step of a run is not waited for; position
// counts the slots sent before, for the jitter's sake.
func (p Pairs) pace(slots []Slot, position int) []Step {
	steps := make([]Step, len(slots))
	for i, s := range slots {
		steps[i] = Step{Slots: []Slot{s}, After: p.gap(position+i, len(slots))}
	}
	return steps
}

func (p Pairs) gap(i, n int) time.Duration {
	if p.Spread > 0 {
		return p.shareOf(i, n) - p.shareOf(i-1, n)
	}
	u := 2*stream(p.Seed, forJitter, i).Float64() - 1
	return p.Interval + time.Duration(u*p.Jitter*float64(p.Interval))
}

// shareOf is where in the spread slot i starts: somewhere in the i-th of n equal shares. Waiting
// between two starts stays positive, since the shares do not overlap.
func (p Pairs) shareOf(i, n int) time.Duration {
	share := float64(p.Spread) / float64(n)
	u := 0.5 + p.Jitter*(stream(p.Seed, forJitter, i).Float64()-0.5)
	return time.Duration((float64(i) + u) * share)
}
