package main

import (
	"context"
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// mostHops is how many redirects a chain follows.
const mostHops = 10

// chain follows the redirects of one route. Each hop is an exchange of its own that starts where the
// one before it ended, and an arm of its own in the run file. Which hops there are is seen by the
// first walk that gets to an end: it is exchange 0 of each of them, and only then is the head of the
// file written.
type chain struct {
	hops    []arm
	settled bool               // hops are final
	held    []*record.Exchange // of the walks until then
	counts  []record.Counts    // by hop
	last    int                // hop at which the latest walk ended
	strayed int                // walks that went elsewhere than the first
	notes   []string
}

// walk follows the chain once, from target on.
func (c *chain) walk(ctx context.Context, p *probe.Prober, target *probe.Target, slot schedule.Slot) schedule.Result {
	var all []*record.Exchange
	for hop := 0; ; hop++ {
		res := p.Do(ctx, target)
		if res.Canceled {
			return schedule.Result{Outcome: record.Invalid, Failure: "interrupted"}
		}
		ex := &res.Exchange
		ex.Route, ex.Hop = c.hops[hop].route.Name, hop
		noteAgent(ex, target)
		all = append(all, ex)
		c.last = hop
		next := c.next(target, &res, hop)
		if next == nil {
			break
		}
		target = next
	}
	for _, ex := range all {
		ex.Seq, ex.Pair, ex.First = slot.Seq, slot.Pair, slot.First
	}
	return schedule.Of(fatal, all...)
}

// next is the target of the hop after this one, nil when the chain ends here.
func (c *chain) next(t *probe.Target, res *probe.Result, hop int) *probe.Target {
	if !isRedirect(res.Exchange.Status) || res.Facts.Location == nil || res.Exchange.Outcome != record.OK {
		return nil
	}
	next, notes, err := follow(t, res.Facts.Location, res.Exchange.Status)
	switch {
	case err != nil:
		c.tell(fmt.Sprintf("not followed: %v", err))
		return nil
	case hop == mostHops:
		c.tell(fmt.Sprintf("the chain goes on after %d redirects and was not followed further", mostHops))
		return nil
	}
	return c.admit(next, notes, res, hop)
}

// admit lets walks discover hops until the chain is settled; after that they only take the same way.
func (c *chain) admit(next *probe.Target, notes []string, res *probe.Result, hop int) *probe.Target {
	known := hop+1 < len(c.hops)
	switch {
	case !c.settled && !known:
		for _, n := range notes {
			c.tell(n)
		}
		c.add(next)
	case !known || !sameHop(c.hops[hop+1].target, next):
		c.strayed++
		res.Exchange.Notes = append(res.Exchange.Notes, "redirected elsewhere than at first: "+hopURL(next))
		return nil
	}
	next.Route = c.hops[hop+1].route.Name
	return next
}

func (c *chain) add(t *probe.Target) {
	hop := arm{target: t, route: c.hops[0].route}
	hop.route.Hop, hop.route.URL, hop.route.Method, hop.route.Via = len(c.hops), hopURL(t), t.Method, t.Via
	c.hops = append(c.hops, hop)
	c.counts = append(c.counts, record.Counts{})
	c.name()
}

func newChain(first arm) *chain {
	c := &chain{hops: []arm{first}, counts: make([]record.Counts, 1)}
	if ok := first.target.OK; ok != nil {
		first.target.OK = func(status int) bool { return isRedirect(status) || ok(status) }
	}
	return c
}

// name gives the hops names that tell them apart, once there are several.
func (c *chain) name() {
	for i := range c.hops {
		c.hops[i].name(fmt.Sprintf("hop %d %s", i, armHost(c.hops[i])))
	}
}

func (c *chain) tell(note string) { c.notes = appendOnce(c.notes, note) }

// hold keeps the exchanges of a walk back until one walk got to an end, and then returns all of them.
func (c *chain) hold(walk []*record.Exchange) []*record.Exchange {
	c.held = append(c.held, walk...)
	if len(walk) == 0 || walk[len(walk)-1].Outcome != record.OK {
		return nil
	}
	return c.settle()
}

// settle makes the hops final and returns what was held back, under its final names.
func (c *chain) settle() []*record.Exchange {
	all := c.held
	c.settled, c.held = true, nil
	for _, ex := range all {
		ex.Route = c.hops[ex.Hop].route.Name
	}
	return all
}

func (c *chain) routes() []record.Route {
	var out []record.Route
	for _, h := range c.hops {
		out = append(out, h.route)
	}
	return out
}

// endOf is the end line of a run of one chain: what the schedule counts by walks is counted by hops.
func (c *chain) endOf(r schedule.Report) record.End {
	end := record.End{Stop: string(r.Stop), Pauses: pausesOf(r)}
	for i, h := range c.hops {
		counts := c.counts[i]
		counts.Asked = r.Counts.Asked
		counts.NotSent = counts.Asked - counts.Done()
		ending := record.ArmEnd{Route: h.route.Name, Counts: counts}
		if i == c.last {
			ending.Stop, ending.Failure, ending.Alike = string(r.Arms[0].Stop), r.Arms[0].Failure, r.Arms[0].Alike
		}
		end.Arms = append(end.Arms, ending)
		addCounts(&end.Counts, counts)
	}
	end.Notes = c.notes
	if c.strayed > 0 {
		end.Notes = append(end.Notes, fmt.Sprintf("%d of %d walks were redirected elsewhere than the first and ended there", c.strayed, r.Counts.Done()))
	}
	return end
}

func addCounts(sum *record.Counts, c record.Counts) {
	sum.Asked, sum.OK, sum.Throttled = sum.Asked+c.Asked, sum.OK+c.OK, sum.Throttled+c.Throttled
	sum.Failed, sum.Invalid = sum.Failed+c.Failed, sum.Invalid+c.Invalid
	sum.NotSent, sum.Priming = sum.NotSent+c.NotSent, sum.Priming+c.Priming
}
