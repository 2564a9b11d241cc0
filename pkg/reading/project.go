package reading

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// projection computes what an exchange would have taken for a user whose round trip to whoever
// answers the connection is longer. Only what is known to be spent in round trips grows: set-up by
// those of [TripsOf], wait by one, transfer by those that a body larger than the first flight needs
// in slow start. Looking up the name, work at either end and losses stay as they were.
type projection struct {
	rtt    time.Duration
	near   int // exchanges whose own round trip was longer already
	blind  int // exchanges whose round trip is unknown
	moved  int
	bodies int // exchanges whose transfer grew
	out    record.Exchange
}

// of returns ex as it would have been; the result holds until the next call.
func (p *projection) of(ex *record.Exchange) *record.Exchange {
	if ex.Outcome != record.OK {
		return ex
	}
	rtt, source := edgeRTT(ex)
	switch {
	case source == "":
		p.blind++
		return ex
	case rtt > p.rtt:
		p.near++
		return ex
	}
	p.moved++
	p.out = *ex
	p.stretch(p.rtt - rtt)
	return &p.out
}

// stretch adds further to every round trip of p.out.
func (p *projection) stretch(further time.Duration) {
	ex := &p.out
	trips, _ := TripsOf(ex)
	flights := transferTrips(ex)
	if flights > 0 {
		p.bodies++
	}
	for k, n := range map[segment.Key]int{
		segment.TCP: trips.TCP, segment.TLS: trips.TLS, segment.QUIC: trips.QUIC, segment.Wait: 1, segment.Transfer: flights,
	} {
		if d, ok := ex.Segments.Get(k); ok {
			ex.Segments.Set(k, d+time.Duration(n)*further)
			ex.Total += time.Duration(n) * further
		}
	}
	if s := ex.Stream; s != nil {
		moved, before := *s, time.Duration(trips.Sum()+1)*further
		moved.FirstEvent, moved.FirstText, moved.LastEvent = s.FirstEvent+before, s.FirstText+before, s.LastEvent+before
		ex.Stream = &moved
	}
	p.transport()
}

// transport gives the connection the round trip it is computed for, so that edge_rtt is that one.
func (p *projection) transport() {
	if p.out.QUIC != nil {
		q := *p.out.QUIC
		q.MinRTT = p.rtt
		p.out.QUIC = &q
	}
	tcp := record.TCP{}
	if p.out.TCP != nil {
		tcp = *p.out.TCP
	}
	tcp.MinRTT, tcp.ConnectRTT = p.rtt, p.rtt
	p.out.TCP = &tcp
}

// transferTrips is how many round trips a server waits for acknowledgements while it sends the body:
// none up to ten segments of 1460 bytes, one up to thirty, doubling each time (RFC 6928, RFC 5681
// section 3.1). An event stream paces itself.
func transferTrips(ex *record.Exchange) int {
	if ex.Stream != nil {
		return 0
	}
	n := 0
	for sent, window := int64(firstFlight), int64(firstFlight); sent < ex.Bytes.Wire; n++ {
		window *= 2
		sent += window
	}
	return n
}

// warnings are what a reader of the projected tables has to know.
func (p *projection) warnings() []string {
	var out []string
	if p.near > 0 {
		out = append(out, plural(p.near, "exchange had", "exchanges had")+" a longer round trip than the one projected and stand as measured")
	}
	if p.blind > 0 {
		out = append(out, plural(p.blind, "exchange has", "exchanges have")+" no known round trip and stand as measured")
	}
	return out
}
