package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// causeOf says why one request was slow, as far as anything observed tells. The facts that speak of
// the dominant segment come first.
func causeOf(slow summary.Slow) string {
	out := observedCauses(slow)
	if slow.Marks&reading.First != 0 {
		out = append([]string{firstText(slow)}, out...)
	}
	return strings.Join(out, " ")
}

// maybeCold reports whether something behind the connection may not have been warm yet: nothing
// observed explains a slow first exchange, and the time went where that would show.
func maybeCold(slow summary.Slow) bool {
	return len(observedCauses(slow)) == 0 && behindTheConnection(slow.Segment)
}

// wasNot is how sure that is: said outright only of a part behind the edge that left what is usual for
// it; anything else may have had another cause that nobody saw.
func wasNot(slow summary.Slow) string {
	if slow.Beyond && behindTheEdge(slow.Segment) {
		return "was not"
	}
	return "may not have been"
}

// observedCauses are what was seen to happen, a sentence each.
func observedCauses(slow summary.Slow) []string {
	var out []string
	if text := connectCause(slow); text != "" {
		out = append(out, text)
	}
	for _, c := range causes {
		if slow.Marks&c.mark != 0 && c.of(slow.Segment) {
			out = append(out, c.text)
		}
	}
	if slow.Resembles == summary.RTO {
		out = append(out, "The excess is about one retransmission timeout.")
	}
	if slow.Marks&reading.Busy != 0 {
		out = append(out, "This machine was busy: it ran up to "+InWords(slow.Late)+" late.")
	}
	return out
}

func connectCause(slow summary.Slow) string {
	took := time.Duration(slow.Above).Round(time.Second)
	switch {
	case slow.Marks&reading.SYNLost != 0:
		return synText(slow.Resent, took)
	case slow.Resembles == summary.SYNTimeout:
		return "As long as a lost SYN takes: about " + InWords(took) + "."
	case slow.Resembles == summary.StubRetry:
		return "As long as a resolver waits before it asks again: about " + InWords(took) + "."
	}
	return ""
}

// synText counts what was sent again. Several can be one SYN's doubling timeouts or other segments as
// well: the kernel counts them together.
func synText(resent int, took time.Duration) string {
	if resent > 1 {
		return fmt.Sprintf("A SYN was lost: %d segments were sent again, %s in all.", resent, InWords(took))
	}
	return "One SYN was lost and sent again after " + InWords(took) + "."
}

// firstText says what being first may have cost: what was not warm yet is a cause only where it would
// show, and when nothing observed explains the time better.
func firstText(slow summary.Slow) string {
	switch {
	case len(observedCauses(slow)) > 0:
		return "First request of the run."
	case !behindTheConnection(slow.Segment):
		return "First request of the run, cause unknown."
	case slow.Segment == segment.DNS:
		return "First request of the run: the resolver's cache may have been cold. A real first visitor may get this one."
	}
	return "First request of the run: something behind the edge " + wasNot(slow) + " warm. A real first visitor may get this one."
}

// behindTheEdge reports whether k is what happens after the edge has the request, and nothing else.
func behindTheEdge(k segment.Key) bool {
	return behindTheConnection(k) && k != segment.DNS && k != segment.Wait
}

// behindTheConnection reports whether what stays warm behind a cold connection shows in k: the
// resolver's cache, the edge's pool, the function. Of wait the round trip to the edge is none of it.
func behindTheConnection(k segment.Key) bool {
	switch k {
	case segment.DNS, segment.Wait, segment.WaitPreForward, segment.WaitUpstream, segment.WaitUpstreamNetwork,
		segment.WaitUpstreamOrigin, segment.WaitUnattributed:
		return true
	}
	return false
}

// causes are marks that explain one kind of segment.
var causes = []struct {
	mark reading.Mark
	of   func(segment.Key) bool
	text string
}{
	{reading.RaceLost, is(segment.Race), "An earlier address did not answer; the next was tried after 250 ms."},
	{reading.SlowAAAA, is(segment.DNS), "The AAAA answer came long after the A answer, and both are waited for."},
	{reading.SlowA, is(segment.DNS), "The A answer came long after the AAAA answer, and both are waited for."},
	{reading.TLS12, is(segment.TLS), "TLS 1.2: two round trips."},
	{reading.HelloRetry, is(segment.TLS, segment.QUIC), "HelloRetryRequest: one more round trip."},
	{reading.BigChain, is(segment.TLS), "The certificate chain does not fit the first flight: one more round trip."},
	{reading.QUICRetry, is(segment.QUIC), "QUIC Retry: one more round trip."},
	{reading.QUICVersion, is(segment.QUIC), "QUIC Version Negotiation: one more round trip."},
	{reading.QUICStall, is(segment.QUIC), "The server hit the anti-amplification limit: one more round trip."},
	{reading.QUICProbe, anySegment, "A QUIC probe timeout fired: a packet at the end of a flight was not acknowledged in time."},
	{reading.QUICLoss, anySegment, "QUIC packets were lost."},
	{reading.Retransmit, anySegment, "The kernel sent a segment again."},
}

func is(keys ...segment.Key) func(segment.Key) bool {
	return func(k segment.Key) bool {
		for _, want := range keys {
			if k == want {
				return true
			}
		}
		return false
	}
}

func anySegment(segment.Key) bool { return true }
