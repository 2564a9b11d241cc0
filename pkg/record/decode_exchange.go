package record

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// memory is what an exchange's pointers and slices point into while a Decoder reuses it.
type memory struct {
	dns      DNS
	cname    []string
	addrs    []string
	attempts []Attempt
	tls      [2]TLS
	names    [2][]string
	tcp      TCP
	quic     QUIC
	interim  []Interim
	stream   Stream
	throttle Throttle
	err      Error
	headers  fieldMemory
	trailers fieldMemory
	now      []fieldAt // of the fields under way
	notes    []string
	like     *pattern // of the line the exchange was decoded from, nil when it has none
}

// Exchange decodes one exchange into x, overwriting all of it. Filling the same x again reuses what
// its pointers, slices and maps point to, without allocating unless a string is new: it must not be
// changed; keep a line beyond that with [Exchange.Clone]. Another x gets memory of its own. It fails when the line is not JSON
// of the right kinds, or [Exchange.Check] does.
func (d *Decoder) Exchange(line []byte, x *Exchange) error {
	d.prepare(x)
	d.mem.like = nil
	d.whole(line, d.exchangeField)
	return d.checked()
}

// next is Exchange for an x that nobody has changed since the call before, which takes less of a line
// that resembles the one before.
func (d *Decoder) next(line []byte, x *Exchange) error {
	d.prepare(x)
	if d.follow(line, d.mem.like) {
		d.patterns.spent = max(d.patterns.spent-1, 0)
	} else {
		d.mem.like = d.unlike(line)
	}
	err := d.checked()
	if err != nil {
		d.mem.like = nil
	}
	return err
}

func (d *Decoder) checked() error {
	if d.s.err != nil {
		return d.s.err
	}
	if !d.sawTotal {
		return fmt.Errorf("missing total_ns")
	}
	return d.x.Check()
}

// adopt makes m, from an earlier call for the same x, the memory of x again.
func (d *Decoder) adopt(x *Exchange, m *memory) { d.owner, d.mem = x, m }

func (d *Decoder) prepare(x *Exchange) {
	if d.mem == nil || d.owner != x {
		d.mem = &memory{}
	}
	d.x, d.owner, d.strings = x, x, 0
}

func (d *Decoder) exchangeField(key []byte) {
	x := d.x
	switch s := &d.s; string(key) {
	case "type":
		s.str()
	case "route":
		x.Route = d.str()
	case "seq":
		x.Seq = s.int()
	case "pair":
		x.Pair = s.int()
	case "started":
		x.Started = d.time()
	case "state":
		x.State = d.str()
	case "outcome":
		x.Outcome = Outcome(d.str())
	case "status":
		x.Status = s.int()
	case "protocol":
		x.Protocol = d.str()
	case "remote":
		x.Remote = d.str()
	case "total_ns":
		d.sawTotal = !s.null()
		x.Total = 0
		if d.sawTotal {
			x.Total = d.ns()
		}
	case "clock":
		x.Clock = d.str()
	case "segments":
		x.Segments, d.nextLeaf = segment.Split{}, 0
		d.object(inSegments, 0, d.segmentField)
	case "first":
		x.First = s.bool()
	case "family":
		x.Family = s.int()
	case "hop":
		x.Hop = s.int()
	case "prime":
		x.Prime = s.bool()
	default:
		d.courseField(x, key)
	}
}

func (d *Decoder) segmentField(key []byte) {
	k, ok := d.leaf(key)
	switch {
	case !ok:
		d.s.fail(fmt.Errorf("unknown segment %q", key))
	case !k.Measured():
		d.s.fail(fmt.Errorf("segment %q is derived and never stored", key))
	case d.x.Segments.Has(k):
		d.s.fail(fmt.Errorf("segment %q stands twice", key))
	case !d.s.null():
		d.x.Segments.Set(k, d.ns())
	}
}

// leaf parses the name of a segment. Writers keep the order of the keys, so the next one is looked for
// behind the last.
func (d *Decoder) leaf(name []byte) (segment.Key, bool) {
	for k := d.nextLeaf; k.Measured(); k++ {
		if k.String() == string(name) {
			d.nextLeaf = k + 1
			return k, true
		}
	}
	return segment.Parse(string(name))
}

func (d *Decoder) courseField(x *Exchange, key []byte) {
	switch s := &d.s; string(key) {
	case "sched_lag_ns":
		x.SchedLag, x.HasLag = d.optNS()
	case "setup_cpu_ns":
		x.SetupCPU = d.ns()
	case "intended_ns":
		x.Intended = d.ns()
	case "start_skew_ns":
		x.StartSkew = d.ns()
	case "stage":
		if x.HasStage = !s.null(); x.HasStage {
			x.Stage = s.int()
		}
	case "instance":
		x.Instance = d.str()
	case "template":
		x.Template = d.str()
	case "throttle":
		if x.Throttle = nil; d.begin(0) {
			d.mem.throttle = Throttle{}
			x.Throttle = &d.mem.throttle
			s.object(d.throttleField)
		}
	case "bytes":
		x.Bytes = Bytes{}
		d.object(inBytes, 0, d.bytesField)
	case "error":
		if x.Error = nil; d.begin(0) {
			d.failure(x)
		}
	default:
		d.partField(x, key)
	}
}

func (d *Decoder) partField(x *Exchange, key []byte) {
	switch m := d.mem; string(key) {
	case "dns":
		d.dns(x)
	case "attempts":
		x.Attempts = d.attempts()
	case "tls":
		x.TLS = d.tls(0)
	case "proxy_tls":
		x.ProxyTLS = d.tls(1)
	case "tcp":
		d.tcp(x)
	case "quic":
		d.quic(x)
	case "interim":
		x.Interim = d.interims()
	case "stream":
		d.stream(x)
	case "headers":
		x.Headers = d.fields(&m.headers, inHeader)
	case "trailers":
		x.Trailers = d.fields(&m.trailers, inTrailer)
	case "notes":
		if x.Notes = nil; d.begin(PartNotes) {
			x.Notes = d.strs(m.notes)
			m.notes = keep(m.notes, x.Notes)
		}
	case "body_sha256":
		if x.BodySHA = ""; d.begin(PartBody) {
			x.BodySHA = d.str()
		}
	case "title":
		if x.Title = ""; d.begin(PartBody) {
			x.Title = d.str()
		}
	default:
		d.s.skip()
	}
}

// begin reports whether a part is to be read; a null and a part to be passed over are consumed.
func (d *Decoder) begin(p Parts) bool {
	if d.s.null() {
		return false
	}
	if d.Skip&p == 0 {
		return true
	}
	d.s.skip()
	return false
}

// keep returns the slice whose memory is worth reusing.
func keep[T any](old, filled []T) []T {
	if filled == nil {
		return old
	}
	return filled
}

func (d *Decoder) optNS() (time.Duration, bool) {
	if d.s.null() {
		return 0, false
	}
	return d.ns(), true
}
