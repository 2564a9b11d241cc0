package main

import (
	"context"
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// Before a single request after the load: as long as the service asked for, within these.
const (
	leastRest = time.Second
	mostRest  = time.Minute
)

// send carries the job out; the run is in the measurement's file when it returns. A ramp that was
// stopped is no error.
func (j *rampJob) send(ctx context.Context, o *rampOptions, s streams) (*measurement, error) {
	if j.instance != "" {
		o.run.keep = append(o.run.keep, j.instance)
	}
	m, err := newMeasurement(&o.run, j.arms(), o.plan, probe.System{}, s)
	if err != nil {
		return nil, err
	}
	m.run.Order, m.run.Interval, m.run.Plan = load.Order, 0, j.raw(o.plan)
	if err := j.sendInto(ctx, m, o, s); err != nil {
		m.file.discard()
		return nil, err
	}
	return m, nil
}

func (j *rampJob) sendInto(ctx context.Context, m *measurement, o *rampOptions, s streams) error {
	if err := j.summary(s.hiding(s.err)); err != nil {
		return err
	}
	if err := m.begin(ctx, &o.run); err != nil {
		return err
	}
	d := &sender{
		m: m, file: &behind{write: m.write}, requests: j.requests, health: j.health, open: len(j.ramp.Rates) > 0, instance: j.instance,
		scrub: newScrubber(j.hidden), routes: map[string]*record.Counts{}, throttled: map[int]int{},
	}
	if j.warm() {
		d.warm = newIdle()
		defer d.warm.close()
	}
	defer tellDraining(ctx, s)()
	defer rareCollections()()
	takeMemory(j.memory())
	plan := schedule.Plan{Arms: j.armsPlanned(), Steps: j.steps, Policy: j.policy, Poll: j.poll}
	bar := newProgress(s, m, plan)
	runner := schedule.NewRunner(plan, d.do, measuredOnly(bar.watch(d.store), d.store))
	report, err := j.run(ctx, runner, d)
	bar.stop()
	if werr := d.file.wait(); err == nil {
		err = werr
	}
	if err != nil {
		return m.breakOff(err)
	}
	return endRamp(ctx, m, d, report)
}

// measuredOnly lets the progress line count what the plan counts: no health polls.
func measuredOnly(watched, plain schedule.Sink) schedule.Sink {
	return func(slot schedule.Slot, r schedule.Result) error {
		if slot.Role == schedule.Health {
			return plain(slot, r)
		}
		return watched(slot, r)
	}
}

// tellDraining says what Ctrl-C does.
func tellDraining(ctx context.Context, s streams) (stop func()) {
	end := context.AfterFunc(ctx, func() {
		fmt.Fprintln(s.err, "stopping: nothing new is sent, what is in flight is drained and reported; ^C again ends at once")
	})
	return func() { end() }
}

// run sends the stages, then single requests once the load is gone.
func (j *rampJob) run(ctx context.Context, runner *schedule.Runner, d *sender) (schedule.Report, error) {
	var report schedule.Report
	var err error
	if j.find {
		report, err = j.search(ctx, runner, d)
	} else {
		report, err = runner.Run(ctx, j.steps)
	}
	if err != nil || report.Stop != "" || j.after == 0 {
		return report, err
	}
	return runner.Run(ctx, j.afterwards(min(max(leastRest, d.longest), mostRest)))
}

func (j *rampJob) afterwards(rest time.Duration) []schedule.Step {
	var steps []schedule.Step
	for i := range j.after {
		slot := schedule.Slot{Stage: schedule.NoStage, Pair: i, Role: schedule.Afterward, Template: j.ramp.Mix.At(i)}
		steps = append(steps, schedule.Step{Slots: []schedule.Slot{slot}, Gap: rest})
	}
	return steps
}

// search sends the stages until one is throttled, then halves what lies between it and the last clean
// one.
func (j *rampJob) search(ctx context.Context, runner *schedule.Runner, d *sender) (schedule.Report, error) {
	s := searcher{job: j, runner: runner, d: d}
	clean := 0
	for _, n := range j.ramp.Stages {
		throttled, goOn := s.try(ctx, n)
		switch {
		case !goOn:
			return s.report, s.err
		case throttled:
			s.between(ctx, clean, n)
			return s.report, s.err
		}
		clean = n
	}
	return s.report, s.err
}

// searcher sends one stage at a time.
type searcher struct {
	job    *rampJob
	runner *schedule.Runner
	d      *sender
	stage  int
	sent   int // exchanges so far, for the mix of templates
	report schedule.Report
	err    error
}

// try sends n at once and reports whether some were throttled; goOn is false when the run is over.
func (s *searcher) try(ctx context.Context, n int) (throttled, goOn bool) {
	stage := s.stage
	s.stage++
	one := s.job.ramp
	one.Stages = []int{n}
	steps, err := one.Steps()
	if err != nil {
		s.err = err
		return false, false
	}
	for i := range steps {
		for k := range steps[i].Slots {
			steps[i].Slots[k].Stage, steps[i].Slots[k].Template = stage, one.Mix.At(s.sent)
			s.sent++
		}
	}
	s.report, s.err = s.runner.Run(ctx, steps)
	return s.d.wasThrottled(stage), s.err == nil && s.report.Stop == ""
}

func (s *searcher) between(ctx context.Context, clean, throttled int) {
	for {
		n, more := schedule.Between(clean, throttled)
		if !more {
			return
		}
		hit, goOn := s.try(ctx, n)
		switch {
		case !goOn:
			return
		case hit:
			throttled = n
		default:
			clean = n
		}
	}
}

// endRamp writes the last line of the run file.
func endRamp(ctx context.Context, m *measurement, d *sender, report schedule.Report) error {
	end := m.ending(ctx, report)
	end.Arms = d.ends(report)
	err := m.file.w.End(end)
	if m.keylog != nil {
		m.keylog.Close()
	}
	if cerr := m.file.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return m.breakOff(fmt.Errorf("keep the run: %w", err))
	}
	return nil
}
