package geo

import "time"

// What light covers while a round trip takes 1 ms, in km of one-way distance.
const (
	// VacuumKMPerMS is half the speed of light in vacuum, 299,792.458 km/s
	// (SI definition). Nothing is faster.
	VacuumKMPerMS = 299_792.458 / 1000 / 2
	// FibreKMPerMS is the same in glass of group index 1.468, that of standard
	// single-mode fibre at 1550 nm: 102.1 km. Microwave, hollow-core fibre and
	// laser links in orbit beat it.
	FibreKMPerMS = VacuumKMPerMS / fibreIndex
	// UsualKMPerMS is FibreKMPerMS over the path stretch usual on the public
	// Internet: 48.6 km. A rule of thumb, not a bound.
	UsualKMPerMS = FibreKMPerMS / PathStretch

	fibreIndex = 1.468
)

// PathStretch is the usual ratio of a measured round trip to the time light
// needs in fibre along the great circle (Bozkurt et al. 2018, "Dissecting
// Latency in the Internet's Fiber Infrastructure").
const PathStretch = 2.1

// LeastRTTInVacuum returns the round trip below which nothing can have gone
// km kilometres and come back: impossible, not merely unlikely. Rounded down
// to the nanosecond; 0 for a distance of 0 or less.
func LeastRTTInVacuum(km float64) time.Duration { return roundTrip(km, VacuumKMPerMS) }

// LeastRTTInFibre returns the least round trip over km kilometres of straight
// fibre. A shorter one is implausible, but possible by a faster medium.
func LeastRTTInFibre(km float64) time.Duration { return roundTrip(km, FibreKMPerMS) }

// UsualRTT returns the round trip usual over km kilometres of great circle:
// fibre with [PathStretch]. An estimate; routes from 1.3 to well over 3 times
// the fibre's time exist.
func UsualRTT(km float64) time.Duration { return roundTrip(km, UsualKMPerMS) }

// FarthestInVacuum returns the distance in km beyond which nothing can answer
// within rtt; 0 for an rtt of 0 or less.
func FarthestInVacuum(rtt time.Duration) float64 { return reach(rtt, VacuumKMPerMS) }

// FarthestInFibre returns the distance in km that light in straight fibre
// covers within rtt: the farthest plausible place.
func FarthestInFibre(rtt time.Duration) float64 { return reach(rtt, FibreKMPerMS) }

// UsualKM returns the distance in km at which rtt would be usual. An
// estimate: what answers can stand anywhere from 0 to FarthestInVacuum.
func UsualKM(rtt time.Duration) float64 { return reach(rtt, UsualKMPerMS) }

func roundTrip(km, perMS float64) time.Duration {
	return time.Duration(max(0, km) / perMS * float64(time.Millisecond))
}

func reach(rtt time.Duration, perMS float64) float64 {
	return float64(max(0, rtt)) / float64(time.Millisecond) * perMS
}

// Fit says whether a round trip allows a distance.
type Fit int

const (
	// Fits: light in fibre has the time. Says nothing about where things are.
	Fits Fit = iota
	// Implausible: shorter than light needs in fibre, longer than in vacuum.
	Implausible
	// Impossible: shorter than light needs in vacuum.
	Impossible
)

// String returns "fits", "implausible" or "impossible".
func (f Fit) String() string {
	switch f {
	case Implausible:
		return "implausible"
	case Impossible:
		return "impossible"
	}
	return "fits"
}

// Allows holds rtt, which must be a whole round trip or more, against the
// distance km, which should be LeastKM of the two places. Time spent working
// at the far end only loosens the bound, so a wait of any make may be given.
func Allows(rtt time.Duration, km float64) Fit {
	switch {
	case km > FarthestInVacuum(rtt):
		return Impossible
	case km > FarthestInFibre(rtt):
		return Implausible
	}
	return Fits
}
