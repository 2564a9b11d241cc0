package reading

import (
	"cmp"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Mark is a set of facts about one exchange that explain why it may have been slow. A mark names a
// pattern that was observed, not a proof.
type Mark uint16

// The marks.
const (
	First       Mark = 1 << iota // the route's first exchange of the run
	SYNLost                      // tcp took a retransmission timeout and the kernel sent again
	Retransmit                   // the kernel sent a segment again after the connection was made
	RaceLost                     // an earlier attempt failed or was overtaken (RFC 8305)
	SlowAAAA                     // the AAAA answer came much later than the A answer
	SlowA                        // the A answer came much later than the AAAA answer
	TLS12                        // TLS 1.2: two round trips
	HelloRetry                   // HelloRetryRequest: one more round trip (RFC 8446 section 4.1.4)
	QUICRetry                    // address validation by Retry: one more round trip (RFC 9000 section 8.1.2)
	QUICVersion                  // Version Negotiation: one more round trip
	QUICStall                    // anti-amplification limit: one more round trip (RFC 9000 section 8.1)
	QUICProbe                    // a probe timeout fired: a tail datagram was lost (RFC 9002 section 6.2)
	QUICLoss                     // packets declared lost
	Busy                         // this machine ran late by more than BusyLag; see [Arm.BusyMade]
	BigChain                     // the certificate chain does not fit the first flight
)

// BusyLag is the scheduler lateness above which a machine counts as busy: a tenth of what a
// round trip inside a city costs would already blur a segment.
const BusyLag = 5 * time.Millisecond

// Lateness is by how much this machine ran late, at worst, during one exchange.
type Lateness struct {
	Row int32
	By  time.Duration
}

// busyShare is the part of an excess that lateness must reach to be a cause of it: the worst lateness
// grows with the length of an exchange, so a slow one has seen some whatever made it slow.
const busyShare = 3

// LateBy is the worst lateness during the exchange of a row, 0 when it is not marked [Busy].
func (a *Arm) LateBy(row int32) time.Duration {
	i, found := slices.BinarySearchFunc(a.Late, row, func(l Lateness, row int32) int { return cmp.Compare(l.Row, row) })
	if !found {
		return 0
	}
	return a.Late[i].By
}

// BusyMade reports whether this machine's lateness explains a row's excess: at least a third of it.
// An excess below [BusyLag] needs no explanation.
func (a *Arm) BusyMade(row int32, excess time.Duration) bool {
	return excess >= BusyLag && busyShare*a.LateBy(row) >= excess
}

// Resent is how many segments, SYN included, the kernel sent again during one exchange.
type Resent struct {
	Row int32
	N   int
}

// ResentBy is the number of segments sent again in the exchange of a row, 0 when it is not marked
// [SYNLost].
func (a *Arm) ResentBy(row int32) int {
	i, found := slices.BinarySearchFunc(a.Again, row, func(r Resent, row int32) int { return cmp.Compare(r.Row, row) })
	if !found {
		return 0
	}
	return a.Again[i].N
}

// familySkew is how much later one family's answer must be to be named: below it the wait is noise.
const familySkew = 20 * time.Millisecond

// firstFlight is the size of the server's first flight under TCP's initial window of ten segments
// of 1460 bytes (RFC 6928); a larger chain costs one more round trip.
const firstFlight = 10 * 1460

// synTimeout is a little under the first retransmission timeout of a SYN (1 s, RFC 6298 section 2).
const synTimeout = 900 * time.Millisecond

// marksOf reads the marks off one exchange.
func marksOf(ex *record.Exchange) Mark {
	m := tcpMarks(ex) | dnsMarks(ex.DNS) | tlsMarks(ex.TLS) | quicMarks(ex.QUIC)
	if ex.First {
		m |= First
	}
	if ex.Segments.Has(segment.Race) {
		m |= RaceLost
	}
	if ex.HasLag && ex.SchedLag > BusyLag {
		m |= Busy
	}
	return m
}

func tcpMarks(ex *record.Exchange) Mark {
	if ex.TCP == nil || ex.TCP.TotalRetrans == 0 {
		return 0
	}
	if d, _ := ex.Segments.Get(segment.TCP); d >= synTimeout {
		return SYNLost
	}
	return Retransmit
}

func dnsMarks(d *record.DNS) Mark {
	if d == nil || !d.HasA || !d.HasAAAA {
		return 0
	}
	switch {
	case d.AAAA-d.A > familySkew:
		return SlowAAAA
	case d.A-d.AAAA > familySkew:
		return SlowA
	}
	return 0
}

func tlsMarks(t *record.TLS) Mark {
	if t == nil {
		return 0
	}
	var m Mark
	if t.Version == "1.2" {
		m |= TLS12
	}
	if t.HRR {
		m |= HelloRetry
	}
	if t.ChainBytes > firstFlight {
		m |= BigChain
	}
	return m
}

func quicMarks(q *record.QUIC) Mark {
	if q == nil {
		return 0
	}
	var m Mark
	for _, f := range []struct {
		set  bool
		mark Mark
	}{{q.Retry, QUICRetry}, {q.VN, QUICVersion}, {q.Stall, QUICStall}, {q.PTO > 0, QUICProbe}, {q.Lost > 0, QUICLoss}} {
		if f.set {
			m |= f.mark
		}
	}
	return m
}
