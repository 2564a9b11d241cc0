package record

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// AppendExchange appends x as one line of a run file, without its newline. It fails, appending
// nothing, when x breaks what a reader would refuse: no route, no known outcome, or segments that
// do not tile the total.
func AppendExchange(b []byte, x *Exchange) ([]byte, error) {
	if err := x.Check(); err != nil {
		return b, fmt.Errorf("write exchange %d of route %q: %w", x.Seq, x.Route, err)
	}
	e := encoder{append(b, '{')}
	e.str("type", "exchange")
	e.identity(x)
	e.segments(&x.Segments)
	e.yes("first", x.First)
	e.optNum("family", int64(x.Family))
	e.num("hop", int64(x.Hop))
	e.yes("prime", x.Prime)
	e.connection(x)
	e.course(x)
	e.answer(x)
	e.shut()
	return e.b, nil
}

func (e *encoder) identity(x *Exchange) {
	e.str("route", x.Route)
	e.num("seq", int64(x.Seq))
	e.num("pair", int64(x.Pair))
	e.time("started", x.Started)
	e.optStr("state", x.State)
	e.str("outcome", string(x.Outcome))
	e.optNum("status", int64(x.Status))
	e.optStr("protocol", x.Protocol)
	e.optStr("remote", x.Remote)
	e.ns("total_ns", x.Total)
	e.optStr("clock", x.Clock)
}

func (e *encoder) segments(s *segment.Split) {
	e.open("segments")
	for k := range segment.Key(segment.NumMeasured) {
		if d, ok := s.Get(k); ok {
			e.ns(k.String(), d)
		}
	}
	e.shut()
}

func (e *encoder) connection(x *Exchange) {
	e.dns(x.DNS)
	if len(x.Attempts) > 0 {
		e.list("attempts", len(x.Attempts), func(i int) { e.attempt(&x.Attempts[i]) })
	}
	e.tls("tls", x.TLS)
	e.tls("proxy_tls", x.ProxyTLS)
	e.tcp(x.TCP)
	e.quic(x.QUIC)
}

func (e *encoder) course(x *Exchange) {
	if len(x.Interim) > 0 {
		e.list("interim", len(x.Interim), func(i int) { e.interim(x.Interim[i]) })
	}
	if x.HasLag {
		e.ns("sched_lag_ns", x.SchedLag)
	}
	e.optNS("setup_cpu_ns", x.SetupCPU)
	e.optNS("intended_ns", x.Intended)
	if x.HasStage || x.StartSkew != 0 {
		e.ns("start_skew_ns", x.StartSkew)
	}
	e.stream(x.Stream)
	e.throttle(x.Throttle)
	if x.HasStage {
		e.num("stage", int64(x.Stage))
	}
	e.optStr("instance", x.Instance)
	e.optStr("template", x.Template)
}

func (e *encoder) answer(x *Exchange) {
	if x.Status != 0 || x.Bytes != (Bytes{}) {
		e.bytes(&x.Bytes)
	}
	e.optStr("body_sha256", x.BodySHA)
	e.optStr("title", x.Title)
	e.fields("headers", x.Headers)
	e.fields("trailers", x.Trailers)
	e.optStrs("notes", x.Notes)
	if x.Error == nil {
		return
	}
	e.open("error")
	e.optStr("class", string(x.Error.Class))
	e.str("segment", x.Error.Segment.String())
	e.optStr("text", x.Error.Text)
	e.shut()
}

func (e *encoder) fields(k string, f Fields) {
	if len(f) == 0 {
		return
	}
	e.open(k)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if n := len(e.b); e.b[n-1] != '{' {
			e.b = append(e.b, ',')
		}
		e.b = appendString(e.b, name)
		e.b = append(e.b, ':')
		e.b = appendStrings(e.b, f[name])
	}
	e.shut()
}

// Check returns an error when x must not stand in a run file: it names no route or no known
// outcome, its error names no segment, or its segments break the tiling law.
func (x *Exchange) Check() error {
	if x.Route == "" {
		return fmt.Errorf("missing route")
	}
	if err := checkOutcome(x.Outcome); err != nil {
		return err
	}
	if x.Error != nil && int(x.Error.Segment) >= segment.NumKeys {
		return fmt.Errorf("unknown segment key %d in error", uint8(x.Error.Segment))
	}
	return checkTiling(&x.Segments, x.Total)
}

func checkOutcome(o Outcome) error {
	switch o {
	case OK, Throttled, Failed, Invalid:
		return nil
	case "":
		return fmt.Errorf("missing outcome")
	}
	return fmt.Errorf("unknown outcome %q", string(o))
}

// longest is what a segment may last in a file: with at most 9 of them no sum can overflow.
const longest = time.Duration(1) << 59

func checkTiling(s *segment.Split, total time.Duration) error {
	for k := range segment.Key(segment.NumMeasured) {
		if d, ok := s.Get(k); ok && d > longest {
			return fmt.Errorf("segment %s lasts %d ns, beyond 18 years", k, d)
		}
	}
	return s.Check(total)
}
