package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
)

type compareOptions struct {
	common, before, after routeFlags
	run                   runFlags
	read                  readFlags
	output                outputFlags
	beforeName, afterName string
	control               string
	max                   []string
	undecided             string
	flags                 *pflag.FlagSet
	args                  []string
	nGiven                bool
	plan                  plan
	rules                 []ledger.Rule
	reader                reading.Options
	by                    reading.By // the dimension of --by; reader itself reads routes whole
}

func newCompareCommand(s streams) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare {URL | FILE[#ROUTE]} [URL | FILE[#ROUTE]]",
		Short: "an old route against a new one: who won, who paid for it",
		Long: `compare measures two routes in pairs, the order inside each pair drawn by a seeded
coin, or compares two saved runs. End to end decides: a segment's win is never a
win of the route, and the ledger closes on the change.

  compare BEFORE AFTER          two URLs, or two saved runs FILE[#ROUTE]
  compare URL --after-via X     one URL, two ways; every request flag also exists
                                with --before- and --after- in front
  compare FILE URL              FILE's plan measured again, then compared
  compare FILE                  the two routes of one saved run
  compare --config FILE         the two routes of a YAML file

` + exitHelp,
		Example: `  coldsplit compare https://blue.example.com/ https://green.example.com/ --from sao-paulo
  coldsplit compare https://api.example.com/v1/ping --after-via edge.example.net
  coldsplit compare before.jsonl after.jsonl -f md
  coldsplit compare before.jsonl https://api.example.com/v1/ping --max total.p50=+10%`,
		Args: configOr(labOr(cobra.RangeArgs(1, 2))),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.run.useConfig(cmd.Flags()); err != nil {
				return err
			}
			o.args, o.flags, o.nGiven = args, cmd.Flags(), cmd.Flags().Changed("requests")
			o.plan = newPlan("compare", cmd.Flags(), args)
			return runCompare(cmd.Context(), o, s)
		},
	}
	fs := cmd.Flags()
	o.common.bind(fs, "")
	o.before.bind(fs, "before-")
	o.after.bind(fs, "after-")
	for _, prefix := range []string{"before-", "after-"} {
		hideFlags(fs, prefix)
	}
	o.run.bind(fs)
	o.read.bind(fs)
	o.output.bind(fs)
	fs.StringVar(&o.beforeName, "before-name", "", "what to call the old route")
	fs.StringVar(&o.afterName, "after-name", "", "what to call the new route")
	fs.StringArrayVar(&o.run.secrets, "secret", nil, "value of a secret that FILE's plan names: `NAME=@FILE` or NAME=env:VARIABLE")
	fs.StringVar(&o.control, "control", "", "`URL` of a route nobody moved, measured beside both")
	fs.StringArrayVar(&o.max, "max", nil, "a limit the new route must keep, `METRIC=LIMIT`: total.p50=+10%, wait.p90=250ms, failed=1%; repeatable")
	fs.StringVar(&o.undecided, "undecided", "", "what an undecided --max does: `pass|fail|more` (default more when measuring, fail for saved runs)")
	return cmd
}

// hideFlags keeps the twins of the request flags out of the help text.
func hideFlags(fs *pflag.FlagSet, prefix string) {
	fs.VisitAll(func(f *pflag.Flag) {
		if len(f.Name) > len(prefix) && f.Name[:len(prefix)] == prefix {
			f.Hidden = true
		}
	})
}

func runCompare(ctx context.Context, o compareOptions, s streams) error {
	if err := o.check(); err != nil {
		return err
	}
	s, leave, err := o.run.enterLab(&o.read, s)
	if err != nil {
		return err
	}
	defer leave()
	if o.reader, err = o.read.options(); err != nil {
		return err
	}
	o.run.keep = append(o.run.keep, o.reader.Headers()...)
	o.by, o.reader.By = o.reader.By, reading.By{}
	s = o.output.private(s)
	sides, err := o.sides(s)
	if err != nil {
		return err
	}
	return sides.compare(ctx, &o, s)
}

// check finds everything wrong with the flags before anything is read or sent.
func (o *compareOptions) check() error {
	if err := o.output.check(); err != nil {
		return err
	}
	switch o.undecided {
	case "", "pass", "fail", "more":
	default:
		return usagef("--undecided takes pass, fail or more, got %q", o.undecided)
	}
	for _, text := range o.max {
		rule, err := ledger.ParseRule(text)
		if err != nil {
			return usagef("--max: %v", err)
		}
		o.rules = append(o.rules, rule)
	}
	_, err := o.read.options()
	return err
}

// verdictCode is the exit code that the rules decide.
func (o *compareOptions) verdictCode(results []ledger.GateResult) error {
	if len(results) == 0 {
		return nil
	}
	switch ledger.Worst(results) {
	case ledger.Crossed:
		return &exitError{exitCrossed}
	case ledger.NotRun:
		return &exitError{exitFailed}
	case ledger.GateUndecided:
		if o.undecided == "pass" {
			return nil
		}
		return &exitError{exitUndecided}
	}
	return nil
}
