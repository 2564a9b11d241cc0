package summary

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Signature names a pattern an excess fits. It is not a proof.
type Signature uint8

// The signatures.
const (
	Unknown    Signature = iota
	SYNTimeout           // tcp: 1, 2, 3, 4, 5 or 7 s (RFC 6298; linear first timeouts since Linux 6.5)
	RTO                  // about 200 ms plus a round trip, and its doublings (Linux's floor)
	StubRetry            // dns: 5 s steps of a stub resolver, 1 s of some
	Attempt              // race: 250 ms, the next attempt of Happy Eyeballs (RFC 8305 section 5)
)

// least is the tolerance of a pattern when the round trip is shorter.
const least = 25 * time.Millisecond

var (
	synSteps  = []time.Duration{1 * time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second, 7 * time.Second}
	rtoSteps  = []time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond}
	stubSteps = []time.Duration{1 * time.Second, 5 * time.Second, 10 * time.Second}
)

// signature matches the excess of the dominant line against what retransmission timers leave; rtt
// is the arm's round trip in nanoseconds, 0 when unknown.
func signature(s Slow, rtt int64) Signature {
	above, trip := time.Duration(s.Above), time.Duration(rtt)
	tolerance := max(least, trip)
	near := func(steps []time.Duration, more time.Duration) bool {
		for _, step := range steps {
			if above > step-tolerance && above < step+more+tolerance {
				return true
			}
		}
		return false
	}
	switch s.Segment {
	case segment.TCP:
		if s.Marks&reading.SYNLost != 0 || near(synSteps, 0) {
			return SYNTimeout
		}
	case segment.DNS:
		if near(stubSteps, 0) {
			return StubRetry
		}
	case segment.Race:
		return Attempt
	case segment.TLS, segment.Wait, segment.WaitEdgeRTT, segment.Transfer, segment.WaitUpstream, segment.WaitUpstreamNetwork, segment.WaitUnattributed:
		if s.Marks&reading.Retransmit != 0 && near(rtoSteps, trip) {
			return RTO
		}
	}
	return Unknown
}
