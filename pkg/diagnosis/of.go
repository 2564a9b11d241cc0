package diagnosis

import (
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Of returns the cause of an arm without an ok exchange, nil when there is none to tell: the arm has
// rows, its failures differ, or they fit no story.
func Of(set *reading.Set, a *reading.Arm) Cause {
	if a.N() > 0 || len(a.Failures) != 1 || a.Counts.Failed != a.Counts.Done() {
		return nil
	}
	c := scene{set: set, arm: a, fail: &a.Failures[0]}
	for _, story := range []func(*scene) Cause{
		(*scene).impostor, (*scene).noAddress, (*scene).noRoute, (*scene).refused, (*scene).noQUIC,
		(*scene).noAnswer, (*scene).wrongCertificate, (*scene).blocked,
	} {
		if cause := story(&c); cause != nil {
			return cause
		}
	}
	return nil
}

// scene is one arm's way to fail and the run around it.
type scene struct {
	set  *reading.Set
	arm  *reading.Arm
	fail *reading.Failure
}

func (s *scene) example() *record.Exchange { return &s.fail.Example }

// is tells whether every failure was of this class in this segment.
func (s *scene) is(class record.Class, k segment.Key) bool {
	return s.fail.Class == class && s.fail.Segment == k
}

// took is the p50 of the time the failures spent in their segment, with the fastest and the slowest.
func (s *scene) took() (p50, lo, hi time.Duration) {
	sorted := make([]int64, len(s.fail.In))
	for i, d := range s.fail.In {
		sorted[i] = int64(d)
	}
	sorted = stats.Sorted(sorted)
	return time.Duration(stats.QuantileOf(sorted, stats.P50).Value),
		time.Duration(sorted[0]), time.Duration(sorted[len(sorted)-1])
}

func (s *scene) host() string {
	_, rest, found := strings.Cut(s.arm.Route.URL, "://")
	if !found {
		rest = s.arm.Route.URL
	}
	authority, _, _ := strings.Cut(rest, "/")
	if host, _, err := net.SplitHostPort(authority); err == nil {
		return host
	}
	return strings.Trim(authority, "[]")
}

// address is the peer, or what was dialled in vain.
func (s *scene) address() string {
	ex := s.example()
	if ex.Remote != "" {
		return ex.Remote
	}
	switch n := len(ex.Attempts); n {
	case 0:
		return s.host()
	case 1:
		return ex.Attempts[0].Addr
	default:
		return fmt.Sprintf("%s and %d more", ex.Attempts[0].Addr, n-1)
	}
}
