package main

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// sender sends the exchanges of a ramp and gives each its place in the run.
type sender struct {
	m        *measurement
	file     *behind
	requests []rampRequest
	health   *arm
	open     bool // starts are due at a time, whether others have finished or not
	instance string
	scrub    *scrubber
	warm     *idle // nil when every exchange opens a connection of its own

	mu        sync.Mutex // guards what follows
	routes    map[string]*record.Counts
	throttled map[int]int // by stage
	longest   time.Duration
}

// do is a schedule's Do. Everything that takes time is prepared before the barrier.
func (d *sender) do(ctx context.Context, slot schedule.Slot) schedule.Result {
	entered := time.Now()
	r := d.request(slot)
	t := targetOf(r.target, slot.Seq)
	var res probe.Result
	var released time.Time
	if d.warm != nil && slot.Role != schedule.Health {
		res, released = d.warmly(ctx, slot, t)
	} else {
		released = slot.Release()
		res = d.m.prober.Do(ctx, t)
	}
	ex := &res.Exchange
	if res.Canceled {
		interrupted(ex)
	}
	d.place(ex, slot, r)
	d.clock(ex, slot, entered, released)
	noteAgent(ex, t)
	d.scrub.exchange(ex)
	return schedule.Of(fatal, ex)
}

// request is what a slot sends.
func (d *sender) request(slot schedule.Slot) rampRequest {
	if slot.Role == schedule.Health {
		return rampRequest{arm: *d.health}
	}
	return d.requests[slot.Template]
}

// warmly sends over a kept connection, which is opened before the barrier. One that turned out to be
// closed is not used again.
func (d *sender) warmly(ctx context.Context, slot schedule.Slot, t *probe.Target) (probe.Result, time.Time) {
	session, res := d.warm.take(ctx, d.m.prober, t, slot.Stage)
	released := slot.Release()
	if session == nil {
		return res, released
	}
	res = session.Do(ctx, t)
	if res.Exchange.Outcome == record.OK || res.Exchange.Outcome == record.Throttled {
		d.warm.give(session, t, slot.Stage)
	} else {
		session.Close()
	}
	return res, released
}

// place gives ex its place in the run.
func (d *sender) place(ex *record.Exchange, slot schedule.Slot, r rampRequest) {
	ex.Seq, ex.Pair, ex.First = slot.Seq, slot.Pair, slot.First
	if slot.Stage != schedule.NoStage {
		ex.Stage, ex.HasStage = slot.Stage, true
	}
	if slot.Role == schedule.Health {
		return
	}
	ex.Template = r.label
	if values := ex.Headers[d.instance]; d.instance != "" && len(values) > 0 {
		ex.Instance = clipName(strings.TrimSpace(values[0]))
	}
}

// longestName bounds an instance's name, in bytes.
const longestName = 80

func clipName(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), longestName)], "")
}

// clock notes how far the start lay from where it should have been. The skew of a burst counts from
// the barrier to the call that connects; resolving the name in between is the resolver's time.
func (d *sender) clock(ex *record.Exchange, slot schedule.Slot, entered, released time.Time) {
	if slot.Role != schedule.Measured {
		return
	}
	if d.open {
		ex.Intended = -(slot.Late + max(0, ex.Started.Sub(entered)))
		return
	}
	ex.StartSkew = max(0, ex.Started.Sub(released))
	if len(ex.Attempts) > 0 {
		dns, _ := ex.Segments.Get(segment.DNS)
		ex.StartSkew += max(0, ex.Attempts[0].Start-dns)
	}
}

// store is the schedule's Sink.
func (d *sender) store(slot schedule.Slot, r schedule.Result) error {
	if err := d.file.put(r.Exchanges); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, ex := range r.Exchanges {
		if d.routes[ex.Route] == nil {
			d.routes[ex.Route] = &record.Counts{}
		}
		d.routes[ex.Route].Asked++
		d.routes[ex.Route].Add(ex.Outcome)
	}
	if r.Outcome == record.Throttled && slot.Role == schedule.Measured {
		d.throttled[slot.Stage]++
		d.longest = max(d.longest, r.RetryAfter)
	}
	return nil
}

// wasThrottled reports whether a stage was.
func (d *sender) wasThrottled(stage int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.throttled[stage] > 0
}

// ends is how each route ended.
func (d *sender) ends(report schedule.Report) []record.ArmEnd {
	var out []record.ArmEnd
	for _, route := range d.m.run.Routes {
		end := record.ArmEnd{Route: route.Name}
		if c := d.routes[route.Name]; c != nil {
			end.Counts = *c
		}
		at := loadSlot
		if route.Role == "health" {
			at = healthSlot
		}
		a := report.Arms[at]
		end.Stop, end.Failure, end.Alike = string(a.Stop), a.Failure, a.Alike
		out = append(out, end)
	}
	if len(d.requests) == 1 && len(out) > 0 {
		i := slices.IndexFunc(out, func(e record.ArmEnd) bool { return e.Route == d.requests[0].route.Name })
		out[i].Counts.Asked += report.Arms[loadSlot].Counts.NotSent
		out[i].Counts.NotSent = report.Arms[loadSlot].Counts.NotSent
	}
	return out
}
