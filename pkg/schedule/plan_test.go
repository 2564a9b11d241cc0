package schedule_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/schedule"
)

const ms = time.Millisecond

func slotsOf(steps []schedule.Step) (slots []schedule.Slot) {
	for _, st := range steps {
		slots = append(slots, st.Slots...)
	}
	return slots
}

func arms(ns ...int) []schedule.Arm {
	out := make([]schedule.Arm, len(ns))
	for i, n := range ns {
		out[i] = schedule.Arm{N: n}
	}
	return out
}

func TestPairsHoldEachSlotOnceAndEachArmItsNumber(t *testing.T) {
	for seed := range uint64(50) {
		p := schedule.Pairs{Arms: arms(25, 25, 3, 1), Seed: seed}
		seen := map[[2]int]bool{}
		counts := make([]int, len(p.Arms))
		round := 0
		for _, s := range slotsOf(p.Steps()) {
			at := [2]int{s.Arm, s.Pair}
			if seen[at] || s.Pair < round || s.Stage != schedule.NoStage {
				t.Fatalf("seed %d: slot %+v stands twice or out of its round", seed, s)
			}
			seen[at], round = true, s.Pair
			counts[s.Arm]++
		}
		if !reflect.DeepEqual(counts, []int{25, 25, 3, 1}) {
			t.Fatalf("seed %d: counts %v", seed, counts)
		}
	}
}

func TestSameSeedSamePlanOtherSeedOtherOrder(t *testing.T) {
	p := schedule.Pairs{Arms: arms(25, 25), Seed: 7, Interval: 200 * ms, Jitter: schedule.DefaultJitter}
	if !reflect.DeepEqual(p.Steps(), p.Steps()) {
		t.Error("the same seed gave two plans")
	}
	q := p
	q.Seed = 8
	if reflect.DeepEqual(slotsOf(p.Steps()), slotsOf(q.Steps())) {
		t.Error("another seed gave the same order")
	}
	q = p
	q.Jitter = 0.5
	if !reflect.DeepEqual(slotsOf(p.Steps()), slotsOf(q.Steps())) {
		t.Error("more jitter changed the order")
	}
}

func TestAnExtendedPlanIsTheLongerPlan(t *testing.T) {
	short := schedule.Pairs{Arms: arms(25, 25, 25), Seed: 3, Interval: 200 * ms, Jitter: schedule.DefaultJitter}
	long := short
	long.Arms = arms(40, 40, 40)
	if got := append(short.Steps(), short.More(25, 15)...); !reflect.DeepEqual(got, long.Steps()) {
		t.Error("25 rounds and 15 more differ from 40")
	}
}

// TestTheCoinIsFair: over many seeds, and over the rounds of one seed, each order of the arms comes
// about equally often; the first round is drawn like the others. The bounds are 5 standard errors.
func TestTheCoinIsFair(t *testing.T) {
	const draws = 6000
	orderOf := func(slots []schedule.Slot) (o [3]int) {
		for i := range o {
			o[i] = slots[i].Arm
		}
		return o
	}
	firstRounds, rounds := map[[3]int]int{}, map[[3]int]int{}
	for seed := range uint64(draws) {
		firstRounds[orderOf(slotsOf(schedule.Pairs{Arms: arms(1, 1, 1), Seed: seed}.Steps()))]++
	}
	slots := slotsOf(schedule.Pairs{Arms: arms(draws, draws, draws), Seed: 1}.Steps())
	same := 0
	for i := 0; i < len(slots); i += 3 {
		rounds[orderOf(slots[i:])]++
		if i > 0 && slots[i].Arm == slots[i-3].Arm {
			same++
		}
	}
	const want, se = draws / 6.0, 28.9 // sqrt(6000 * 1/6 * 5/6)
	for name, counts := range map[string]map[[3]int]int{"first rounds": firstRounds, "rounds": rounds} {
		if len(counts) != 6 {
			t.Errorf("%s: only %d of 6 orders came", name, len(counts))
		}
		for o, n := range counts {
			if math.Abs(float64(n)-want) > 5*se {
				t.Errorf("%s: order %v came %d times, want about %.0f", name, o, n, want)
			}
		}
	}
	if math.Abs(float64(same)-draws/3.0) > 5*36.5 {
		t.Errorf("the same arm led two rounds in a row %d times, want about %d", same, draws/3)
	}
}

func TestIntervalsStayWithinTheirJitter(t *testing.T) {
	p := schedule.Pairs{Arms: arms(500), Seed: 5, Interval: 200 * ms, Jitter: 0.25}
	least, most, total := time.Hour, time.Duration(0), time.Duration(0)
	for _, st := range p.Steps() {
		least, most, total = min(least, st.After), max(most, st.After), total+st.After
	}
	if least < 150*ms || most > 250*ms || most-least < 90*ms {
		t.Errorf("gaps lie between %s and %s, want nearly all of 150 to 250 ms", least, most)
	}
	if mean := total / 500; mean < 193*ms || mean > 207*ms {
		t.Errorf("mean gap %s, want about 200 ms", mean)
	}
	p.Jitter = 0
	for _, st := range p.Steps() {
		if st.After != 200*ms {
			t.Fatalf("gap %s without jitter", st.After)
		}
	}
}

func TestSpreadIsEvenPositiveAndAsLongAsAsked(t *testing.T) {
	p := schedule.Pairs{Arms: arms(10, 10), Seed: 5, Spread: 30 * time.Minute, Jitter: 0.5}
	at := time.Duration(0)
	for i, st := range p.Steps()[1:] {
		if at += st.After; st.After <= 0 {
			t.Fatalf("gap %d is %s", i, st.After)
		}
		if drift := at - time.Duration(i+1)*90*time.Second; drift.Abs() > 45*time.Second {
			t.Errorf("slot %d starts %s off its place", i+1, drift)
		}
	}
}

func TestSequentialOrder(t *testing.T) {
	var got []int
	for _, s := range slotsOf(schedule.Pairs{Arms: arms(2, 3), Order: schedule.Sequential}.Steps()) {
		got = append(got, s.Arm)
	}
	if !reflect.DeepEqual(got, []int{0, 0, 1, 1, 1}) {
		t.Errorf("arms %v", got)
	}
}

func TestRampSteps(t *testing.T) {
	steps, err := schedule.Ramp{Stages: []int{1, 4}, Rounds: 2, Gap: time.Second, After: 2, AfterGap: 3 * time.Second}.Steps()
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		n, stage, round int
		gap             time.Duration
		role            schedule.Role
	}
	var got []row
	for _, st := range steps {
		s := st.Slots[0]
		got = append(got, row{len(st.Slots), s.Stage, s.Pair, st.Gap, s.Role})
	}
	want := []row{
		{1, 0, 0, time.Second, 0}, {1, 0, 1, time.Second, 0}, {4, 1, 0, time.Second, 0}, {4, 1, 1, time.Second, 0},
		{1, schedule.NoStage, 0, 3 * time.Second, schedule.Afterward}, {1, schedule.NoStage, 1, 3 * time.Second, schedule.Afterward},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	size := schedule.SizeOf(steps)
	if size != (schedule.Size{Slots: 12, Parallel: 4, Waits: 9 * time.Second}) {
		t.Errorf("size %+v", size)
	}
}

func TestRampRefusals(t *testing.T) {
	for want, r := range map[string]schedule.Ramp{
		"no stage":                           {},
		"at least 1, got 0":                  {Stages: []int{4, 0}},
		"a stage of 65 is above the ceiling": {Stages: []int{65}},
		"a stage of 3 is above":              {Stages: []int{3}, Ceiling: 2},
		"exclude each other":                 {Stages: []int{1}, Rates: []float64{1}},
		"hold and rounds":                    {Stages: []int{1}, Hold: 1, Rounds: 2},
		"needs the time":                     {Rates: []float64{1}},
		"above 0 and send at most":           {Rates: []float64{math.NaN()}, Hold: 1},
		"at most 1000000 in 1h0m0s":          {Rates: []float64{1e6}, Hold: time.Hour},
	} {
		if _, err := r.Steps(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", r, err, want)
		}
	}
}

func TestRatesAreEven(t *testing.T) {
	steps, err := schedule.Ramp{Rates: []float64{20}, Hold: time.Second}.Steps()
	if err != nil || len(steps) != 1 || !steps[0].Open || len(steps[0].Slots) != 20 {
		t.Fatalf("%+v, %v", steps, err)
	}
	for i, s := range steps[0].Slots {
		if s.Intended != time.Duration(i)*50*ms {
			t.Errorf("slot %d is intended at %s", i, s.Intended)
		}
	}
}

func TestMixKeepsItsWeightsInEveryCycle(t *testing.T) {
	for _, m := range []schedule.Mix{{Weights: []int{5, 1, 2}}, {Weights: []int{5, 1, 2}, Random: true, Seed: 9}} {
		for cycle := range 20 {
			var counts [3]int
			for k := range 8 {
				counts[m.At(cycle*8+k)]++
			}
			if counts != [3]int{5, 1, 2} {
				t.Errorf("random %v, cycle %d: %v", m.Random, cycle, counts)
			}
		}
	}
	var got []int
	for k := range 8 {
		got = append(got, schedule.Mix{Weights: []int{5, 1, 2}}.At(k))
	}
	if !reflect.DeepEqual(got, []int{0, 2, 0, 0, 1, 0, 2, 0}) {
		t.Errorf("round robin gave %v", got)
	}
	if (schedule.Mix{}).At(3) != 0 {
		t.Error("without weights there is one template")
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		p    schedule.Policy
		want int
	}{
		{schedule.Policy{}, math.MaxInt},
		{schedule.Policy{MaxRequests: 10}, 10},
		{schedule.Policy{Cost: 25, Budget: 5000}, 200},
		{schedule.Policy{Cost: 25, Budget: 5000, MaxRequests: 10}, 10},
		{schedule.Policy{Cost: 25, Budget: 24.99}, 0},
		{schedule.Policy{Cost: 0.1, Budget: 0.3}, 3},
		{schedule.Policy{Cost: 0.1, Budget: 0.29}, 2},
		{schedule.Policy{Cost: 1}, 0},
		{schedule.Policy{Cost: 1, Budget: math.NaN()}, 0},
	} {
		if got := c.p.Allowed(); got != c.want {
			t.Errorf("%+v allows %d, want %d", c.p, got, c.want)
		}
	}
}

func TestBetween(t *testing.T) {
	tried := 0
	clean, throttled := 8, 16
	for {
		n, ok := schedule.Between(clean, throttled)
		if !ok {
			break
		}
		if tried++; n <= clean || n >= throttled {
			t.Fatalf("%d does not lie between %d and %d", n, clean, throttled)
		}
		if n <= 11 {
			clean = n
		} else {
			throttled = n
		}
	}
	if clean != 11 || throttled != 12 || tried > 3 {
		t.Errorf("found %d and %d in %d tries", clean, throttled, tried)
	}
}
