package scenario_test

import (
	"sync"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab/actor"
	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

const ms = time.Millisecond

// stateFigures are the published figures of one state of case A.
func stateFigures(name string, samples []sample) []figure {
	pre := map[string]time.Duration{"state-0": 20, "state-1": 20, "state-2": 175, "state-3": 12}
	net := map[string]time.Duration{"state-1": 290, "state-2": 65, "state-3": 65}
	end := map[string]time.Duration{"state-2": 469, "state-3": 252}
	out := []figure{
		{name + " pre_forward", rank(samples, 50, named("pre_forward")), pre[name] * ms, pre[name]*ms/20 + 2*ms},
		{name + " upstream.origin", rank(samples, 50, named("upstream.origin")), 135 * ms, 4 * ms},
	}
	if net[name] > 0 {
		out = append(out, figure{name + " upstream.network", rank(samples, 50, network), net[name] * ms, 4 * ms})
	}
	if end[name] > 0 {
		out = append(out, figure{name + " total", rank(samples, 50, total), end[name] * ms, end[name] * ms * 3 / 100})
	}
	return out
}

// tailFigures are those of state 3's distribution.
func tailFigures(samples []sample) []figure {
	p10, p50 := rank(samples, 10, total), rank(samples, 50, total)
	return []figure{
		{"total p50 - p10", p50 - p10, 21 * ms, 6 * ms},
		{"total p90", rank(samples, 90, total), 460 * ms, 20 * ms},
		{"total p99", rank(samples, 99, total), 977 * ms, 20 * ms},
	}
}

func fallbacks(samples []sample) int {
	count := 0
	for _, s := range samples {
		if s.header.Get(actor.AnsweredBy) == "fallback" {
			count++
		}
	}
	return count
}

var states = []string{"state-0", "state-1", "state-2", "state-3"}

// runStates asks every state n times, the states side by side.
func runStates(t *testing.T, w *scenario.World, n int) map[string][]sample {
	t.Helper()
	all := make([][]sample, len(states))
	var wg sync.WaitGroup
	for i, name := range states {
		a := armOf(t, w, name)
		wg.Go(func() { all[i] = collect(t, w, a, n) })
	}
	wg.Wait()
	out := map[string][]sample{}
	for i, name := range states {
		out[name] = all[i]
	}
	return out
}

func TestStrandedState(t *testing.T) {
	t.Parallel()
	checkStates(t, 7, 25)
}

// Other seeds and longer runs say the same: the figures are those of the
// distributions, not of one order.
func TestStrandedStateWithOtherSeeds(t *testing.T) {
	if testing.Short() || !servertest.HoldFigures() {
		t.Skipf("takes two minutes; set %s to run it", servertest.RequireEnv)
	}
	checkStates(t, 1, 100)
	checkStates(t, 2026, 25)
}

func checkStates(t *testing.T, seed uint64, n int) {
	t.Helper()
	w := open(t, "stranded-state", seed)
	agree(t, func() []figure {
		var figures []figure
		for name, samples := range runStates(t, w, n) {
			figures = append(figures, fallbackFigure(name, samples))
			figures = append(figures, stateFigures(name, samples)...)
			figures = append(figures, restFigures(name, samples)...)
			if name == "state-3" {
				figures = append(figures, tailFigures(samples)...)
			}
		}
		return figures
	})
}

// restFigures is what is left of the wait when the round trip to the edge,
// pre_forward and upstream are taken out: the 54 ms nobody reports.
func restFigures(name string, samples []sample) []figure {
	want, ok := map[string]time.Duration{"state-2": 54 * ms, "state-3": 0}[name]
	if !ok {
		return nil
	}
	const edge = 10 * ms
	rest := rank(samples, 50, func(s sample) (time.Duration, bool) {
		pre, _ := s.metric("pre_forward")
		up, ok := s.metric("upstream")
		return s.ttfb - s.setup - edge - pre - up, ok
	})
	return []figure{{name + " unattributed", rest, want, 8 * ms}}
}

// fallbackFigure is the share of answers that came from the fallback: a quarter in
// state 1 and none elsewhere. One ms stands for one percent.
func fallbackFigure(name string, samples []sample) figure {
	share := time.Duration(fallbacks(samples)) * 100 * ms / time.Duration(len(samples))
	if name == "state-1" {
		return figure{name + " fallback, percent as ms", share, 25 * ms, 6 * ms}
	}
	return figure{name + " fallback, percent as ms", share, 0, 0}
}

func TestSignsSayWhereItWasAcceptedAndWhereItRan(t *testing.T) {
	t.Parallel()
	w := open(t, "stranded-state", 3)
	for name, want := range map[string][2]string{
		"state-1": {"remote-SJC", "LAX"}, "state-2": {"local-NRT", "LAX"}, "state-3": {"local-NRT", "NRT"},
	} {
		h := run(t, w, armOf(t, w, name), 1)[0].header
		if ray := h.Get("Cf-Ray"); len(ray) != 20 || ray[17:] != "NRT" {
			t.Errorf("%s: cf-ray %q, want it to end in NRT", name, ray)
		}
		if got := [2]string{h.Get("Cf-Placement"), h.Get("X-Do-Colo")}; got != want {
			t.Errorf("%s: placement and state %v, want %v", name, got, want)
		}
	}
}
