package reading

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Parts is the wait of one exchange taken apart. A part that was not reported is absent.
type Parts struct {
	v       values
	EdgeSrc string // where the estimate of edge_rtt came from: "kernel", "quic", "tcp"; "" when absent

	told      *told
	tolerance time.Duration // what clocks and rounding may make the parts exceed the wait by
	doubts    [4]rowDoubt   // the first ones: a fixed number costs a run of a million no memory
	numDoubts int
}

// Doubts returns what does not fit in this exchange. The slice is the caller's.
func (p *Parts) Doubts() []Doubt {
	var out []Doubt
	if p.told != nil {
		out = append(out, p.told.doubts...)
	}
	for _, d := range p.doubts[:p.numDoubts] {
		out = append(out, d.doubt())
	}
	return out
}

// Places returns the sites the response names, by role as the response orders them. The slice is
// shared: the caller must not change it.
func (p *Parts) Places() []Place {
	if p.told == nil {
		return nil
	}
	return p.told.places
}

// Get returns one part of wait, and false when it is absent or k is none.
func (p *Parts) Get(k segment.Key) (time.Duration, bool) {
	return time.Duration(p.v.v[k]), p.v.has(k)
}

// set stores one part.
func (p *Parts) set(k segment.Key, d time.Duration) { p.v.put(k, int64(d)) }

// put copies the parts into a row.
func (p *Parts) put(v *values) {
	for k := segment.WaitEdgeRTT; k < segment.WaitUnattributed; k++ {
		if p.v.has(k) {
			v.put(k, p.v.v[k])
		}
	}
}

// The sources of the edge_rtt estimate, the best first.
const (
	fromKernel = "kernel" // the smallest round trip of the connection, from the kernel
	fromQUIC   = "quic"   // the same from the QUIC stack (RFC 9002 section 5.2)
	fromStart  = "start"  // the round trip seen when the connection was opened
	fromTCP    = "tcp"    // the length of the tcp segment
)

// edgeRTT estimates one round trip between the client and whoever answers the connection. There is
// none behind a proxy, where the connection ends at the proxy, and none for a reused connection
// that told nothing. A tcp segment as long as a SYN's retransmission timeout holds a loss and says
// nothing of the round trip. It is never more than wait.
func edgeRTT(ex *record.Exchange) (rtt time.Duration, source string) {
	wait, ok := ex.Segments.Get(segment.Wait)
	if !ok || ex.Segments.Has(segment.Proxy) {
		return 0, ""
	}
	rtt, source = observedRTT(ex)
	return min(rtt, wait), source
}

func observedRTT(ex *record.Exchange) (time.Duration, string) {
	switch {
	case ex.QUIC != nil && ex.QUIC.MinRTT > 0:
		return ex.QUIC.MinRTT, fromQUIC
	case ex.TCP != nil && ex.TCP.MinRTT > 0:
		return ex.TCP.MinRTT, fromKernel
	case ex.TCP != nil && ex.TCP.ConnectRTT > 0:
		return ex.TCP.ConnectRTT, fromStart
	}
	if d, ok := ex.Segments.Get(segment.TCP); ok && d > 0 && d < synTimeout {
		return d, fromTCP
	}
	return 0, ""
}
