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
	switch {
	case hold == 0 || s.Cut && s.Counts.Throttled > 0:
		return 0
	case s.Cut:
		return s.Took
	}
	return max(s.Took, hold)
}

// cut reports whether the run was stopped, or its file cut off, before s had lasted as planned. Only the
// latest stage can be: an earlier one that took less had its workers resting.
func (b *Builder) cut(s *Stage) bool {
	stopped := b.ramp.End.Stop != ""
	if s.Open {
		return stopped && s.Counts.NotSent > 0
	}
	latest := s.Index == slices.Max(slices.Collect(maps.Keys(b.rows)))
	return (stopped || !b.ramp.Complete) && latest && s.Took < b.ramp.Plan.Hold
}
