package load

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Comparison is two ramps, stage by stage. They are separate runs: what changed between them besides
// the service is in no interval.
type Comparison struct {
	Before, After *Ramp
	Key           segment.Key // of the figures: first_text when both streamed text, else total
	Steps         []Step
	Alone         [2][]int // numbers of stages only one ramp has: of before, of after
	Doubts        []string // what was not the same in both
}

// Step is one number in parallel, or one rate, in both ramps.
type Step struct {
	Before, After *Stage
	Change        stats.Change // of the p50 of the key over accepted exchanges
	// P is of the rank test of the accepted, adjusted over all steps (Holm); PThrottled of the shares
	// that were throttled (Fisher), adjusted likewise.
	P, PThrottled float64
}

// Verdict is what a step's change amounts to.
type Verdict string

// The verdicts.
const (
	Faster Verdict = "faster"
	Slower Verdict = "slower"
	Noise  Verdict = "noise" // what this many cannot tell from nothing
)

// Believed reports whether both stages were what they claim to be.
func (s *Step) Believed() bool { return len(s.Before.Doubts)+len(s.After.Doubts) == 0 }

// Verdict judges the change of the figures; of a step that is not believed it is noise.
func (s *Step) Verdict() Verdict {
	delta := time.Duration(s.Change.Delta)
	big := time.Duration(math.Abs(float64(delta))) > unnoticed(s.Change.Before.Value, s.Change.After.Value)
	switch {
	case s.P >= 0.05 || !big || !s.Believed():
		return Noise
	case delta < 0:
		return Faster
	}
	return Slower
}

// Compare joins two ramps by the numbers of their stages. A number that comes several times is joined
// in order.
func Compare(before, after *Ramp) *Comparison {
	c := &Comparison{Before: before, After: after, Key: segment.Total}
	if before.Key() == segment.FirstText && after.Key() == segment.FirstText {
		c.Key = segment.FirstText
	}
	taken := make([]bool, len(after.Stages))
	for i := range before.Stages {
		b := &before.Stages[i]
		j := slices.IndexFunc(after.Stages, func(a Stage) bool { return !taken[a.position(after)] && a.alike(b) })
		if j < 0 {
			c.Alone[0] = append(c.Alone[0], b.Parallel)
			continue
		}
		taken[j] = true
		c.Steps = append(c.Steps, c.step(b, &after.Stages[j]))
	}
	for j := range after.Stages {
		if !taken[j] {
			c.Alone[1] = append(c.Alone[1], after.Stages[j].Parallel)
		}
	}
	c.adjust()
	c.Doubts = doubtsBetween(before, after)
	return c
}

func (s *Stage) alike(o *Stage) bool { return s.Parallel == o.Parallel && s.Rate == o.Rate }

func (s *Stage) position(r *Ramp) int {
	return slices.IndexFunc(r.Stages, func(o Stage) bool { return o.Index == s.Index })
}

func (c *Comparison) step(b, a *Stage) Step {
	before, after := b.values(c.Key), a.values(c.Key)
	return Step{
		Before: b, After: a,
		Change:     stats.ChangeOf(stats.Sorted(before), stats.Sorted(after), stats.P50, stats.ChangeOptions{}),
		P:          stats.MannWhitney(before, after).P,
		PThrottled: stats.Fisher(b.Counts.Throttled, b.Counts.Done(), a.Counts.Throttled, a.Counts.Done()),
	}
}

func (c *Comparison) adjust() {
	times, shares := make([]float64, len(c.Steps)), make([]float64, len(c.Steps))
	for i, s := range c.Steps {
		times[i], shares[i] = s.P, s.PThrottled
	}
	times, shares = stats.Holm(times), stats.Holm(shares)
	for i := range c.Steps {
		c.Steps[i].P, c.Steps[i].PThrottled = times[i], shares[i]
	}
}

// doubtsBetween names what was not the same in both runs.
func doubtsBetween(before, after *Ramp) []string {
	var out []string
	differ := func(what, b, a string) {
		if b != a {
			out = append(out, fmt.Sprintf("%s: %s before, %s after", what, orNone(b), orNone(a)))
		}
	}
	differ("URL", urlOf(before), urlOf(after))
	differ("protocol", before.Protocol, after.Protocol)
	differ("state", stateOf(before), stateOf(after))
	differ("templates", fmt.Sprint(before.Plan.Templates), fmt.Sprint(after.Plan.Templates))
	differ("rounds", fmt.Sprint(max(1, before.Plan.Rounds)), fmt.Sprint(max(1, after.Plan.Rounds)))
	differ("hold", before.Plan.Hold.String(), after.Plan.Hold.String())
	differ("from", before.Run.Vantage.From, after.Run.Vantage.From)
	return out
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func urlOf(r *Ramp) string   { return loadRoute(r).URL }
func stateOf(r *Ramp) string { return loadRoute(r).State }

// loadRoute is the first route the load went over.
func loadRoute(r *Ramp) record.Route {
	for _, route := range r.Run.Routes {
		if route.Role != "health" {
			return route
		}
	}
	return record.Route{}
}
