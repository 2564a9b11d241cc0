package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/report"
)

type rampOptions struct {
	route  routeFlags
	run    runFlags
	read   readFlags
	output outputFlags
	load   loadFlags
	args   []string
	given  func(flag string) bool // the flag was written, not defaulted
	plan   plan
}

func newRampCommand(s streams) *cobra.Command {
	var o rampOptions
	cmd := &cobra.Command{
		Use:   "ramp [URL]",
		Short: "more and more in parallel: how many before it says no, and what the accepted then cost",
		Long: `ramp sends stages of more and more requests at once. All of a stage is prepared,
then released by one barrier; how far the starts lay apart is measured and told.
A 429 (or a 503 with Retry-After) is a result here: it is counted apart, with its
reason and a latency of its own, and neither pauses nor ends the ramp. Nothing is
ever sent twice. The stages are the count, so no -n is needed, whatever the method.

URL, headers and content may hold {{seq}}, {{uuid}} and {{env.NAME}}: secrets come
from the environment and are never recorded. --templates mixes several requests.

Before the first request a summary of what will be sent is printed; --dry-run
prints only that. Ctrl-C drains what is in flight and reports.

` + exitHelp,
		Example: `  coldsplit ramp https://api.example.com/v1/quote --stages 1,4,8,16 --gap 65s
  coldsplit ramp https://api.example.com/v1/quote --rate 5/s,20/s --hold 30s
  coldsplit ramp https://api.example.com/v1/quote --find --after 2 --cost 25 --budget 5000
  coldsplit ramp --lab bench-lane --stages 1,4,8,16 --gap 1s`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.args, o.given = args, cmd.Flags().Changed
			o.plan = newPlan("ramp", cmd.Flags(), args)
			return runRamp(cmd.Context(), o, s)
		},
	}
	o.route.bind(cmd.Flags(), "")
	o.bindRun(cmd.Flags())
	o.read.bind(cmd.Flags())
	o.load.bind(cmd.Flags())
	o.output.bind(cmd.Flags())
	return cmd
}

func runRamp(ctx context.Context, o rampOptions, s streams) error {
	s = o.output.private(s)
	if err := o.check(); err != nil {
		return err
	}
	if o.read.by != "" {
		return usagef("--by: a ramp is told by stage, template and instance; see --instance")
	}
	against, err := o.readAgainst(s)
	if err != nil {
		return err
	}
	s, leave, err := o.run.enterLab(&o.read, s)
	if err != nil {
		return err
	}
	defer leave()
	reader, err := o.read.options()
	if err != nil {
		return err
	}
	job, err := o.job(s)
	if err != nil {
		return err
	}
	if o.load.dryRun {
		s.learn(job.arms())
		if o.output.format == string(report.FormatJSON) {
			return job.summaryJSON(s.hiding(s.out))
		}
		return job.summary(s.hiding(s.out))
	}
	o.run.keep = append(o.run.keep, reader.Headers()...)
	m, err := job.send(ctx, &o, s)
	if err != nil {
		return err
	}
	defer m.file.discard()
	ramp, err := readRamp(m.file.path, s, reader)
	if err != nil {
		return err
	}
	err = o.output.emit(s, rampDocument(against, ramp, [2]string{o.load.against, ""}, s))
	m.tellWhereSaved(s)
	if err != nil {
		return err
	}
	if ramp.All.Counts.OK == 0 {
		return m.outcome(&exitError{exitFailed})
	}
	return m.outcome(nil)
}

// readAgainst reads the earlier ramp before anything is sent: a wrong file costs nothing then.
func (o *rampOptions) readAgainst(s streams) (*load.Ramp, error) {
	if o.load.against == "" {
		return nil, nil
	}
	opt, err := o.read.options()
	if err != nil {
		return nil, err
	}
	return readRamp(o.load.against, s, opt)
}

// rampDocument is a ramp's report, or what changed since an earlier one.
func rampDocument(before, after *load.Ramp, files [2]string, s streams) report.Document {
	if before == nil {
		return report.RampDocument(report.Ramp{Result: after, Chart: s.outTTY})
	}
	return report.RampCompareDocument(report.RampCompare{Result: load.Compare(before, after), Files: files, Chart: s.outTTY})
}

// longestInRamp is --max-time unless it is given: what a queue does to a request is what a ramp is
// about, and an answer written word by word takes longer than a page.
const longestInRamp = 60 * time.Second
