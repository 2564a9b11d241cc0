package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// AppendRun appends r as the first line of a run file, without its newline. It fails when r.Plan is
// not one JSON value.
func AppendRun(b []byte, r *Run) ([]byte, error) {
	plan, err := onOneLine(r.Plan)
	if err != nil {
		return b, fmt.Errorf("write run %q: plan: %w", r.ID, err)
	}
	e := encoder{append(b, '{')}
	e.str("type", "run")
	e.str("schema", Schema)
	e.optStr("id", r.ID)
	e.optStr("tool", r.Tool)
	e.time("started", r.Started)
	e.vantage(&r.Vantage)
	e.optStr("resolver", r.Resolver)
	e.optStr("order", r.Order)
	e.key("seed")
	e.b = strconv.AppendUint(e.b, r.Seed, 10)
	e.optNS("interval_ns", r.Interval)
	e.optNS("timeout_ns", r.Timeout)
	e.prewarm(r.Prewarm)
	if len(plan) > 0 {
		e.key("plan")
		e.b = append(e.b, plan...)
	}
	e.list("routes", len(r.Routes), func(i int) { e.route(&r.Routes[i]) })
	e.optStrs("notes", r.Notes)
	e.yes("rehearsed", r.Rehearsed)
	e.yes("projected", r.Projected)
	e.shut()
	return e.b, nil
}

func onOneLine(raw json.RawMessage) ([]byte, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (e *encoder) vantage(v *Vantage) {
	e.open("vantage")
	e.optStr("from", v.From)
	if v.Located && finite(v.Lat) && finite(v.Lon) {
		e.float("lat", v.Lat)
		e.float("lon", v.Lon)
	}
	e.optStr("os", v.OS)
	e.optNum("cpus", int64(v.CPUs))
	e.optNS("timer_ns", v.TimerTick)
	e.shut()
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func (e *encoder) prewarm(p *Prewarm) {
	if p == nil {
		return
	}
	e.open("prewarm")
	e.ns("roots_ns", p.Roots)
	e.ns("resolver_ns", p.Resolver)
	e.ns("protocols_ns", p.Protocols)
	e.shut()
}

func (e *encoder) route(r *Route) {
	e.b = append(e.b, '{')
	e.str("name", r.Name)
	e.optStr("url", r.URL)
	e.optStr("method", r.Method)
	e.optStr("protocol", r.Protocol)
	e.optStr("via", r.Via)
	e.optStr("proxy", r.Proxy)
	e.optStr("state", r.State)
	e.optStr("role", r.Role)
	e.optNum("family", int64(r.Family))
	e.optStr("resolver", r.Resolver)
	e.optNum("hop", int64(r.Hop))
	e.shut()
}

// AppendEnd appends v as the last line of a run file, without its newline.
func AppendEnd(b []byte, v *End) []byte {
	e := encoder{append(b, '{')}
	e.str("type", "end")
	e.counts(v.Counts)
	e.optStr("stop", v.Stop)
	if len(v.Arms) > 0 {
		e.list("arms", len(v.Arms), func(i int) { e.armEnd(&v.Arms[i]) })
	}
	if len(v.Pauses) > 0 {
		e.list("pauses", len(v.Pauses), func(i int) { e.pause(v.Pauses[i]) })
	}
	e.optStrs("notes", v.Notes)
	e.shut()
	return e.b
}

func (e *encoder) counts(c Counts) {
	e.num("asked", int64(c.Asked))
	e.num("ok", int64(c.OK))
	e.num("throttled", int64(c.Throttled))
	e.num("failed", int64(c.Failed))
	e.num("invalid", int64(c.Invalid))
	e.num("not_sent", int64(c.NotSent))
	e.optNum("priming", int64(c.Priming))
}

func (e *encoder) armEnd(a *ArmEnd) {
	e.b = append(e.b, '{')
	e.str("route", a.Route)
	e.counts(a.Counts)
	e.optStr("stop", a.Stop)
	e.optStr("failure", a.Failure)
	e.optNum("alike", int64(a.Alike))
	e.shut()
}

func (e *encoder) pause(p Pause) {
	e.b = append(e.b, '{')
	e.num("after", int64(p.After))
	e.num("for_ns", int64(p.For))
	e.flag("granted", p.Granted)
	e.shut()
}
