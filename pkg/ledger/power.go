package ledger

import (
	"math"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// Needed is how many requests an arm would find a change of a given size in 80 % of runs.
type Needed struct {
	Detect int64 // nanoseconds
	N      int   // per arm, rounded up to tens: a pilot cannot tell better
}

// needed plans for the change seen and for half of it, never below what nobody notices. What the
// run already has enough requests for is left out.
func needed(c stats.Change, delta int64) []Needed {
	widest := max(max(c.Hi, -c.Hi), max(c.Lo, -c.Lo))
	var out []Needed
	for _, detect := range []int64{max(widest, delta), max(widest*3/5, delta)} {
		n, ok := NeededFor(c, detect)
		switch {
		case !ok || n <= min(c.Before.N, c.After.N):
		case len(out) > 0 && out[0].N == n: // as many find the smaller change as well
			out[0].Detect = detect
		default:
			out = append(out, Needed{Detect: detect, N: n})
		}
	}
	return out
}

// NeededFor is how many requests an arm find a change of detect nanoseconds, given what c shows of
// the spread; false when c has no interval to tell.
func NeededFor(c stats.Change, detect int64) (int, bool) {
	before, okB := stats.Tau(c.Before)
	after, okA := stats.Tau(c.After)
	if !okB || !okA || detect <= 0 {
		return 0, false
	}
	return perArm(math.Sqrt((before*before+after*after)/2), detect, c.Rho), true
}

func perArm(tau float64, detect int64, rho float64) int {
	return tens(float64(stats.PerSide(tau, detect)) * (1 - rho))
}

// tens rounds up to tens, 10 at least.
func tens(n float64) int { return max(10, int(math.Ceil(min(n, 1e9)/10))*10) }

// Size is how many requests an arm a question takes, as far as a pilot can tell.
type Size struct {
	Pilot     int     // ok exchanges the answer rests on, of the smaller arm
	P50       int64   // of the pilot, nanoseconds; the larger one of two arms
	Tau       float64 // scale of the p50's sampling error, nanoseconds
	Rho       float64 // of pairs; 0 for one arm
	Known     bool    // the pilot's p50 has limits; without, PerArm is 0
	Detect    int64   // nanoseconds
	PerArm    int     // requests an arm that find Detect in 80 % of runs; "about"
	Least     int     // requests below which a pilot tells nothing: 6
	Exists    []Exists
	Doubtable float64 // the pilot's luck may move PerArm by this factor either way
}

// Exists is from how many requests on a percentile is one.
type Exists struct {
	Percentile stats.Percentile
	Useful     int // no longer the fastest or the slowest request
	Limits     int // has both limits
}

// PlanSize plans from a pilot of one arm that a change of detect nanoseconds of its p50 be found.
func PlanSize(pilot *reading.Arm, detect int64) Size {
	totals := stats.Sorted(pilot.Totals())
	p50 := stats.IntervalOf(totals, stats.P50)
	s := newSize(len(totals), p50.Value, detect)
	serial := stats.Correlation(pilot.Totals(), p50.Value)
	if s.Tau, s.Known = stats.Tau(p50); s.Known {
		s.Tau *= math.Sqrt(serial.VIF)
		s.PerArm = perArm(s.Tau, detect, 0)
	}
	return s
}

// PlanFrom plans from a comparison as the pilot.
func PlanFrom(c *Comparison, detect int64) Size {
	n := min(c.Total.Before.N, c.Total.After.N)
	s := newSize(n, max(c.Total.Before.Value, c.Total.After.Value), detect)
	s.Rho = c.Total.Rho
	s.PerArm, s.Known = NeededFor(c.Total, detect)
	before, _ := stats.Tau(c.Total.Before)
	after, _ := stats.Tau(c.Total.After)
	s.Tau = math.Sqrt((before*before + after*after) / 2)
	return s
}

func newSize(pilot int, p50, detect int64) Size {
	s := Size{Pilot: pilot, P50: p50, Detect: detect, Least: stats.P50.IntervalFrom(), Doubtable: luck(pilot)}
	for _, p := range summary.Percentiles {
		s.Exists = append(s.Exists, Exists{Percentile: p, Useful: p.UsefulFrom(), Limits: p.IntervalFrom()})
	}
	return s
}

// luck is the factor by which a pilot of n mistakes the size in 8 of 10 cases, by simulation.
func luck(n int) float64 {
	switch {
	case n >= 100:
		return 1.7
	case n >= 25:
		return 2.2
	}
	return 4.7
}
