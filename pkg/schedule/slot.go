package schedule

import "time"

// Arm is one route, protocol or state that exchanges are sent over.
type Arm struct {
	Name     string // for messages only
	N        int    // exchanges asked for; used by Pairs
	Requests int    // requests one exchange takes, priming included: 2 for state resumed; 0 means 1
	Optional bool   // the others go on without it even when they stop together: a control, a health URL
}

// Role says what a slot is for.
type Role uint8

// The roles.
const (
	Measured  Role = iota // what the user asked for
	Health                // a poll beside the load
	Afterward             // a single request once the load is gone
)

// Slot is one exchange to be sent. A planned slot is a plain value: two plans are equal when their
// slots are.
type Slot struct {
	Arm      int // index of the arm
	Pair     int // the round
	Stage    int // index of the stage, from 0; NoStage outside of any
	Worker   int // which of the stage's parallel workers; each sends one at a time
	Template int // index of the request template
	Role     Role
	Intended time.Duration // open arrival: planned start, from the step's start

	// Set when the slot is sent.
	Seq   int           // send order over the whole run, from 0
	First bool          // the first exchange of its arm
	Late  time.Duration // open arrival: actual start minus intended, never negative

	ticket *ticket
}

// NoStage is the Stage of a slot that belongs to none.
const NoStage = -1

// Release waits until every slot of the same burst is as far, and returns the instant at which all
// were let go; a start skew counts from there. A Do calls it when everything is prepared, right
// before its first packet. Outside of a burst, and called again, it returns at once. A Do that never
// calls it does not hold the others up beyond its return.
func (s Slot) Release() time.Time {
	if s.ticket == nil {
		return time.Now()
	}
	return s.ticket.release()
}

// Step is a set of slots sent together. A step begins when the one before is over, [Step.After] has
// passed since that one began and [Step.Gap] since it ended, whichever is last.
type Step struct {
	Slots []Slot        // several leave behind one barrier
	After time.Duration // since the step before began
	Gap   time.Duration // since the step before ended
	Hold  time.Duration // each slot's worker sends on, one after the other, until this long after the start; a throttled one waits its Retry-After
	Mix   Mix           // templates of what a hold sends after its first slots
	Open  bool          // each slot starts at its Intended, whether others have finished or not
}

// Size says what a list of steps will send.
type Size struct {
	Slots    int           // exchanges; what a hold sends beyond its first ones is not among them
	Held     bool          // some step holds, so that more than Slots will be sent
	Parallel int           // the most that can be under way at once; for open arrival the policy's ceiling decides
	Open     bool          // some step is open
	Waits    time.Duration // planned waiting: the run takes at least this long
}

// SizeOf adds up steps, for a summary before anything is sent.
func SizeOf(steps []Step) Size {
	var s Size
	for i, st := range steps {
		s.Slots += len(st.Slots)
		s.Held = s.Held || st.Hold > 0
		s.Open = s.Open || st.Open
		if !st.Open {
			s.Parallel = max(s.Parallel, len(st.Slots))
		}
		if i > 0 {
			s.Waits += max(st.After, st.Gap)
		}
		s.Waits += st.length()
	}
	return s
}

func (st Step) length() time.Duration {
	if st.Open && len(st.Slots) > 0 {
		return st.Slots[len(st.Slots)-1].Intended
	}
	return st.Hold
}
