package load

import (
	"maps"
	"slices"
	"time"
)

// okRate is how many a held stage accepted a second. One burst has no rate: what it took is its slowest
// exchange.
func (b *Builder) okRate(s *Stage) (rate float64, ok bool) {
	lasted := b.lasted(s)
	if lasted <= 0 {
		return 0, false
	}
	return float64(s.Counts.OK) / lasted.Seconds(), true
}

// lasted is how long a stage was kept up, 0 when it was not to be or nobody knows. A worker that was
// throttled rests to the end of the hold, so that the last exchange may end long before it.
func (b *Builder) lasted(s *Stage) time.Duration {
	hold := b.ramp.Plan.Hold
	stopped := b.ramp.End.Stop != "" || !b.ramp.Complete
	cut := stopped && s.Index == slices.Max(slices.Collect(maps.Keys(b.rows)))
	switch {
	case hold == 0:
		return 0
	case s.Took >= hold || cut && s.Counts.Throttled == 0:
		return s.Took
	case cut:
		return 0
	}
	return hold
}
