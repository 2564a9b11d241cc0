package record

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Run decodes the first line of a run file. It fails when the line is no run line or declares a
// schema of another major version. The Run does not share memory with line.
func (d *Decoder) Run(line []byte) (*Run, error) {
	r, schema := &Run{}, ""
	d.s.reset(line)
	d.s.object(func(key []byte) { d.runField(r, &schema, key) })
	d.s.finish()
	if d.s.err != nil {
		return nil, d.s.err
	}
	return r, checkSchema(schema)
}

func (d *Decoder) runField(r *Run, schema *string, key []byte) {
	switch s := &d.s; string(key) {
	case "schema":
		*schema = d.str()
	case "id":
		r.ID = d.str()
	case "tool":
		r.Tool = d.str()
	case "started":
		r.Started = d.time()
	case "vantage":
		r.Vantage = Vantage{}
		var lat, lon bool
		s.object(func(key []byte) { d.vantageField(&r.Vantage, &lat, &lon, key) })
		r.Vantage.Located = lat && lon
	case "resolver":
		r.Resolver = d.str()
	case "order":
		r.Order = d.str()
	case "seed":
		r.Seed = s.uint64()
	case "interval_ns":
		r.Interval = d.ns()
	case "timeout_ns":
		r.Timeout = d.ns()
	case "prewarm":
		if r.Prewarm = nil; !s.null() {
			r.Prewarm = &Prewarm{}
			s.object(func(key []byte) { d.prewarmField(r.Prewarm, key) })
		}
	case "plan":
		r.Plan = append(r.Plan[:0], s.raw()...)
	case "routes":
		r.Routes = nil
		s.array(func() {
			var route Route
			s.object(func(key []byte) { d.routeField(&route, key) })
			r.Routes = append(r.Routes, route)
		})
	case "notes":
		r.Notes = d.strs(nil)
	case "rehearsed":
		r.Rehearsed = s.bool()
	case "projected":
		r.Projected = s.bool()
	default:
		s.skip()
	}
}

func (d *Decoder) vantageField(v *Vantage, lat, lon *bool, key []byte) {
	switch s := &d.s; string(key) {
	case "from":
		v.From = d.str()
	case "lat":
		*lat = s.peek() != 'n'
		v.Lat = s.float64()
	case "lon":
		*lon = s.peek() != 'n'
		v.Lon = s.float64()
	case "os":
		v.OS = d.str()
	case "cpus":
		v.CPUs = s.int()
	case "timer_ns":
		v.TimerTick = d.ns()
	default:
		s.skip()
	}
}

func (d *Decoder) prewarmField(p *Prewarm, key []byte) {
	switch string(key) {
	case "roots_ns":
		p.Roots = d.ns()
	case "resolver_ns":
		p.Resolver = d.ns()
	case "protocols_ns":
		p.Protocols = d.ns()
	default:
		d.s.skip()
	}
}

func (d *Decoder) routeField(r *Route, key []byte) {
	switch string(key) {
	case "name":
		r.Name = d.str()
	case "url":
		r.URL = d.str()
	case "method":
		r.Method = d.str()
	case "protocol":
		r.Protocol = d.str()
	case "via":
		r.Via = d.str()
	case "proxy":
		r.Proxy = d.str()
	case "state":
		r.State = d.str()
	case "role":
		r.Role = d.str()
	case "family":
		r.Family = d.s.int()
	case "resolver":
		r.Resolver = d.str()
	case "hop":
		r.Hop = d.s.int()
	default:
		d.s.skip()
	}
}

// End decodes the last line of a run file. The End does not share memory with line.
func (d *Decoder) End(line []byte) (*End, error) {
	v := &End{}
	d.s.reset(line)
	d.s.object(func(key []byte) { d.endField(v, key) })
	d.s.finish()
	if d.s.err != nil {
		return nil, d.s.err
	}
	return v, nil
}

func (d *Decoder) endField(v *End, key []byte) {
	s := &d.s
	if d.countsField(&v.Counts, key) {
		return
	}
	switch string(key) {
	case "stop":
		v.Stop = d.str()
	case "arms":
		s.array(func() {
			var a ArmEnd
			s.object(func(key []byte) { d.armEndField(&a, key) })
			v.Arms = append(v.Arms, a)
		})
	case "pauses":
		s.array(func() {
			var p Pause
			s.object(func(key []byte) { d.pauseField(&p, key) })
			v.Pauses = append(v.Pauses, p)
		})
	case "notes":
		v.Notes = d.strs(nil)
	default:
		s.skip()
	}
}

// countsField reads one count and reports whether key names one.
func (d *Decoder) countsField(c *Counts, key []byte) bool {
	var to *int
	switch string(key) {
	case "asked":
		to = &c.Asked
	case "ok":
		to = &c.OK
	case "throttled":
		to = &c.Throttled
	case "failed":
		to = &c.Failed
	case "invalid":
		to = &c.Invalid
	case "not_sent":
		to = &c.NotSent
	case "priming":
		to = &c.Priming
	default:
		return false
	}
	*to = d.s.int()
	return true
}

func (d *Decoder) armEndField(a *ArmEnd, key []byte) {
	if d.countsField(&a.Counts, key) {
		return
	}
	switch s := &d.s; string(key) {
	case "route":
		a.Route = d.str()
	case "stop":
		a.Stop = d.str()
	case "failure":
		a.Failure = d.str()
	case "alike":
		a.Alike = s.int()
	default:
		s.skip()
	}
}

func (d *Decoder) pauseField(p *Pause, key []byte) {
	switch s := &d.s; string(key) {
	case "after":
		p.After = s.int()
	case "for_ns":
		p.For = d.ns()
	case "granted":
		p.Granted = s.bool()
	default:
		s.skip()
	}
}

func checkSchema(schema string) error {
	name, major, ok := strings.Cut(schema, "/")
	if !ok || name != "coldsplit" {
		return fmt.Errorf("want a run line of schema %s, got schema %q", Schema, schema)
	}
	if major != "1" {
		if n, err := strconv.Atoi(major); err == nil && n > 1 {
			return fmt.Errorf("schema %s is newer than this coldsplit, which reads %s", schema, Schema)
		}
		return fmt.Errorf("schema %q is unknown to this coldsplit, which reads %s", schema, Schema)
	}
	return nil
}

func (d *Decoder) ns() time.Duration { return time.Duration(d.s.int64()) }
