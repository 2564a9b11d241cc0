package diagnosis

import (
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// noAnswer is silence until the time was up, before there was a connection or while one was secured.
func (s *scene) noAnswer() Cause {
	if !s.is(record.ClassTimeout, segment.TCP) && !s.is(record.ClassTimeout, segment.TLS) {
		return nil
	}
	each, _, _ := s.took()
	cause := NoAnswer{Address: s.address(), Segment: s.fail.Segment, Count: s.fail.N, Of: s.arm.Counts.Done(), Each: each}
	if tcp := s.example().TCP; tcp != nil && tcp.TotalRetrans > 0 {
		cause.SYNs = tcp.TotalRetrans + 1
	}
	return cause
}

func (s *scene) refused() Cause {
	if !s.is(record.ClassReset, segment.TCP) {
		return nil
	}
	after, lo, hi := s.took()
	return Refused{Address: s.address(), Count: s.fail.N, Of: s.arm.Counts.Done(), After: after, Lo: lo, Hi: hi}
}

// noQUIC is silence on the way of h3. A datagram that came back would have left a round trip in the
// record.
func (s *scene) noQUIC() Cause {
	if !s.is(record.ClassTimeout, segment.QUIC) {
		return nil
	}
	if q := s.example().QUIC; q != nil && q.MinRTT > 0 {
		return nil
	}
	each, _, _ := s.took()
	return NoQUIC{
		Address: s.address(), Count: s.fail.N, Of: s.arm.Counts.Done(), Each: each, TCPOpen: s.tcpOpen(),
	}
}

// tcpOpen tells whether another route of the run reached the same address and port over TCP.
func (s *scene) tcpOpen() bool {
	for _, other := range s.set.Arms {
		ex := other.Example()
		if ex == nil || ex.Protocol == "h3" {
			continue
		}
		same := func(a record.Attempt) bool { return a.Addr == ex.Remote }
		if slices.ContainsFunc(s.example().Attempts, same) {
			return true
		}
	}
	return false
}

// atOnce is how quickly a machine says by itself that it has no route; what takes longer may be the
// network's word.
const atOnce = 5 * time.Millisecond

func (s *scene) noRoute() Cause {
	if s.fail.Class != record.ClassConnect && s.fail.Class != record.ClassQUIC || len(s.example().Attempts) == 0 {
		return nil
	}
	if p50, _, _ := s.took(); p50 > atOnce || !unreachable(s.fail.Text) {
		return nil
	}
	first := s.example().Attempts[0].Addr
	family := 4
	if strings.HasPrefix(first, "[") {
		family = 6
	}
	return NoRoute{Address: s.address(), Family: family, Count: s.fail.N, Of: s.arm.Counts.Done()}
}

// unreachable knows the words systems have for a missing route.
func unreachable(text string) bool {
	for _, words := range []string{
		"network is unreachable", "no route to host", "unreachable network", "unreachable host",
		"cannot assign requested address", "address family not supported",
	} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// noAddress is a look-up that brought nothing.
func (s *scene) noAddress() Cause {
	if s.fail.Segment != segment.DNS {
		return nil
	}
	cause := NoAddress{
		Host: s.host(), Count: s.fail.N, Of: s.arm.Counts.Done(), Resolver: s.resolver(), Answer: answerWords(s.fail),
	}
	return cause
}

func (s *scene) resolver() string {
	if dns := s.example().DNS; dns != nil && dns.Server != "" {
		return dns.Server
	}
	if s.arm.Route.Resolver != "" {
		return s.arm.Route.Resolver
	}
	return s.set.Run.Resolver
}
