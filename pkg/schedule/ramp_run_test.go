package schedule_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

func rampPlan(t *testing.T, r schedule.Ramp, policy schedule.Policy) schedule.Plan {
	t.Helper()
	steps, err := r.Steps()
	if err != nil {
		t.Fatal(err)
	}
	policy.ThrottledIsResult = true
	return schedule.Plan{Arms: arms(0), Steps: steps, Policy: policy}
}

func TestABurstLeavesAtOneInstantHoweverLongPreparingTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var released []time.Duration
		sv := &service{answer: always(0, good)}
		plan := rampPlan(t, schedule.Ramp{Stages: []int{16}}, schedule.Policy{})
		_, err := schedule.Run(t.Context(), plan, func(_ context.Context, s schedule.Slot) schedule.Result {
			time.Sleep(time.Duration(s.Worker) * ms)
			at := s.Release().Sub(began)
			sv.mu.Lock()
			defer sv.mu.Unlock()
			released = append(released, at, time.Since(began))
			return good
		}, sv.sink)
		if err != nil || len(released) != 32 {
			t.Fatal(err, len(released))
		}
		for _, at := range released {
			if at != 15*ms {
				t.Fatalf("released at %v, want all at 15 ms", released)
			}
		}
	})
}

func TestASlotThatFailsWhilePreparingDoesNotHoldTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{}
		plan := rampPlan(t, schedule.Ramp{Stages: []int{4}}, schedule.Policy{})
		rep, err := schedule.Run(t.Context(), plan, func(_ context.Context, s schedule.Slot) schedule.Result {
			if s.Worker == 2 {
				time.Sleep(time.Second)
				return dead
			}
			s.Release()
			s.Release()
			return good
		}, sv.sink)
		if err != nil || rep.Counts.OK != 3 || rep.Counts.Failed != 1 {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}

// TestLanesThrottleTheRestAndNothingIsRepeated: a service with 8 lanes gets 1, 4, 8, 16 at once.
func TestLanesThrottleTheRestAndNothingIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{}
		sv.answer = func(int, schedule.Slot) (time.Duration, schedule.Result) {
			if sv.now > 8 {
				return 10 * ms, busy(2 * time.Second)
			}
			return 2 * time.Second, good
		}
		plan := rampPlan(t, schedule.Ramp{Stages: []int{1, 4, 8, 16}, Gap: 65 * time.Second, After: 2, AfterGap: 10 * time.Second}, schedule.Policy{})
		rep := sv.run(t, t.Context(), plan)
		starts := map[int]float64{}
		for i, s := range sv.slots {
			if s.Role == schedule.Measured {
				starts[s.Stage] = sv.at[i].Seconds()
			}
		}
		if !reflect.DeepEqual(starts, map[int]float64{0: 0, 1: 67, 2: 134, 3: 201}) {
			t.Errorf("stages start at %v", starts)
		}
		if c := rep.Counts; c.Asked != 31 || c.OK != 1+4+8+8+2 || c.Throttled != 8 || rep.Stop != "" || sv.most != 16 {
			t.Errorf("%+v, %d at once", rep, sv.most)
		}
		if at := sv.at[30].Seconds(); at != 203+10+2+10 {
			t.Errorf("the last single request starts at %v", at)
		}
	})
}

func TestHoldKeepsItsNumberInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: always(3*time.Second, good)}
		mix := schedule.Mix{Weights: []int{2, 1}}
		rep := sv.run(t, t.Context(), rampPlan(t, schedule.Ramp{Stages: []int{4}, Hold: 10 * time.Second, Mix: mix}, schedule.Policy{}))
		if rep.Counts.OK != 16 || rep.Counts.Asked != 16 || sv.most != 4 || time.Since(sv.began) != 12*time.Second {
			t.Errorf("%+v, %d at once, %s", rep, sv.most, time.Since(sv.began))
		}
		templates, perWorker := map[int]int{}, map[int]int{}
		for i, s := range sv.slots {
			templates[s.Template]++
			perWorker[s.Worker]++
			if want := time.Duration(s.Pair) * 3 * time.Second; sv.at[i] != want {
				t.Errorf("worker %d sends round %d at %s", s.Worker, s.Pair, sv.at[i])
			}
		}
		if templates[0] != 11 || !reflect.DeepEqual(perWorker, map[int]int{0: 4, 1: 4, 2: 4, 3: 4}) {
			t.Errorf("templates %v, workers %v", templates, perWorker)
		}
	})
}

func TestOpenArrivalDoesNotWaitForAnswersAndTellsLateness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{}
		stopped := func() time.Duration { return max(0, 3*time.Second-time.Since(sv.began)) }
		sv.answer = func(_ int, s schedule.Slot) (time.Duration, schedule.Result) {
			if s.Intended >= time.Second {
				return stopped() + 10*ms, good
			}
			return 10 * ms, good
		}
		rep := sv.run(t, t.Context(), rampPlan(t, schedule.Ramp{Rates: []float64{10}, Hold: 4 * time.Second}, schedule.Policy{Ceiling: 8}))
		if rep.Counts.OK != 40 || sv.most != 8 {
			t.Fatalf("%+v, %d at once", rep, sv.most)
		}
		for i, s := range sv.slots {
			if s.Late != sv.at[i]-s.Intended || s.Late < 0 {
				t.Errorf("slot intended at %s starts at %s and says %s late", s.Intended, sv.at[i], s.Late)
			}
			held := s.Intended >= 1800*ms && s.Intended < 3010*ms
			if (s.Late > 0) != held {
				t.Errorf("slot intended at %s is %s late; eight places hold until 3.01 s", s.Intended, s.Late)
			}
		}
	})
}

func TestABudgetIsNeverExceeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			limit, each := 1+rng.IntN(40), 1+rng.IntN(2)
			r := schedule.Ramp{Stages: []int{1, 1 + rng.IntN(9), 1 + rng.IntN(20)}, After: rng.IntN(3)}
			if rng.IntN(2) == 0 {
				r.Hold = time.Second
			}
			if rng.IntN(3) == 0 {
				r.Stages, r.Rates, r.Hold = nil, []float64{5 + 20*rng.Float64()}, time.Second
			}
			plan := rampPlan(t, r, schedule.Policy{Cost: 25, Budget: float64(25*limit) + 24*rng.Float64()})
			plan.Arms[0].Requests = each
			sv := &service{answer: func(int, schedule.Slot) (time.Duration, schedule.Result) {
				return time.Duration(1+rng.IntN(900)) * ms, good
			}}
			rep := sv.run(t, t.Context(), plan)
			if rep.Requests > limit || rep.Requests != each*len(sv.slots) {
				t.Errorf("limit %d: %d requests in %d slots", limit, rep.Requests, len(sv.slots))
			}
			if (rep.Stop == schedule.StopBudget) != (rep.Counts.NotSent > 0) && r.Hold == 0 {
				t.Errorf("%+v", rep)
			}
		})
	}
}

func TestABurstIsPaidForWholeOrNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: always(ms, good)}
		rep := sv.run(t, t.Context(), rampPlan(t, schedule.Ramp{Stages: []int{4, 8}}, schedule.Policy{MaxRequests: 11}))
		if rep.Stop != schedule.StopBudget || rep.Counts.OK != 4 || rep.Counts.NotSent != 8 {
			t.Errorf("%+v", rep)
		}
	})
}

func TestPollKeepsItsOwnScheduleAndCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sv := &service{answer: func(_ int, s schedule.Slot) (time.Duration, schedule.Result) {
			switch {
			case s.Role == schedule.Measured:
				return 4 * time.Second, good
			case s.Stage == 1:
				return 2500 * ms, dead // longer than the interval: the starts it covers are left out
			}
			return 10 * ms, good
		}}
		plan := rampPlan(t, schedule.Ramp{Stages: []int{2, 4}, Gap: 1500 * ms}, schedule.Policy{MaxRequests: 6})
		plan.Arms = append(plan.Arms, schedule.Arm{Name: "health", Optional: true})
		plan.Poll = &schedule.Poll{Arm: 1, Every: time.Second}
		rep := sv.run(t, t.Context(), plan)
		var polls []float64
		for i, s := range sv.slots {
			if s.Role == schedule.Health {
				polls = append(polls, sv.at[i].Seconds())
			}
		}
		if want := []float64{0, 1, 2, 3, 4, 5, 6, 9}; !reflect.DeepEqual(polls, want) {
			t.Errorf("polls at %v, want %v", polls, want)
		}
		h := rep.Arms[1].Counts
		if h.OK != 6 || h.Failed != 2 || h.Asked != 8 || rep.Arms[0].Counts.OK != 6 || rep.Stop != "" || rep.Requests != 6 {
			t.Errorf("%+v", rep)
		}
	})
}

func TestEverySlotIsSentExactlyOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			p := schedule.Pairs{Arms: arms(1+rng.IntN(9), 1+rng.IntN(9), rng.IntN(5)), Seed: rng.Uint64(), Interval: 100 * ms, Jitter: 0.5}
			sv := &service{answer: func(int, schedule.Slot) (time.Duration, schedule.Result) {
				return time.Duration(rng.IntN(300)) * ms, []schedule.Result{good, dead, {Outcome: record.Invalid, Failure: "x"}}[rng.IntN(3)]
			}}
			rep := sv.run(t, t.Context(), schedule.Plan{Arms: p.Arms, Steps: p.Steps(), Policy: schedule.Policy{KeepGoing: true}})
			var got []schedule.Slot
			for _, s := range sv.stored {
				s.Seq, s.First = 0, false
				got = append(got, s)
			}
			if !reflect.DeepEqual(got, slotsOf(p.Steps())) || rep.Counts.NotSent != 0 {
				t.Errorf("sent %v", got)
			}
			for i, a := range rep.Arms {
				if a.Counts.Done() != p.Arms[i].N {
					t.Errorf("arm %d: %+v, want %d", i, a.Counts, p.Arms[i].N)
				}
			}
		})
	}
}
