package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

type againOptions struct {
	save    string
	noSave  bool
	n       int
	secrets []string
	output  outputFlags
}

func newAgainCommand(s streams) *cobra.Command {
	var o againOptions
	cmd := &cobra.Command{
		Use:   "again {FILE | last}",
		Short: "a saved run's plan, measured again",
		Long: `again measures what a saved run measured, in the same way. Secrets are not in the
file: they are asked for by name, or given with --secret.

` + exitHelp,
		Example: `  coldsplit again last
  coldsplit again before.jsonl --save after.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAgain(cmd.Context(), o, args[0], cmd.Flags(), s)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.save, "save", "", "keep the run in `FILE` (.jsonl or .jsonl.zst)")
	fs.BoolVar(&o.noSave, "no-save", false, "keep no run file")
	fs.IntVarP(&o.n, "requests", "n", 0, "`N` requests instead of the saved number")
	fs.StringArrayVar(&o.secrets, "secret", nil, "value of a secret the plan names: `NAME=@FILE` or NAME=env:VARIABLE")
	o.output.bind(fs)
	return cmd
}

// runAgain runs the saved command line through the very parser that read it first.
func runAgain(ctx context.Context, o againOptions, file string, fs *pflag.FlagSet, s streams) error {
	p, err := savedPlan(file, s)
	if err != nil {
		return err
	}
	args, err := p.secretsOf(o.secrets, s)
	if err != nil {
		return err
	}
	if !slices.Contains(args, "--") {
		return fmt.Errorf("%s: the saved plan does not parse: it names no target", file)
	}
	root := newRoot(s)
	// What the user writes now comes last, so that it wins over the plan.
	end := slices.Index(args, "--")
	root.SetArgs(slices.Concat(strings.Fields(p.Command), args[:end], writtenFlags(fs), args[end:]))
	root.SetOut(s.out)
	root.SetErr(s.err)
	return root.ExecuteContext(ctx)
}

// writtenFlags are again's own flags, in the form the other commands take them too.
func writtenFlags(fs *pflag.FlagSet) []string {
	var out []string
	fs.Visit(func(f *pflag.Flag) {
		if f.Name == "secret" {
			return
		}
		for _, v := range flagValues(f) {
			out = append(out, "--"+f.Name+"="+v)
		}
	})
	return out
}

// savedPlan is the plan a run file keeps.
func savedPlan(name string, s streams) (plan, error) {
	path := name
	if name == "last" {
		var err error
		if path, err = lastRun(s.getenv); err != nil {
			return plan{}, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return plan{}, fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	r, err := record.NewReader(f, record.ReadOptions{Name: path})
	if err != nil {
		return plan{}, err
	}
	defer r.Close()
	var p plan
	if err := json.Unmarshal(r.Run().Plan, &p); err != nil || p.Command == "" {
		return plan{}, fmt.Errorf("%s keeps no plan that could be measured again", path)
	}
	p.rehearsed = r.Run().Rehearsed
	return p, nil
}

// againRun is a saved plan with another URL, measured without a report of its own.
type againRun struct {
	o probeOptions
}

// newAgainRun is FILE's plan with what the user wrote beside it, which wins: for both arms, or with
// --after- for the one that is measured now.
func newAgainRun(file, url string, o *compareOptions, s streams) (againRun, error) {
	p, err := savedPlan(file, s)
	if err != nil {
		return againRun{}, err
	}
	if p.rehearsed {
		return againRun{}, usagef("%s was rehearsed in the embedded internet, where %s is not: rehearse it anew with coldsplit again %s --save FILE and compare the two files", file, url, file)
	}
	args, err := p.secretsOf(o.run.secrets, s)
	if err != nil {
		return againRun{}, err
	}
	v := againRun{}
	fs := pflag.NewFlagSet("again", pflag.ContinueOnError)
	fs.ParseErrorsAllowlist.UnknownFlags = true
	v.o.route.bind(fs, "")
	v.o.run.bind(fs)
	v.o.read.bind(fs)
	if err := fs.Parse(args); err != nil {
		return v, fmt.Errorf("%s: the saved plan does not parse: %w", file, err)
	}
	if err := layOver(fs, o.flags); err != nil {
		return v, err
	}
	v.o.urls, v.o.nGiven, v.o.flags, v.o.plan = []string{url}, true, fs, newPlan("probe", fs, []string{url})
	return v, nil
}

// layOver sets every flag of to that was written in from, under its own name or behind --after-.
func layOver(to, from *pflag.FlagSet) error {
	var err error
	set := func(name string, f *pflag.Flag) {
		target := to.Lookup(name)
		if target == nil || err != nil {
			return
		}
		if err = to.Set(name, f.Value.String()); err == nil { // so that the plan counts it as written
			err = copyFlag(target, f)
		}
	}
	from.Visit(func(f *pflag.Flag) { set(f.Name, f) })
	from.Visit(func(f *pflag.Flag) {
		if name, ok := strings.CutPrefix(f.Name, "after-"); ok {
			set(name, f)
		}
	})
	return err
}

// measure sends the plan's requests and returns the measurement, its file ended.
func (v *againRun) measure(ctx context.Context, s streams) (*measurement, error) {
	arms, err := v.o.arms(s)
	if err != nil {
		return nil, err
	}
	m, err := newMeasurement(&v.o.run, arms, v.o.plan, probe.System{}, s)
	if err != nil {
		return nil, err
	}
	pairs, policy := pairsPlan(arms, &v.o.run)
	plan := schedule.Plan{Arms: pairs.Arms, Steps: pairs.Steps(), Policy: policy}
	return m, m.measure(ctx, plan, &v.o.run, s)
}
