// Package schedule knows which exchange comes next and when: interleaving, pacing, stages behind a
// barrier, open arrival, budgets, and when to pause or stop for the sake of the service asked.
//
// Planning is pure: [Pairs] and [Ramp] turn what the user asked for into a list of [Step] values.
// Doing is apart: a [Runner] walks through steps, calls a [Do] for each slot and hands every result
// to a [Sink]. All waiting goes through package time, so that a test under testing/synctest sees
// exact instants.
//
// It refuses to know how an exchange is made, what is in it beyond its outcome, and where it is
// stored. It never sends a slot twice.
//
// The rule a caller must hold: one Do call is one exchange asked for, plus what its state needs
// before it, and a Do returns when its context ends.
package schedule
