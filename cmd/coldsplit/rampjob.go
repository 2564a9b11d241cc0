package main

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// rampJob is everything a ramp will send, decided and checked before the first request.
type rampJob struct {
	requests []rampRequest
	health   *arm
	ramp     schedule.Ramp
	steps    []schedule.Step // of the load; of a search only those until the first throttled stage
	policy   schedule.Policy
	poll     *schedule.Poll
	after    int
	find     bool
	plan     load.Plan
	instance string // lower-case header name, "" for none
	hidden   []string
}

// rampRequest is one template with the arm it is sent over.
type rampRequest struct {
	arm
	label  string // what reports call it, "" when it is the only one
	weight int
}

// job decides what will be sent.
func (o *rampOptions) job(s streams) (*rampJob, error) {
	o.adoptScenario(s)
	b := rampBuilder{armBuilder: armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}, o: o}
	requests, err := b.requests(s)
	if err != nil {
		return nil, err
	}
	j := &rampJob{requests: requests, after: o.load.after, find: o.load.find}
	if j.instance, err = instanceHeader(o.load.instance); err != nil {
		return nil, err
	}
	if j.health, err = b.healthArm(requests[0]); err != nil {
		return nil, err
	}
	j.hidden = b.secrets
	return j, j.decide(o)
}

// adoptScenario takes from the lab's scenario what the user did not say.
func (o *rampOptions) adoptScenario(s streams) {
	if !s.inLab() || len(o.args) > 0 {
		return
	}
	w := s.world.scenario
	if o.load.health == "" {
		o.load.health = w.HealthURL()
	}
	if o.load.instance == "" {
		o.load.instance = w.Instance()
	}
	if !o.given("after") {
		o.load.after = w.RequestsAfter()
	}
}

// decide plans the stages.
func (j *rampJob) decide(o *rampOptions) error {
	l := &o.load
	if o.run.seed == 0 {
		o.run.seed = randomSeed()
	}
	j.ramp = schedule.Ramp{Rounds: l.rounds, Hold: time.Duration(l.hold), Gap: time.Duration(l.gap), Mix: j.mix(o), Ceiling: l.limit}
	var err error
	flag := "stages"
	if l.rates != "" {
		flag = "rate"
		if l.hold == 0 {
			j.ramp.Hold = defaultRateHold
		}
		j.ramp.Rates, err = parseRates(l.rates)
	} else {
		j.ramp.Stages, err = parseStages(l.stages)
	}
	if err != nil {
		return err
	}
	if j.steps, err = j.ramp.Steps(); err != nil {
		return usagef("--%s: %v%s", flag, err, j.raiseWords())
	}
	j.policy = schedule.Policy{
		KeepGoing: o.run.keepGoing, ThrottledIsResult: true, MaxRequests: l.maxRequests, Cost: l.cost, Budget: l.budget,
		Ceiling: l.limit, Drain: time.Duration(o.route.maxTime),
	}
	if j.health != nil {
		j.poll = &schedule.Poll{Arm: healthSlot, Every: time.Duration(l.healthEvery)}
	}
	j.plan = j.filePlan(l)
	return j.checkBounds()
}

// raiseWords names the flag for who asked for more than the ceiling.
func (j *rampJob) raiseWords() string {
	for _, n := range j.ramp.Stages {
		if n > j.ramp.Ceiling {
			return "; --parallel-limit N raises it, for a service that is yours to load"
		}
	}
	return ""
}

func (j *rampJob) mix(o *rampOptions) schedule.Mix {
	m := schedule.Mix{Random: o.load.mix == "random", Seed: o.run.seed}
	for _, r := range j.requests {
		m.Weights = append(m.Weights, r.weight)
	}
	return m
}

// filePlan is what the run file says of the stages.
func (j *rampJob) filePlan(l *loadFlags) load.Plan {
	p := load.Plan{
		Stages: j.ramp.Stages, Rates: j.ramp.Rates, Rounds: l.rounds, Hold: j.ramp.Hold, Gap: j.ramp.Gap, After: l.after,
		Find: l.find, Instance: l.instance, Ceiling: l.limit, Cost: l.cost, Budget: l.budget,
	}
	for _, r := range j.requests {
		if r.label != "" {
			p.Templates = append(p.Templates, r.label)
		}
	}
	return p
}

// raw is the plan of the run file: the command line, and what reading its stages needs.
func (j *rampJob) raw(p plan) json.RawMessage {
	b, err := json.Marshal(struct {
		plan
		Ramp load.Plan `json:"ramp"`
	}{p, j.plan})
	if err != nil {
		panic("ramp: plan does not marshal: " + err.Error())
	}
	return b
}

// The arms a schedule knows: the load, whatever its templates, and the health URL.
const (
	loadSlot = iota
	healthSlot
)

// armsPlanned are the schedule's arms.
func (j *rampJob) armsPlanned() []schedule.Arm {
	arms := []schedule.Arm{{Name: "load"}}
	if j.health != nil {
		arms = append(arms, schedule.Arm{Name: "health", Optional: true})
	}
	return arms
}

// arms are the routes of the run file.
func (j *rampJob) arms() []arm {
	arms := []arm{j.requests[0].arm}
	if j.health != nil {
		arms = append(arms, *j.health)
	}
	for _, r := range j.requests[1:] {
		arms = append(arms, r.arm)
	}
	return arms
}

func (j *rampJob) warm() bool { return j.requests[0].target.State == probe.Warm }

// methods lists the methods that will be used, once each.
func (j *rampJob) methods() []string {
	var out []string
	for _, r := range j.requests {
		if !slices.Contains(out, r.target.Method) {
			out = append(out, r.target.Method)
		}
	}
	return out
}
