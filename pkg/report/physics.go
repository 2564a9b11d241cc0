package report

import (
	"math"
	"strconv"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// leastRTT is the smallest round trip of an arm's exchanges, 0 when none is known.
func leastRTT(a *reading.Arm) time.Duration {
	if values := a.Column(segment.WaitEdgeRTT).Present(); len(values) > 0 {
		return time.Duration(stats.Sorted(values)[0])
	}
	return 0
}

// kilometres is a distance that bounds: two digits are all a round trip can tell, rounded up so
// that a bound stays one.
func kilometres(km float64) string {
	if km < 10 {
		return "10 km"
	}
	unit := math.Pow(10, math.Floor(math.Log10(km))-1)
	return thousands(int64(math.Ceil(km/unit)*unit)) + " km"
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
