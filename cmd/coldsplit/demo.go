package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

type demoOptions struct {
	run    runFlags
	read   readFlags
	output outputFlags
	plan   plan
}

// demoScenario is the case the demo tells, and demoStates its states in the order told.
const demoScenario = "stranded-state"

var demoStates = []string{"state-0", "state-1", "state-2", "state-3"}

func newDemoCommand(s streams) *cobra.Command {
	o := demoOptions{run: runFlags{n: defaultN, seed: demoSeed, noSave: true}}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "the whole product in half a minute, with no network: a move that won every segment and lost",
		Long: `demo builds a small internet inside this process and tells a published case in it:
an edge function, the pod it asks and the switch that guards it move across an
ocean one by one. Every state of that world is measured over cold connections, side
by side. Nothing is sent to a network; the figures are rehearsed, not measured.

` + exitHelp,
		Example: "  coldsplit demo\n  coldsplit demo -f md",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.plan = newPlan("demo", cmd.Flags(), nil)
			return runDemo(cmd.Context(), o, s)
		},
	}
	o.output.bind(cmd.Flags())
	return cmd
}

// demoSeed makes every demo tell the same story; another seed tells it with other numbers.
const demoSeed = 7

func runDemo(ctx context.Context, o demoOptions, s streams) error {
	if err := o.output.check(); err != nil {
		return err
	}
	d, err := scenario.Load(demoScenario)
	if err != nil {
		return err
	}
	if s.errTTY {
		fmt.Fprintln(s.err, demoOpening)
	}
	s, leave, err := openWorld(d, &o.run, &o.read, s)
	if err != nil {
		return err
	}
	defer leave()
	story, err := o.measure(ctx, o.output.private(s))
	if err != nil {
		return err
	}
	return o.output.emit(s, story.document())
}

const demoOpening = `Building a small internet inside this process: a device in Tokyo, an edge function,
a pod, a switch, an ocean. No packet leaves this machine; it takes about half a minute.`

// measure asks every state, side by side, and reads what came of it.
func (o *demoOptions) measure(ctx context.Context, s streams) (*demoStory, error) {
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	route := routeFlags{maxTime: seconds(defaultMaxTime), maxBody: defaultMaxBody}
	arms, err := b.arms(&route, demoStates, s)
	if err != nil {
		return nil, err
	}
	reader, err := o.read.options()
	if err != nil {
		return nil, err
	}
	o.run.keep = append(append(o.run.keep, answeredBy), reader.Headers()...)
	m, err := newMeasurement(&o.run, arms, o.plan, probe.System{}, s)
	if err != nil {
		return nil, err
	}
	defer m.file.discard()
	if err := m.measure(ctx, demoPlan(arms, o.run.n), &o.run, s); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if m.broken != nil {
		return nil, errors.Unwrap(m.broken) // a story is told whole or not at all
	}
	return readStory(m.file.path, reader, s)
}

// demoStagger keeps the starts of a round apart, so that one exchange's handshake does not stand in
// another's; demoGap is between rounds.
const (
	demoStagger = 70 * time.Millisecond
	demoGap     = 40 * time.Millisecond
)

// demoPlan asks all states in every round, side by side: they share no server, so what one does is
// nothing to the others, and the whole takes as long as the slowest.
func demoPlan(arms []arm, rounds int) schedule.Plan {
	var p schedule.Plan
	for _, a := range arms {
		p.Arms = append(p.Arms, schedule.Arm{Name: a.route.Name, N: rounds, Requests: 1})
	}
	for round := range rounds {
		step := schedule.Step{Open: true, Gap: demoGap}
		for i := range arms {
			turn := (i + round) % len(arms) // nobody is always first
			step.Slots = append(step.Slots, schedule.Slot{
				Arm: turn, Pair: round, Stage: schedule.NoStage, Intended: time.Duration(i) * demoStagger,
			})
		}
		p.Steps = append(p.Steps, step)
	}
	return p
}
