package load

import (
	"encoding/json"
	"time"
)

// Order is the word a ramp's run file has for the order of its exchanges; see [record.Run].
const Order = "stages"

// Plan is what a ramp's run file says of its stages, under the member "ramp" of its plan. Times are
// nanoseconds in the file.
type Plan struct {
	Stages    []int         `json:"stages,omitempty"` // exchanges in parallel; those of a search are not known beforehand
	Rates     []float64     `json:"rates,omitempty"`  // instead of Stages: starts per second
	Rounds    int           `json:"rounds,omitempty"` // bursts a stage
	Hold      time.Duration `json:"hold_ns,omitempty"`
	Gap       time.Duration `json:"gap_ns"`
	After     int           `json:"after,omitempty"` // single requests once the load is gone
	Find      bool          `json:"find,omitempty"`
	Instance  string        `json:"instance,omitempty"` // "header:NAME"
	Templates []string      `json:"templates,omitempty"`
	Ceiling   int           `json:"ceiling,omitempty"` // most in parallel
	Cost      float64       `json:"cost,omitempty"`    // of one request, in the user's unit
	Budget    float64       `json:"budget,omitempty"`
}

// ParsePlan reads the plan of a run file. A plan without stages is the zero Plan: the stages then are
// what the exchanges say.
func ParsePlan(raw json.RawMessage) Plan {
	var outer struct {
		Ramp Plan `json:"ramp"`
	}
	if json.Unmarshal(raw, &outer) != nil {
		return Plan{}
	}
	return outer.Ramp
}

// parallel is the number a stage was planned with; found is what the stage's exchanges show, for one
// that a search added.
func (p *Plan) parallel(stage, found int) int {
	if !p.Find && stage < len(p.Stages) {
		return p.Stages[stage]
	}
	return found
}

// rate is the starts per second of an open stage, 0 for a closed one.
func (p *Plan) rate(stage int) float64 {
	if stage < len(p.Rates) {
		return p.Rates[stage]
	}
	return 0
}

// asked is how many exchanges a stage was to send, 0 when only its end could tell.
func (p *Plan) asked(stage, parallel int) int {
	switch {
	case p.rate(stage) > 0:
		return max(1, int(ceil(p.rate(stage)*p.Hold.Seconds())))
	case p.Hold > 0:
		return 0
	}
	return parallel * max(1, p.Rounds)
}

func ceil(f float64) float64 {
	whole := float64(int64(f))
	if whole < f {
		whole++
	}
	return whole
}
