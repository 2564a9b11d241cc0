package schedule_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// service answers slots in virtual time and writes down when each came.
type service struct {
	answer func(n int, s schedule.Slot) (time.Duration, schedule.Result) // n counts requests from 0

	mu     sync.Mutex // guards what follows
	began  time.Time
	at     []time.Duration
	slots  []schedule.Slot
	stored []schedule.Slot
	now    int
	most   int // under way at once
}

func (sv *service) do(ctx context.Context, s schedule.Slot) schedule.Result {
	s.Release()
	sv.mu.Lock()
	n := len(sv.slots)
	sv.slots = append(sv.slots, s)
	sv.at = append(sv.at, time.Since(sv.began))
	sv.now++
	sv.most = max(sv.most, sv.now)
	took, res := sv.answer(n, s)
	sv.mu.Unlock()
	defer func() {
		sv.mu.Lock()
		sv.now--
		sv.mu.Unlock()
	}()
	select {
	case <-time.After(took):
		return res
	case <-ctx.Done():
		if !errors.Is(context.Cause(ctx), schedule.ErrInterrupted) {
			panic("a Do's context ended for another reason")
		}
		return schedule.Result{Outcome: record.Invalid, Failure: "interrupted"}
	}
}

func (sv *service) sink(s schedule.Slot, _ schedule.Result) error {
	sv.stored = append(sv.stored, s)
	return nil
}

func (sv *service) run(t *testing.T, ctx context.Context, plan schedule.Plan) schedule.Report {
	t.Helper()
	sv.began = time.Now()
	rep, err := schedule.Run(ctx, plan, sv.do, sv.sink)
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, rep, len(sv.slots))
	if len(sv.stored) != len(sv.slots) {
		t.Errorf("%d of %d results were stored", len(sv.stored), len(sv.slots))
	}
	return rep
}

// checkReport holds the laws of counts: complete, and the sum of the arms'.
func checkReport(t *testing.T, rep schedule.Report, sent int) {
	t.Helper()
	c := rep.Counts
	if c.Asked != c.Done()+c.NotSent || c.Done() != sent {
		t.Errorf("counts %+v do not add up with %d sent", c, sent)
	}
	asked, done := 0, 0
	for _, a := range rep.Arms {
		asked, done = asked+a.Counts.Asked, done+a.Counts.Done()
	}
	if asked != c.Asked || done != c.Done() {
		t.Errorf("arms add up to %d asked, %d done; the run says %+v", asked, done, c)
	}
}

var (
	good = schedule.Result{Outcome: record.OK}
	dead = schedule.Result{Outcome: record.Failed, Failure: "tcp timeout 0"}
)

func always(took time.Duration, res schedule.Result) func(int, schedule.Slot) (time.Duration, schedule.Result) {
	return func(int, schedule.Slot) (time.Duration, schedule.Result) { return took, res }
}

func busy(after time.Duration) schedule.Result {
	return schedule.Result{Outcome: record.Throttled, RetryAfter: after, HasRetryAfter: true}
}

func pairs(interval time.Duration, ns ...int) schedule.Plan {
	p := schedule.Pairs{Arms: arms(ns...), Seed: 1, Interval: interval}
	return schedule.Plan{Arms: p.Arms, Steps: p.Steps()}
}

func seconds(at []time.Duration) (s []float64) {
	for _, d := range at {
		s = append(s, d.Seconds())
	}
	return s
}

func TestStartsAreAnIntervalApartOrFollowALongExchange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: func(n int, _ schedule.Slot) (time.Duration, schedule.Result) {
			if n == 1 {
				return 450 * ms, good
			}
			return 50 * ms, good
		}}
		rep := sv.run(t, t.Context(), pairs(200*ms, 5))
		want := []float64{0, .2, .65, .85, 1.05}
		if got := seconds(sv.at); !reflect.DeepEqual(got, want) {
			t.Errorf("starts %v, want %v: late ones are not caught up", got, want)
		}
		if rep.Stop != "" || rep.Counts.OK != 5 || sv.most != 1 {
			t.Errorf("%+v, %d at once", rep, sv.most)
		}
	})
}

func TestSeqIsTheSendOrderAndFirstComesOncePerArm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: always(ms, good)}
		sv.run(t, t.Context(), pairs(0, 4, 4, 4))
		firsts := map[int]int{}
		for i, s := range sv.stored {
			if s.Seq != i {
				t.Errorf("slot %d has seq %d", i, s.Seq)
			}
			if s.First {
				firsts[s.Arm]++
				if s.Pair != 0 {
					t.Errorf("arm %d is first in round %d", s.Arm, s.Pair)
				}
			}
		}
		if !reflect.DeepEqual(firsts, map[int]int{0: 1, 1: 1, 2: 1}) {
			t.Errorf("firsts %v", firsts)
		}
	})
}

func TestDeadHostCostsExactlyThree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: always(10*time.Second, dead)}
		rep := sv.run(t, t.Context(), pairs(200*ms, 25))
		a := rep.Arms[0]
		if len(sv.slots) != 3 || rep.Stop != schedule.StopFailures || rep.Counts.NotSent != 22 || a.Alike != 3 || a.Failure != dead.Failure {
			t.Errorf("%d sent, %+v", len(sv.slots), rep)
		}
	})
}

func TestWhichStreaksStopAnArm(t *testing.T) {
	other := schedule.Result{Outcome: record.Failed, Failure: "wait status 500"}
	wrongName := schedule.Result{Outcome: record.Failed, Failure: "tls tls 0", Fatal: "certificate for another name"}
	warm := schedule.Result{Outcome: record.Invalid, Failure: "invalid connection was reused"}
	for name, c := range map[string]struct {
		answers []schedule.Result // then good for ever
		keep    bool
		sent    int
		stop    schedule.Stop
	}{
		"an ok first":             {answers: []schedule.Result{good, dead, dead, dead, dead}, sent: 10},
		"two, an ok, then more":   {answers: []schedule.Result{dead, dead, good, dead, dead, dead}, sent: 10},
		"another kind between":    {answers: []schedule.Result{dead, dead, other, dead, dead, dead}, sent: 6, stop: schedule.StopFailures},
		"throttled between":       {answers: []schedule.Result{dead, dead, busy(0), dead, dead, dead}, sent: 6, stop: schedule.StopFailures},
		"invalid alike":           {answers: []schedule.Result{warm, warm, warm, warm}, sent: 3, stop: schedule.StopFailures},
		"a wrong certificate":     {answers: []schedule.Result{wrongName}, sent: 1, stop: schedule.StopFatal},
		"it, after an ok":         {answers: []schedule.Result{good, wrongName}, sent: 10},
		"keep going":              {answers: []schedule.Result{dead, dead, dead, dead}, keep: true, sent: 10},
		"keep going though fatal": {answers: []schedule.Result{wrongName}, keep: true, sent: 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sv := &service{answer: func(n int, _ schedule.Slot) (time.Duration, schedule.Result) {
					if n < len(c.answers) {
						return ms, c.answers[n]
					}
					return ms, good
				}}
				plan := pairs(200*ms, 10)
				plan.Policy.KeepGoing = c.keep
				if rep := sv.run(t, t.Context(), plan); len(sv.slots) != c.sent || rep.Stop != c.stop {
					t.Errorf("%d sent, stop %q; want %d, %q", len(sv.slots), rep.Stop, c.sent, c.stop)
				}
			})
		})
	}
}

// oneBad answers for a run in which one arm never works.
func oneBad(arm int, res schedule.Result) func(int, schedule.Slot) (time.Duration, schedule.Result) {
	return func(_ int, s schedule.Slot) (time.Duration, schedule.Result) {
		if s.Arm == arm {
			return ms, res
		}
		return ms, good
	}
}

func TestArmsStopAloneOrTogetherAfterTheRound(t *testing.T) {
	fatal := schedule.Result{Outcome: record.Failed, Failure: "tls", Fatal: "wrong name"}
	for name, c := range map[string]struct {
		bad      schedule.Result
		together bool
		optional bool
		want     []int // sent of each arm
	}{
		"dead, alone":            {bad: dead, want: []int{10, 3, 10}},
		"dead, together":         {bad: dead, together: true, want: []int{3, 3, 3}},
		"fatal, together":        {bad: fatal, together: true, want: []int{1, 1, 1}},
		"optional one, together": {bad: fatal, together: true, optional: true, want: []int{10, 1, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(8) {
				synctest.Test(t, func(t *testing.T) {
					p := schedule.Pairs{Arms: arms(10, 10, 10), Seed: seed, Interval: 200 * ms}
					p.Arms[1].Optional = c.optional
					sv := &service{answer: oneBad(1, c.bad)}
					rep := sv.run(t, t.Context(), schedule.Plan{Arms: p.Arms, Steps: p.Steps(), Policy: schedule.Policy{Together: c.together}})
					var got []int
					for _, a := range rep.Arms {
						got = append(got, a.Counts.Done())
					}
					if !reflect.DeepEqual(got, c.want) {
						t.Errorf("seed %d: sent %v, want %v", seed, got, c.want)
					}
				})
			}
		})
	}
}

func TestThrottlingStormCostsExactlyThree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: always(40*ms, busy(20*time.Second))}
		rep := sv.run(t, t.Context(), pairs(200*ms, 25, 25))
		if got := seconds(sv.at); !reflect.DeepEqual(got, []float64{0, 20.04, 40.08}) {
			t.Errorf("starts %v", got)
		}
		want := []schedule.Pause{{Seq: 0, For: 20 * time.Second, Granted: true}, {Seq: 1, For: 20 * time.Second, Granted: true}}
		if rep.Stop != schedule.StopThrottled || rep.Counts.Throttled != 3 || rep.Counts.NotSent != 47 || !reflect.DeepEqual(rep.Pauses, want) {
			t.Errorf("%+v", rep)
		}
	})
}

func TestPauses(t *testing.T) {
	for name, c := range map[string]struct {
		asked    schedule.Result
		maxPause time.Duration
		second   float64 // start of the second exchange; -1 for none
	}{
		"as asked":               {asked: busy(7 * time.Second), second: 7},
		"at once":                {asked: busy(0), second: .2},
		"the longest":            {asked: busy(60 * time.Second), second: 60},
		"beyond the longest":     {asked: busy(61 * time.Second), second: -1},
		"a longest of one's own": {asked: busy(61 * time.Second), maxPause: time.Hour, second: 61},
		"not told how long":      {asked: schedule.Result{Outcome: record.Throttled}, second: 5},
		"not told, short limit":  {asked: schedule.Result{Outcome: record.Throttled}, maxPause: time.Second, second: 1},
		"no pause granted":       {asked: busy(time.Second), maxPause: -1, second: -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sv := &service{answer: func(n int, _ schedule.Slot) (time.Duration, schedule.Result) {
					if n == 0 {
						return 0, c.asked
					}
					return ms, good
				}}
				plan := pairs(200*ms, 2)
				plan.Policy.MaxPause = c.maxPause
				rep := sv.run(t, t.Context(), plan)
				second := -1.0
				if len(sv.at) > 1 {
					second = sv.at[1].Seconds()
				}
				if second != c.second || (second < 0) != (rep.Stop == schedule.StopLongPause) || rep.Pauses[0].Granted != (second >= 0) {
					t.Errorf("second start %v, want %v; %+v", second, c.second, rep)
				}
			})
		})
	}
}

func TestCancelledWhileWaitingStartsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*ms, cancel)
		sv := &service{answer: always(50*ms, good)}
		rep := sv.run(t, ctx, pairs(200*ms, 25))
		if rep.Stop != schedule.StopCancelled || rep.Counts.OK != 3 || rep.Counts.NotSent != 22 || time.Since(sv.began) != 500*ms {
			t.Errorf("%+v after %s", rep, time.Since(sv.began))
		}
	})
}

func TestCancelledUnderWayDrainsAsThePolicySays(t *testing.T) {
	for name, c := range map[string]struct {
		drain   time.Duration
		ends    time.Duration
		invalid int
	}{
		"cut at once":         {0, 1 * time.Second, 8},
		"let finish":          {-1, 5 * time.Second, 0},
		"given time":          {3 * time.Second, 4 * time.Second, 8},
		"given time to spare": {30 * time.Second, 5 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				sv := &service{answer: always(5*time.Second, good)}
				steps, _ := schedule.Ramp{Stages: []int{8, 16}}.Steps()
				rep := sv.run(t, ctx, schedule.Plan{Arms: arms(0), Steps: steps, Policy: schedule.Policy{Drain: c.drain}})
				if rep.Stop != schedule.StopCancelled || rep.Counts.Invalid != c.invalid || rep.Counts.NotSent != 16 || time.Since(sv.began) != c.ends {
					t.Errorf("%+v after %s", rep, time.Since(sv.began))
				}
			})
		})
	}
}

func TestCancelledBeforeItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		sv := &service{answer: always(ms, good)}
		if rep := sv.run(t, ctx, pairs(0, 5)); rep.Counts.NotSent != 5 || rep.Stop != schedule.StopCancelled {
			t.Errorf("%+v", rep)
		}
	})
}

func TestASinkErrorEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk full")
		sv := &service{answer: always(ms, good)}
		plan := pairs(ms, 10)
		rep, err := schedule.Run(t.Context(), plan, sv.do, func(s schedule.Slot, _ schedule.Result) error {
			if s.Seq == 2 {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || err.Error() != "store exchange 2: disk full" || rep.Stop != schedule.StopSink || len(sv.slots) != 3 {
			t.Errorf("%v, %+v", err, rep)
		}
	})
}

func TestARunIsExtendedWithoutForgetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := schedule.Pairs{Arms: arms(3, 3), Seed: 4, Interval: time.Second}
		plan := schedule.Plan{Arms: p.Arms, Steps: p.Steps(), Policy: schedule.Policy{MaxRequests: 9}}
		sv := &service{answer: always(100*ms, good), began: time.Now()}
		r := schedule.NewRunner(plan, sv.do, sv.sink)
		if _, err := r.Run(t.Context(), plan.Steps); err != nil {
			t.Fatal(err)
		}
		rep, err := r.Run(t.Context(), p.More(3, 2))
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, rep, 9)
		if rep.Stop != schedule.StopBudget || sv.stored[8].Seq != 8 || sv.at[6] != 6*time.Second || sv.stored[6].Pair != 3 || sv.stored[6].First {
			t.Errorf("%+v, starts %v", rep, seconds(sv.at))
		}
	})
}

func TestOfReadsAnExchange(t *testing.T) {
	x := &record.Exchange{Outcome: record.Failed, Status: 403, Error: &record.Error{Class: record.ClassStatus, Segment: 7}}
	fatal := func(x *record.Exchange) string { return "asked " + string(x.Error.Class) }
	if r := schedule.Of(fatal, x); r.Failure != "wait status 403" || r.Fatal != "asked status" {
		t.Errorf("%+v", r)
	}
	x = &record.Exchange{Outcome: record.Throttled, Throttle: &record.Throttle{RetryAfter: 3, HasRetryAfter: true}}
	if r := schedule.Of(fatal, x); r.Failure != "" || r.Fatal != "" || r.RetryAfter != 3 || !r.HasRetryAfter {
		t.Errorf("%+v", r)
	}
	prime := &record.Exchange{Outcome: record.OK, Prime: true}
	if r := schedule.Of(nil, prime, &record.Exchange{Outcome: record.Invalid}); r.Outcome != record.Invalid || len(r.Exchanges) != 2 || r.Failure == "" {
		t.Errorf("%+v", r)
	}
}
