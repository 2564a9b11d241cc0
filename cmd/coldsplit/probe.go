package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/report"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

type probeOptions struct {
	route  routeFlags
	run    runFlags
	read   readFlags
	output outputFlags
	urls   []string
	nGiven bool // -n was written, not defaulted
	flags  *pflag.FlagSet
	plan   plan
}

func newProbeCommand(s streams) *cobra.Command {
	var o probeOptions
	cmd := &cobra.Command{
		Use:   "probe <URL>...",
		Short: "requests to one or several routes, each over a new connection; the table",
		Long: `probe sends n requests to each URL, one at a time, each over a connection of its
own that is proven cold: one new connection, TLS not resumed, no early data, no
QUIC token, the request sent once, the protocol agreed the one asked for.

What stays warm behind a cold connection (the resolver's cache, the edge's pool,
the function) cannot be cleared from here; the first exchange stands apart.

` + exitHelp,
		Example: `  coldsplit probe https://api.example.com/v1/ping
  coldsplit probe -n 50 --http 2 --http 3 https://www.example.com/
  coldsplit probe https://api.example.com/ --via 203.0.113.9 --from lagos -f md`,
		Args: configOr(labOr(cobra.MinimumNArgs(1))),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.flags = cmd.Flags()
			if err := o.run.useConfig(o.flags); err != nil {
				return err
			}
			o.urls, o.nGiven = args, cmd.Flags().Changed("requests")
			o.plan = newPlan("probe", cmd.Flags(), args)
			return runProbe(cmd.Context(), o, s)
		},
	}
	o.bind(cmd.Flags())
	return cmd
}

func (o *probeOptions) bind(fs *pflag.FlagSet) {
	o.route.bind(fs, "")
	o.run.bind(fs)
	o.read.bind(fs)
	o.output.bind(fs)
}

func runProbe(ctx context.Context, o probeOptions, s streams) error {
	if err := o.output.check(); err != nil {
		return err
	}
	s, leave, err := o.run.enterLab(&o.read, s)
	if err != nil {
		return err
	}
	defer leave()
	s = o.output.private(s)
	reader, err := o.read.options()
	if err != nil {
		return err
	}
	o.run.keep = append(o.run.keep, reader.Headers()...)
	arms, err := o.arms(s)
	if err != nil {
		return err
	}
	m, err := newMeasurement(&o.run, arms, o.plan, probe.System{}, s)
	if err != nil {
		return err
	}
	defer m.file.discard()
	pairs, policy := pairsPlan(arms, &o.run)
	plan := schedule.Plan{Arms: pairs.Arms, Steps: pairs.Steps(), Policy: policy}
	if err := m.measure(ctx, plan, &o.run, s); err != nil {
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

// arms builds every arm and makes sure nothing unsafe is repeated unasked.
func (o *probeOptions) arms(s streams) ([]arm, error) {
	if o.run.n < 1 {
		return nil, usagef("-n must be at least 1, got %d", o.run.n)
	}
	b := armBuilder{in: &inputs{stdin: s.in}, getenv: s.getenv}
	arms, err := o.routes(&b, s)
	if err != nil {
		return nil, err
	}
	if err := o.run.checkLocation(arms); err != nil {
		return nil, err
	}
	return arms, checkSafe(arms, o.nGiven)
}

func (o *probeOptions) routes(b *armBuilder, s streams) ([]arm, error) {
	if o.run.routes != nil {
		return o.run.configArms(b, o.flags)
	}
	return b.arms(&o.route, o.urls, s)
}

// checkSafe refuses to repeat a method that may change something unless the user said how often.
func checkSafe(arms []arm, nGiven bool) error {
	for _, a := range arms {
		if err := checkTargetTemplates(a.target); err != nil {
			return err
		}
		if !nGiven && !slices.Contains(safeMethods, a.target.Method) {
			return usagef("%s may change something with every request: say how many with -n", a.target.Method)
		}
	}
	return nil
}

var safeMethods = []string{http.MethodGet, http.MethodHead, http.MethodOptions}

// exitByOutcome is exit 1 when not one exchange was ok; of a chain its last hop decides.
func exitByOutcome(p report.Probe) error {
	for i, a := range p.Arms {
		last := i == len(p.Arms)-1
		if a.N() > 0 && (last || p.Arms[i+1].Hop == 0) {
			return nil
		}
	}
	return &exitError{exitFailed}
}

// tellWhereSaved says on a terminal where the run is kept and what to do with it next.
func (m *measurement) tellWhereSaved(s streams) {
	if !m.file.keep || !s.errTTY {
		return
	}
	if s.redactor != nil {
		fmt.Fprintln(s.err, "saved   under a name that tells the host: coldsplit report last --redact")
		return
	}
	fmt.Fprintf(s.err, "saved   %s\nnext    coldsplit report last -f md\n", shownPath(m.file.path, s.getenv("HOME")))
}
