package load

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// row is what is kept of one exchange.
type row struct {
	seq, pair int
	stage     int // position among the stages shown; -1 outside of any
	outcome   record.Outcome
	status    int
	started   time.Time
	total     time.Duration
	skew      time.Duration // connect call minus release
	late      time.Duration // actual start minus intended, never negative
	lag       time.Duration
	connected time.Duration // release .. connection made; 0 when none was
	setup     optional
	ttfb      optional
	firstText optional
	gap       optional // between its text events: their p50 ..
	stall     optional // .. and the longest
	route     string
	instance  string
	template  string
	throttle  record.Throttle
	err       record.Error
	texts     int // of a stream that failed
	streamed  bool
}

// optional is a duration that may be absent.
type optional struct {
	d  time.Duration
	ok bool
}

func rowOf(ex *record.Exchange) row {
	r := row{
		seq: ex.Seq, pair: ex.Pair, outcome: ex.Outcome, status: ex.Status, started: ex.Started, total: ex.Total,
		skew: ex.StartSkew, late: max(0, -ex.Intended), lag: ex.SchedLag, route: ex.Route, instance: ex.Instance, template: ex.Template,
	}
	r.setup.d, r.setup.ok = ex.Segments.Setup()
	r.ttfb.d, r.ttfb.ok = ex.Segments.TTFB()
	if s := ex.Stream; s != nil {
		r.streamed, r.texts = true, s.Texts
		r.firstText = optional{max(s.FirstText, r.ttfb.d), s.HasText}
		r.gap, r.stall = optional{s.GapP50, s.Texts > 1}, optional{s.Stall, s.Texts > 1}
	}
	if dns, _ := ex.Segments.Get(segment.DNS); r.setup.ok {
		r.connected = r.skew + dns + handshakeless(ex)
	}
	if ex.Throttle != nil {
		r.throttle = *ex.Throttle
	}
	if ex.Error != nil {
		r.err = *ex.Error
	}
	return r
}

// handshakeless is what the connection alone cost: race and tcp, or the whole of quic.
func handshakeless(ex *record.Exchange) (sum time.Duration) {
	for _, k := range []segment.Key{segment.Race, segment.TCP, segment.QUIC} {
		d, _ := ex.Segments.Get(k)
		sum += d
	}
	return sum
}

func (r *row) ended() time.Time { return r.started.Add(r.total) }
