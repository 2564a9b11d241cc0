package report

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// rampMaker makes a run of stages out of figures somebody wrote down.
type rampMaker struct {
	plan  load.Plan
	state string
	from  string
	notes []string
	at    time.Time
	all   []record.Exchange
	end   record.End

	routes []record.Route // nil for one service and its health URL
}

func newRampMaker(p load.Plan) *rampMaker {
	return &rampMaker{plan: p, state: "cold", at: time.Date(2026, 11, 30, 2, 10, 0, 0, time.UTC)}
}

// load is one exchange: times in milliseconds, what came of it, and who answered.
type loadOne struct {
	total, text, skew, lag, late int
	outcome                      record.Outcome
	status                       int
	reason, class                string
	on, template                 string
	left                         string
}

// stage sends one burst and waits for the gap.
func (m *rampMaker) stage(index int, ones ...loadOne) {
	longest := 0
	for i, o := range ones {
		if o.skew == 0 {
			o.skew = i % 2
		}
		m.add("llm.example.net", index, o)
		longest = max(longest, o.total+o.late)
	}
	m.at = m.at.Add(time.Duration(longest)*time.Millisecond + m.plan.Gap)
}

func (m *rampMaker) add(route string, stage int, o loadOne) {
	if o.outcome == "" {
		o.outcome, o.status = record.OK, 200
	}
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	ex := record.Exchange{
		Route: route, Seq: len(m.all), Started: m.at.Add(ms(o.skew + o.late)), Outcome: o.outcome, Status: o.status,
		Protocol: "h2", Total: ms(o.total), StartSkew: ms(o.skew), SchedLag: ms(o.lag), HasLag: true, Intended: -ms(o.late),
		Stage: max(stage, 0), HasStage: stage >= 0, Instance: o.on, Template: o.template, TLS: &record.TLS{Version: "1.3"},
	}
	if o.left != "" {
		ex.Headers = record.Fields{"ratelimit-remaining": {o.left}}
	}
	ex.Segments = loadSplit(ms(o.total), m.state)
	if o.text > 0 {
		ex.Stream = &record.Stream{HasText: true, FirstText: ms(o.text), Texts: 41, Done: o.outcome == record.OK,
			GapP50: ms((o.total - o.text) / 41), Stall: ms((o.total - o.text) / 9)}
	}
	switch o.outcome {
	case record.Throttled:
		ex.Throttle = &record.Throttle{Reason: o.reason, RetryAfter: 2 * time.Second, HasRetryAfter: true}
	case record.Failed:
		ex.Error = &record.Error{Class: record.Class(o.class), Segment: segment.Transfer, Text: o.reason}
	case record.Invalid:
		ex.Error = &record.Error{Segment: segment.Wait, Text: o.reason}
	}
	m.all = append(m.all, ex)
}

// loadSplit spends 65 ms on setup where the connection is new, and the rest on waiting and content.
func loadSplit(total time.Duration, state string) segment.Split {
	var t segment.Timeline
	if state == "cold" {
		t.End(segment.DNS, min(3*time.Millisecond, total))
		t.End(segment.TCP, min(25*time.Millisecond, total))
		t.End(segment.TLS, min(68*time.Millisecond, total))
	}
	t.End(segment.Send, t.At())
	t.End(segment.Wait, max(t.At(), min(110*time.Millisecond, total)))
	t.End(segment.Transfer, total)
	return t.Split()
}

func (m *rampMaker) ramp() *load.Ramp {
	raw, err := json.Marshal(map[string]any{"command": "ramp", "ramp": m.plan})
	if err != nil {
		panic(err)
	}
	run := record.Run{
		ID: "1", Started: m.at, Order: load.Order, Plan: raw, Tool: "coldsplit 0.1.0", Notes: m.notes,
		Vantage: record.Vantage{From: m.from}, Routes: []record.Route{
			{Name: "llm.example.net", URL: "https://llm.example.net/v1/chat/completions", State: m.state},
			{Name: "health", URL: "https://llm.example.net/health", Role: "health"},
		},
	}
	if m.routes != nil {
		run.Routes = m.routes
	}
	b := load.NewBuilder(run, reading.Options{})
	for i := range m.all {
		if err := b.Add(&m.all[i]); err != nil {
			panic(err)
		}
	}
	return b.Finish(m.end, true)
}

// on spreads exchanges over two machines, the first a of them on the first one.
func on(ones []loadOne, a int) []loadOne {
	for i := range ones {
		ones[i].on = "m-b7"
		if i < a {
			ones[i].on = "m-a1"
		}
	}
	return ones
}

// loads are n accepted streams with first texts and totals in even steps.
func loads(n, text, textStep, total, totalStep int) []loadOne {
	var out []loadOne
	for i := range n {
		one := loadOne{total: total + i*totalStep, left: fmt.Sprint(200 - i)}
		if text > 0 {
			one.text = text + i*textStep
		}
		out = append(out, one)
	}
	return out
}

func refusals(n int, on string) []loadOne {
	var out []loadOne
	for i := range n {
		out = append(out, loadOne{total: 108 + 2*i, outcome: record.Throttled, status: 429, reason: "bench_full", on: on, left: "88"})
	}
	return out
}

// benchRamp is the picture of a service on two machines that hold eight each.
func benchRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{1, 4, 8, 16, 32}, Gap: 65 * time.Second, After: 2, Instance: "header:x-machine", Cost: 25, Budget: 2000, Ceiling: 64})
	m.from = "tokyo"
	m.stage(0, on(loads(1, 496, 0, 1690, 0), 1)...)
	m.stage(1, on(loads(4, 590, 12, 1720, 14), 2)...)
	m.stage(2, on(loads(8, 640, 40, 1700, 65), 4)...)
	m.stage(3, append(on(loads(13, 800, 66, 2000, 80), 8), refusals(3, "m-a1")...)...)
	broken := loadOne{total: 1500, text: 900, outcome: record.Failed, status: 200, class: "stream", reason: "stream ended without [DONE]", on: "m-b7"}
	last := append(on(loads(15, 900, 63, 2200, 70), 8), refusals(8, "m-a1")...)
	m.stage(4, append(append(last, refusals(8, "m-b7")...), broken)...)
	for range 2 {
		m.add("llm.example.net", -1, loadOne{total: 1700, text: 512, on: "m-a1"})
	}
	for i := range 24 {
		m.add("health", 0, loadOne{total: 30 + i%12})
	}
	return m.ramp()
}

// rampCases are the ramps whose reports were read and found good.
func rampCases() map[string]Ramp {
	return map[string]Ramp{
		"ramp":           {Result: benchRamp()},
		"ramp-chart":     {Result: benchRamp(), Chart: true},
		"ramp-clean":     {Result: cleanRamp()},
		"ramp-rate":      {Result: rateRamp()},
		"ramp-dry":       {Result: dryRamp()},
		"ramp-doubt":     {Result: doubtedRamp()},
		"ramp-templates": {Result: templateRamp()},
		"ramp-hold":      {Result: heldRamp()},
		"ramp-none":      {Result: refusedRamp()},
		"ramp-nothing":   {Result: newRampMaker(load.Plan{Stages: []int{1, 2}}).ramp()},
		"ramp-hostile":   {Result: hostileRamp()},
	}
}

func cleanRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{16, 32, 64}, Rounds: 2, Gap: 10 * time.Second})
	for i, n := range []int{16, 32, 64} {
		m.stage(i, loads(n, 0, 0, 600+20*i, 3)...)
		for j := range loads(n, 0, 0, 0, 0) {
			m.add("llm.example.net", i, loadOne{total: 590 + 3*j})
			m.all[len(m.all)-1].Pair = 1
		}
		m.at = m.at.Add(time.Minute)
	}
	return m.ramp()
}

// rateRamp stalls for two seconds: what was due then waits for a place.
func rateRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Rates: []float64{10, 20}, Hold: 2 * time.Second, Gap: 5 * time.Second, Ceiling: 20})
	m.stage(0, loads(20, 0, 0, 120, 1)...)
	ones := loads(40, 0, 0, 120, 1)
	for i := range ones {
		ones[i].late = max(0, 1900-50*i)
	}
	m.stage(1, ones...)
	return m.ramp()
}

func dryRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{2, 4, 8}, Gap: 10 * time.Second, Cost: 0.25, Budget: 2})
	m.stage(0, loads(2, 0, 0, 900, 10)...)
	ones := loads(4, 0, 0, 950, 10)
	for i := 2; i < 4; i++ {
		ones[i] = loadOne{total: 90, outcome: record.Failed, status: 402, class: "status", reason: "status 402"}
	}
	m.stage(1, ones...)
	m.end.Stop = "budget"
	return m.ramp()
}

func doubtedRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{2, 8}, Gap: 10 * time.Second})
	m.state = "warm"
	m.stage(0, loads(2, 0, 0, 80, 1)...)
	ones := loads(8, 0, 0, 85, 1)
	for i := range ones {
		ones[i].skew, ones[i].lag = 1+20*i, 30
	}
	m.stage(1, ones...)
	return m.ramp()
}

func templateRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{4, 8}, Gap: 10 * time.Second, Templates: []string{"chat", "messages"}})
	for i, n := range []int{4, 8} {
		ones := loads(n, 0, 0, 900, 10)
		for j := range ones {
			ones[j].template = []string{"chat", "messages"}[j%2]
			ones[j].total += 400 * (j % 2)
		}
		m.stage(i, ones...)
	}
	return m.ramp()
}

func heldRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{2}, Hold: 30 * time.Second})
	for range 120 {
		m.add("llm.example.net", 0, loadOne{total: 250})
		m.all[len(m.all)-1].Pair = (len(m.all) - 1) / 2
		if len(m.all)%2 == 0 {
			m.at = m.at.Add(250 * time.Millisecond)
		}
	}
	m.add("llm.example.net", 0, loadOne{total: 100, outcome: record.Invalid, reason: "interrupted"})
	m.end.Stop = "cancelled"
	return m.ramp()
}

func refusedRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{2, 4}, Gap: 10 * time.Second, After: 1})
	m.stage(0, refusals(2, "")...)
	m.stage(1, refusals(4, "")...)
	m.add("llm.example.net", -1, refusals(1, "")[0])
	return m.ramp()
}

// hostileRamp has a service that tries to write on the reader's screen.
func hostileRamp() *load.Ramp {
	const evil = "\x1b[31m=1+1|*`<b>\u202e"
	m := newRampMaker(load.Plan{Stages: []int{2}, Gap: time.Second})
	m.from = evil
	ones := loads(1, 0, 0, 200, 0)
	ones[0].on, ones[0].template = evil, evil
	ones = append(ones, loadOne{total: 100, outcome: record.Throttled, status: 429, reason: evil, on: evil})
	ones = append(ones, loadOne{total: 100, outcome: record.Failed, class: "body", reason: evil, on: evil + "2"})
	m.stage(0, ones...)
	return m.ramp()
}

// slowerRamp is the same service a week earlier, on one machine.
func slowerRamp() *load.Ramp {
	m := newRampMaker(load.Plan{Stages: []int{1, 4, 8, 16}, Gap: 65 * time.Second})
	m.from, m.at = "tokyo", m.at.AddDate(0, 0, -7)
	m.stage(0, loads(1, 500, 0, 1700, 0)...)
	m.stage(1, loads(4, 800, 12, 2100, 14)...)
	m.stage(2, loads(8, 1640, 40, 2700, 65)...)
	m.stage(3, append(loads(8, 1800, 66, 3000, 80), refusals(8, "")...)...)
	return m.ramp()
}
