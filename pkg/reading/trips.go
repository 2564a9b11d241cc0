package reading

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Trips is how many round trips the set-up of a connection spent on the network, by what the
// protocols need; work at either end and lost packets are not round trips.
type Trips struct {
	TCP, TLS, QUIC int
	Extra          Extra // why TLS or QUIC took more than one
}

// Sum is the number of round trips of the whole set-up.
func (t Trips) Sum() int { return t.TCP + t.TLS + t.QUIC }

// Extra is a set of reasons for a further round trip each.
type Extra uint8

// The reasons.
const (
	ExtraTLS12   Extra = 1 << iota // TLS 1.2 takes two (RFC 5246 section 7.3), one when resumed
	ExtraHRR                       // HelloRetryRequest (RFC 8446 section 4.1.4)
	ExtraChain                     // the certificates exceed the first flight of TCP (RFC 6928)
	ExtraRetry                     // QUIC validated the address by Retry (RFC 9000 section 8.1.2)
	ExtraVersion                   // QUIC Version Negotiation (RFC 9000 section 6)
	ExtraStall                     // QUIC's anti-amplification limit (RFC 9000 section 8.1)
	numExtras    = 6
)

// Extras lists every reason once.
func Extras() [numExtras]Extra {
	return [numExtras]Extra{ExtraTLS12, ExtraHRR, ExtraChain, ExtraRetry, ExtraVersion, ExtraStall}
}

// TripsOf counts the round trips of an exchange's set-up; false for an exchange that opened no
// connection of its own or went through a proxy, which spends round trips of its own.
func TripsOf(ex *record.Exchange) (Trips, bool) {
	var t Trips
	if ex.Segments.Has(segment.Proxy) {
		return t, false
	}
	if ex.Segments.Has(segment.TCP) {
		t.TCP = 1
	}
	if ex.Segments.Has(segment.TLS) && ex.TLS != nil {
		t.TLS, t.Extra = tlsTrips(ex.TLS), tlsExtra(ex.TLS)
	}
	if ex.Segments.Has(segment.QUIC) {
		t.QUIC, t.Extra = 1, quicExtra(ex.QUIC)
		t.QUIC += t.Extra.count()
	}
	if ex.QUIC != nil && ex.QUIC.Used0RTT {
		t.QUIC, t.Extra = 0, 0
	}
	return t, t.Sum() > 0
}

func tlsTrips(t *record.TLS) int { return 1 + tlsExtra(t).count() }

func tlsExtra(t *record.TLS) Extra {
	var e Extra
	if t.Version == "1.2" && !t.Resumed {
		e |= ExtraTLS12
	}
	if t.HRR {
		e |= ExtraHRR
	}
	if t.ChainBytes > firstFlight && !t.Resumed {
		e |= ExtraChain
	}
	return e
}

func quicExtra(q *record.QUIC) Extra {
	var e Extra
	if q == nil {
		return e
	}
	for _, x := range []struct {
		set bool
		e   Extra
	}{{q.Retry, ExtraRetry}, {q.VN, ExtraVersion}, {q.Stall, ExtraStall}} {
		if x.set {
			e |= x.e
		}
	}
	return e
}

func (e Extra) count() int {
	n := 0
	for ; e != 0; e &= e - 1 {
		n++
	}
	return n
}

// TripShare is a way of setting up and how many exchanges took it.
type TripShare struct {
	Trips
	N     int
	Setup time.Duration // least setup among them
	RTT   time.Duration // least round trip among them, 0 unknown
	Chain int           // bytes of the largest certificate chain among them
}

// tripTally counts the few ways in which an arm's connections were set up.
type tripTally struct{ list []TripShare }

func (l *tripTally) add(ex *record.Exchange, rtt time.Duration) {
	t, ok := TripsOf(ex)
	if !ok {
		return
	}
	setup, _ := ex.Segments.Setup()
	i := 0
	for ; i < len(l.list); i++ {
		if l.list[i].Trips == t {
			break
		}
	}
	if i == len(l.list) {
		l.list = append(l.list, TripShare{Trips: t, Setup: setup})
	}
	x := &l.list[i]
	x.N++
	x.Setup = min(x.Setup, setup)
	if rtt > 0 {
		x.RTT = least(x.RTT, rtt)
	}
	if ex.TLS != nil {
		x.Chain = max(x.Chain, ex.TLS.ChainBytes)
	}
}
