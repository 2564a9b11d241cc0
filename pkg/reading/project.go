package reading

import (
	"strconv"
	"strings"
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
	blind  int // exchanges whose round trip is unknown and was for all before them
	moved  int
	bodies int                      // exchanges whose transfer grew
	last   map[string]time.Duration // the round trip of a route's exchange before
	out    record.Exchange
}

// of returns ex as it would have been; the result holds until the next call. An exchange that does
// not tell its round trip, such as one whose SYN was lost, is taken to have that of the one before.
func (p *projection) of(ex *record.Exchange) *record.Exchange {
	if ex.Outcome != record.OK {
		return ex
	}
	rtt, source := edgeRTT(ex)
	if source == "" {
		rtt = p.last[ex.Route]
	}
	switch {
	case rtt == 0:
		p.blind++
		return ex
	case rtt > p.rtt:
		p.near++
		return ex
	}
	p.moved++
	p.last[strings.Clone(ex.Route)] = rtt
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
		out = append(out, exchanges(p.near)+" not projected: the round trip measured is longer already.")
	}
	if p.blind > 0 {
		out = append(out, exchanges(p.blind)+" not projected: the round trip is not known.")
	}
	return out
}

func exchanges(n int) string {
	if n == 1 {
		return "1 exchange is"
	}
	return strconv.Itoa(n) + " exchanges are"
}
