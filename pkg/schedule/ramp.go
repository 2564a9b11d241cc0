package schedule

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// DefaultCeiling is how many exchanges may be under way at once unless the user raises it.
const DefaultCeiling = 64

// MaxOpen bounds the slots of one open stage, so that a mistyped rate is an error and not a plan.
const MaxOpen = 1_000_000

// Ramp plans stages of more and more exchanges in parallel, all over one arm.
type Ramp struct {
	Arm      int
	Stages   []int         // exchanges in parallel, one stage each
	Rates    []float64     // instead of Stages: starts per second, one stage each
	Rounds   int           // bursts per stage; 0 means 1
	Hold     time.Duration // instead of Rounds: each stage keeps its number in flight this long; with Rates, how long each lasts
	Gap      time.Duration // between a burst's end and the next start
	After    int           // single requests once the load is gone
	AfterGap time.Duration // before each of them
	Mix      Mix
	Ceiling  int // 0 means DefaultCeiling
}

// Steps returns one step per burst, hold or open stage, then one for each request after the load.
// It fails when the numbers make no plan: nothing to send, a stage below 1 or above the ceiling, a
// rate without a length.
func (r Ramp) Steps() ([]Step, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var steps []Step
	sent := 0
	add := func(st Step) {
		for i := range st.Slots {
			st.Slots[i].Arm, st.Slots[i].Template = r.Arm, r.Mix.At(sent)
			sent++
		}
		steps = append(steps, st)
	}
	for stage, rate := range r.Rates {
		add(Step{Slots: open(stage, rate, r.Hold), Open: true, Gap: r.Gap})
	}
	for stage, n := range r.Stages {
		for round := range max(1, r.Rounds) {
			add(Step{Slots: burst(stage, round, n), Gap: r.Gap, Hold: r.Hold, Mix: r.Mix})
		}
	}
	for i := range r.After {
		add(Step{Slots: []Slot{{Stage: NoStage, Pair: i, Role: Afterward}}, Gap: r.AfterGap})
	}
	return steps, nil
}

func (r Ramp) check() error {
	ceiling := r.Ceiling
	if ceiling == 0 {
		ceiling = DefaultCeiling
	}
	switch {
	case len(r.Stages) == 0 && len(r.Rates) == 0:
		return errors.New("no stage to send")
	case len(r.Stages) > 0 && len(r.Rates) > 0:
		return errors.New("stages and rates exclude each other")
	case r.Hold > 0 && r.Rounds > 1:
		return errors.New("hold and rounds exclude each other")
	case len(r.Rates) > 0 && r.Hold <= 0:
		return errors.New("a rate needs the time it is to last")
	}
	for _, n := range r.Stages {
		if n < 1 {
			return fmt.Errorf("a stage must be at least 1, got %d", n)
		}
		if n > ceiling {
			return fmt.Errorf("a stage of %d is above the ceiling of %d in parallel", n, ceiling)
		}
	}
	for _, rate := range r.Rates {
		if !(rate > 0) || rate*r.Hold.Seconds() > MaxOpen {
			return fmt.Errorf("a rate must be above 0 and send at most %d in %s, got %v/s", MaxOpen, r.Hold, rate)
		}
	}
	return nil
}

func burst(stage, round, n int) []Slot {
	slots := make([]Slot, n)
	for i := range slots {
		slots[i] = Slot{Stage: stage, Pair: round, Worker: i}
	}
	return slots
}

// open plans starts at a constant rate. They are even and not drawn: then lateness is the service's
// doing alone.
func open(stage int, rate float64, length time.Duration) []Slot {
	n := max(1, int(math.Ceil(rate*length.Seconds())))
	slots := make([]Slot, n)
	for i := range slots {
		slots[i] = Slot{Stage: stage, Worker: i, Intended: time.Duration(float64(i) / rate * float64(time.Second))}
	}
	return slots
}

// Between returns the number to try next when clean exchanges in parallel passed and throttled did
// not, and false when nothing lies between them.
func Between(clean, throttled int) (int, bool) {
	if throttled-clean < 2 {
		return 0, false
	}
	return clean + (throttled-clean)/2, true
}
