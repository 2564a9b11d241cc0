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
	cause := NoAnswer{
		Address: s.address(), Segment: s.fail.Segment, Count: s.fail.N, Of: s.arm.Counts.Done(), Each: each, Part: s.part(),
	}
	if cause.Segment == segment.TLS && cause.Part == TheProxy {
		cause.Address, cause.Part = s.host(), ThroughProxy
	}
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
	return Refused{Address: s.address(), Count: s.fail.N, Of: s.arm.Counts.Done(), After: after, Lo: lo, Hi: hi, Part: s.part()}
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
	return NoRoute{Address: s.address(), Family: family, Count: s.fail.N, Of: s.arm.Counts.Done(), Part: s.part()}
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

// noAddress is a look-up that brought nothing, told under the name that was looked up.
func (s *scene) noAddress() Cause {
	if s.fail.Segment != segment.DNS || s.example().DNS == nil {
		return nil
	}
	name, part := s.host(), Part("")
	if looked := s.example().DNS.Name; looked != "" {
		name, part = looked, s.part()
	}
	n, of, answer := s.fail.N, s.arm.Counts.Done(), answerWords(s.fail)
	switch answer {
	case "no such name", "no address":
		return NoAddress{
			Host: name, Count: n, Of: of, Resolver: s.resolver(), Answer: answer, Family: s.arm.Route.Family, Part: part,
		}
	case unknownAnswer:
		return nil
	}
	return NoResolver{Resolver: s.resolver(), Host: name, Count: n, Of: of, Answer: answer}
}

// part is whom this machine connects to when it is not the URL's host.
func (s *scene) part() Part {
	switch route := s.arm.Route; {
	case route.Proxy != "":
		return TheProxy
	case route.Via != "":
		return TheVia
	}
	return ""
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
