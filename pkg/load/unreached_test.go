package load

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// paced adds n requests due at even times of rate; late is how long after its time each was started.
func (r *ramped) paced(stage, n int, rate float64, late func(i int) time.Duration) {
	began := r.at
	for i := range n {
		o := ok(2 * time.Second)
		o.late = late(i)
		r.at = began.Add(time.Duration(float64(i)/rate*float64(time.Second)) + o.late)
		r.add(stage, 0, o)
	}
	r.at = began.Add(time.Minute)
}

// TestARateNeverReachedIsNotServed: four at once, two seconds each, make two a second of the ten asked.
func TestARateNeverReachedIsNotServed(t *testing.T) {
	r := newRamped(Plan{Rates: []float64{1, 10}, Hold: 2 * time.Second, Ceiling: 4})
	r.paced(0, 2, 1, func(int) time.Duration { return 0 })
	r.paced(1, 20, 10, func(i int) time.Duration {
		return max(0, time.Duration(i/4)*2*time.Second-time.Duration(i)*100*ms)
	})
	got := r.read(t)
	s := got.Stages[1]
	if !s.Unreached() || s.Sent < 2 || s.Sent > 2.6 || s.Late < 3*time.Second || s.Took != 10*time.Second {
		t.Errorf("sent %v a second, %s late, took %s, doubts %v", s.Sent, s.Late, s.Took, s.Doubts)
	}
	if i, any := got.LastClean(); !any || i != 0 {
		t.Errorf("last clean %d %v", i, any)
	}
	if i, any := got.LargestReached(); !any || i != 0 {
		t.Errorf("largest reached %d %v", i, any)
	}
}

func TestAStallThatWasCaughtUpReachesItsRate(t *testing.T) {
	r := newRamped(Plan{Rates: []float64{10}, Hold: 4 * time.Second})
	r.paced(0, 40, 10, func(i int) time.Duration {
		if i < 10 || i > 25 {
			return 0
		}
		return time.Duration(26-i) * 90 * ms
	})
	if s := r.read(t).Stages[0]; s.Unreached() || s.Sent < 9.9 {
		t.Errorf("sent %v a second, doubts %v", s.Sent, s.Doubts)
	}
}

func TestNoiseBetweenStagesIsNoDifference(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []one
		want          bool
	}{
		"two against one":       {many(2, 1000*ms, 0, ok(0)), many(1, 909*ms, 0, ok(0)), false},
		"four a side":           {many(4, 1000*ms, ms, ok(0)), many(4, 2000*ms, ms, ok(0)), false},
		"one millisecond":       {many(40, 1000*ms, 0, ok(0)), many(40, 1001*ms, 0, ok(0)), false},
		"within the spread":     {many(8, 1000*ms, 100*ms, ok(0)), many(8, 1050*ms, 100*ms, ok(0)), false},
		"beyond it":             {many(8, 1000*ms, 10*ms, ok(0)), many(8, 1500*ms, 10*ms, ok(0)), true},
		"beyond it and quicker": {many(8, 1500*ms, 10*ms, ok(0)), many(8, 1000*ms, 10*ms, ok(0)), true},
	} {
		r := newRamped(Plan{Stages: []int{len(c.before), len(c.after)}})
		r.stage(0, c.before...)
		r.stage(1, c.after...)
		got := r.read(t)
		if differs := got.Stages[1].Differs(&got.Stages[0], segment.Total); differs != c.want {
			t.Errorf("%s: differs %v", name, differs)
		}
	}
}

// TestARateIsOverTheTimeAStageWasKeptUp: a service that throttles leaves its workers resting, and its last
// exchange ends long before the hold does.
func TestARateIsOverTheTimeAStageWasKeptUp(t *testing.T) {
	const hold = 4 * time.Second
	for name, c := range map[string]struct {
		hold      time.Duration
		accepted  int
		throttled int
		stop      string
		want      float64
		has       bool
	}{
		"one burst":             {accepted: 8},
		"kept up":               {hold: hold, accepted: 8, want: 2, has: true},
		"throttled":             {hold: hold, accepted: 2, throttled: 1, want: 0.5, has: true},
		"nothing accepted":      {hold: hold, throttled: 1, has: true},
		"cut off":               {hold: hold, accepted: 4, stop: "cancelled", want: 2, has: true},
		"cut off while resting": {hold: hold, accepted: 4, throttled: 1, stop: "cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRamped(Plan{Stages: []int{1}, Hold: c.hold})
			began := r.at
			for i := range c.accepted + c.throttled {
				r.at = began.Add(time.Duration(i) * 500 * ms)
				one := ok(500 * time.Millisecond)
				if i >= c.accepted {
					one = throttled(time.Millisecond)
				}
				r.add(0, i, one)
			}
			r.end.Stop = c.stop
			if s := r.read(t).Stages[0]; s.OKRate != c.want || s.HasOKRate != c.has {
				t.Errorf("%v accepted a second (%v), want %v (%v)", s.OKRate, s.HasOKRate, c.want, c.has)
			}
		})
	}
}

// A stage whose workers rested out a refusal was told as cut off when a later one was stopped.
func TestOnlyTheLatestStageIsCutOff(t *testing.T) {
	r := newRamped(Plan{Stages: []int{1, 2}, Hold: 4 * time.Second})
	began := r.at
	r.add(0, 0, ok(500*time.Millisecond))
	r.add(0, 1, throttled(time.Millisecond))
	r.at = began.Add(10 * time.Second)
	r.add(1, 0, ok(time.Second))
	r.end.Stop = "cancelled"
	got := r.read(t).Stages
	if got[0].Cut || got[0].OKRate != 0.25 || !got[0].HasOKRate {
		t.Errorf("first: cut off %v, %v accepted a second (%v), want 0.25", got[0].Cut, got[0].OKRate, got[0].HasOKRate)
	}
	if !got[1].Cut || got[1].OKRate != 1 {
		t.Errorf("second: cut off %v, %v accepted a second, want 1", got[1].Cut, got[1].OKRate)
	}
}
