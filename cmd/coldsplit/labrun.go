package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/report"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

type labRunOptions struct {
	route  routeFlags
	run    runFlags
	read   readFlags
	output outputFlags
	set    []string
	args   []string
	plan   plan
}

func newLabRunCommand(s streams) *cobra.Command {
	var o labRunOptions
	cmd := &cobra.Command{
		Use:   "run {SCENARIO[/VARIANT] | FILE.yaml} [ROUTE]...",
		Short: "a scenario measured; with --set a move rehearsed, before against after",
		Long: `run measures a scenario's own routes, or those named. With --set it rehearses a
move: the file as it is stands beside the file with the settings made, both are
measured in pairs, and the report ends with what the move leaves behind.

A file of ten lines is enough. The first service is the one asked; calls are made
in the order written; "db x3" is three calls, "cache 20%" one for every fifth
request; round trips follow from the distance unless paths states them.

  client: Lagos
  services:
    edge: {city: Frankfurt, provider: cloudflare, calls: [session, api]}
    session: {city: Frankfurt, takes: 2ms, state: true}
    api: {city: Ashburn, takes: {p50: 20ms, p90: 45ms}, calls: [db x3]}
    db: {city: Ashburn, takes: 4ms, state: true}

` + exitHelp,
		Example: `  coldsplit lab run my.yaml
  coldsplit lab run my.yaml --set edge.city=Tokyo
  coldsplit lab run stranded-state state-2 state-3 -n 50`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.args = args
			o.plan = newPlan("lab", cmd.Flags(), args)
			o.plan.Args = append([]string{cmd.Name()}, o.plan.Args...)
			return runLab(cmd.Context(), o, s)
		},
	}
	fs := cmd.Flags()
	o.route.bind(fs, "")
	o.run.bind(fs)
	o.read.bind(fs)
	o.output.bind(fs)
	fs.StringArrayVar(&o.set, "set", nil, "the move, `SERVICE.KEY=VALUE`, as in edge.city=Tokyo; repeatable")
	return cmd
}

func runLab(ctx context.Context, o labRunOptions, s streams) error {
	if err := o.output.check(); err != nil {
		return err
	}
	if o.run.lab != "" {
		return usagef("lab run: the scenario is the argument; leave --lab away")
	}
	doc, advice, err := o.document()
	if err != nil {
		return usagef("lab run: %v", err)
	}
	tellOpening(s, doc)
	s, leave, err := openWorld(doc, &o.run, &o.read, s)
	if err != nil {
		return err
	}
	defer leave()
	return o.measure(ctx, advice, o.output.private(s))
}

// document is the scenario, or a rehearsal of it and what that leaves behind.
func (o *labRunOptions) document() (*scenario.Document, []scenario.Advice, error) {
	d, err := loadScenario(o.args[0])
	if err != nil || len(o.set) == 0 {
		return d, nil, err
	}
	r, err := d.Rehearse(o.set...)
	if err != nil {
		return nil, nil, err
	}
	return r.Document, r.Advice, nil
}

// measure compares two routes where the scenario or the arguments make a pair, and else probes.
func (o *labRunOptions) measure(ctx context.Context, advice []scenario.Advice, s streams) error {
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	arms, err := b.arms(&o.route, o.args[1:], s)
	if err != nil {
		return err
	}
	if pair := asPair(arms, len(o.args) == 3); pair != nil {
		return o.compare(ctx, pair, advice, s)
	}
	return o.probe(ctx, arms, s)
}

// asPair is the before and the after, and a control if there is one; nil where nothing is compared. Of
// two routes the user named, the first is the before.
func asPair(arms []arm, named bool) []arm {
	if named && len(arms) == 2 {
		arms[0].route.Role, arms[1].route.Role = "before", "after"
	}
	pair := withRoles(arms)
	if len(pair) < 2 {
		return nil
	}
	return pair
}

// send measures the arms in turn, one exchange at a time.
func (o *labRunOptions) send(ctx context.Context, arms []arm, s streams) (*measurement, error) {
	if o.run.n < 1 {
		return nil, usagef("-n must be at least 1, got %d", o.run.n)
	}
	reader, err := o.read.options()
	if err != nil {
		return nil, err
	}
	o.run.keep = append(o.run.keep, reader.Headers()...)
	m, err := newMeasurement(&o.run, arms, o.plan, probe.System{}, s)
	if err != nil {
		return nil, err
	}
	pairs, policy := pairsPlan(arms, &o.run)
	plan := schedule.Plan{Arms: pairs.Arms, Steps: pairs.Steps(), Policy: policy}
	if err := m.measure(ctx, plan, &o.run, s); err != nil {
		m.file.discard()
		return nil, err
	}
	return m, nil
}

func (o *labRunOptions) probe(ctx context.Context, arms []arm, s streams) error {
	m, err := o.send(ctx, arms, s)
	if err != nil {
		return err
	}
	defer m.file.discard()
	reader, err := o.read.options()
	if err != nil {
		return err
	}
	set, err := readByGroup(m.file.path, s, reader)
	if err != nil {
		return err
	}
	view := report.ProbeOf(set)
	err = o.output.emit(s, report.ProbeDocument(view))
	m.tellWhereSaved(s)
	if err != nil {
		return err
	}
	return m.outcome(exitByOutcome(view))
}

func (o *labRunOptions) compare(ctx context.Context, arms []arm, advice []scenario.Advice, s streams) error {
	m, err := o.send(ctx, arms, s)
	if err != nil {
		return err
	}
	defer m.file.discard()
	c, err := o.read.compared(m.file.path, "before", "after", s)
	if err != nil {
		return err
	}
	doc := report.CompareDocument(report.Compare{Result: c, Names: routeNamesOf(c)})
	err = o.output.emit(s, withAdvice(doc, len(o.set) > 0, advice))
	m.tellWhereSaved(s)
	if err != nil {
		return err
	}
	if c.Before.N() == 0 || c.After.N() == 0 {
		return m.outcome(&exitError{exitFailed})
	}
	return m.outcome(nil)
}

// compared compares the arms of two roles in a run file.
func (r *readFlags) compared(path, before, after string, s streams) (*ledger.Comparison, error) {
	reader, err := r.options()
	if err != nil {
		return nil, err
	}
	set, err := readRun(path, s, reader)
	if err != nil {
		return nil, err
	}
	b, _ := roleArm(set, before)
	a, _ := roleArm(set, after)
	c := ledger.Compare(b, a)
	c.Control = controlOf(set, set)
	return c, nil
}

func routeNamesOf(c *ledger.Comparison) [2]string {
	return [2]string{c.Before.Arm.Route.Name, c.After.Arm.Route.Name}
}
