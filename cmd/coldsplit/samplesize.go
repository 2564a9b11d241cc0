package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/report"
)

type sampleSizeOptions struct {
	detect seconds
	output outputFlags
}

func newSampleSizeCommand(s streams) *cobra.Command {
	o := sampleSizeOptions{detect: seconds(20 * time.Millisecond)}
	cmd := &cobra.Command{
		Use:   "sample-size <FILE[#ROUTE]>",
		Short: "how many requests would settle it",
		Long: `sample-size plans from a saved run how many requests each arm needs to find a
change of the p50 in 80 % of runs, and from how many on a p90 or a p99 is one.

` + exitHelp,
		Example: `  coldsplit sample-size last --detect 20ms`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return runSampleSize(o, args[0], s)
		},
	}
	cmd.Flags().Var(&o.detect, "detect", "the change of the p50 to be found, a `DURATION`")
	o.output.bind(cmd.Flags())
	return cmd
}

func runSampleSize(o sampleSizeOptions, arg string, s streams) error {
	if err := o.output.check(); err != nil {
		return err
	}
	s = o.output.private(s)
	v := sideOf(arg)
	if v.file == "" {
		return usagef("sample-size reads a saved run, got %q", arg)
	}
	set, err := readRun(v.file, s, reading.Options{})
	if err != nil {
		return err
	}
	v.route = s.aliased(v.route)
	arm, err := pickArm(set, v, "", false)
	if err != nil {
		return err
	}
	if arm.N() == 0 {
		return fmt.Errorf("%s has no ok exchange of %s to plan from", arg, arm.Route.Name)
	}
	size := ledger.PlanSize(arm.Arm, int64(o.detect))
	return o.output.emit(s, report.SampleSizeDocument(report.SampleSize{Name: arm.Route.Name, Size: size, Warnings: set.Warnings}))
}
