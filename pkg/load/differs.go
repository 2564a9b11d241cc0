package load

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// leastCompared is how many accepted exchanges each of two stages needs before their p50 is compared:
// below, a single one decides it.
const leastCompared = 5

// Differs reports whether what the accepted of s took differs from those of o beyond chance
// (Mann-Whitney, p below 0.05) and by more than nobody notices. Fewer than five on either side never
// differ.
func (s *Stage) Differs(o *Stage, k segment.Key) bool {
	mine, others := s.values(k), o.values(k)
	if min(len(mine), len(others)) < leastCompared || stats.MannWhitney(others, mine).P >= 0.05 {
		return false
	}
	a, b := s.Figure(k).P50.Value, o.Figure(k).P50.Value
	return time.Duration(max(a-b, b-a)) > unnoticed(a, b)
}
