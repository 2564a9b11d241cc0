package segment

import "time"

// Timeline turns the boundaries of one exchange into a [Split] that obeys the tiling law.
//
// Boundaries are monotonic offsets from the exchange's start. Each call of [Timeline.End] closes
// the segment under way at a boundary; the next one starts there. A boundary earlier than the one
// before it is moved to that one, so no segment is negative and none overlaps.
//
// The zero Timeline starts at offset 0. It is not safe for concurrent use.
type Timeline struct {
	split Split
	last  time.Duration
}

// End closes segment k at offset at. Closing the same key twice adds up.
func (t *Timeline) End(k Key, at time.Duration) {
	at = max(at, t.last)
	d, _ := t.split.Get(k)
	t.split.Set(k, d+at-t.last)
	t.last = at
}

// At is the offset of the latest boundary.
func (t *Timeline) At() time.Duration { return t.last }

// Split returns the segments closed so far; they sum exactly to At.
func (t *Timeline) Split() Split { return t.split }
