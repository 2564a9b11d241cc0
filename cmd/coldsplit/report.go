package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/report"
)

type reportOptions struct {
	from   string
	read   readFlags
	output outputFlags
	files  []string
}

func newReportCommand(s streams) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report {FILE | last}...",
		Short: "the table of a saved run, read again",
		Long: `report reads saved runs and prints their tables. It needs no network: parts of wait,
places and percentiles are derived from what was recorded, so a mapping learnt
today explains a run of last month.

` + exitHelp,
		Example: `  coldsplit report last
  coldsplit report before.jsonl -f md --map upstream=pod`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			if cmd.Flags().Changed("at-rtt") && o.read.atRTT == 0 {
				return usagef("--at-rtt takes a round trip above 0: it projects users farther away than the one measured")
			}
			return runReport(o, s)
		},
	}
	o.read.bind(cmd.Flags())
	o.read.bindProjection(cmd.Flags())
	cmd.Flags().StringVar(&o.from, "from", "", "where the measuring machine was: `CITY` or lat,lon")
	o.output.bind(cmd.Flags())
	return cmd
}

func runReport(o reportOptions, s streams) error {
	s = o.output.private(s)
	if err := o.output.check(); err != nil {
		return err
	}
	reader, err := o.read.optionsFrom(o.from)
	if err != nil {
		return err
	}
	if err := checkFrom(o.from, o.files, s); err != nil {
		return err
	}
	if ramps, err := areRamps(o.files, s); ramps || err != nil {
		return o.reportRamps(s, reader, err)
	}
	var probe report.Probe
	for i, name := range o.files {
		set, err := readByGroup(name, s, reader)
		if err != nil {
			return err
		}
		if err := checkProjection(set, name); err != nil {
			return err
		}
		one := report.ProbeOf(set)
		if len(o.files) > 1 {
			prefixArms(&one, s.aliased(name))
			one.Chain = nil // hops beside another file's arms are arms like any other
		}
		if i == 0 {
			probe = one
			continue
		}
		probe.Arms = append(probe.Arms, one.Arms...)
		probe.Warnings = append(probe.Warnings, one.Warnings...)
	}
	probe.Command = "report"
	return o.output.emit(s, report.ProbeDocument(probe))
}

// checkFrom refuses a --from that contradicts what a run says of itself: its distances would be those of
// one place and its other words those of another.
func checkFrom(from string, files []string, s streams) error {
	if from == "" {
		return nil
	}
	for _, name := range files {
		if name == "" {
			continue
		}
		r, done, err := openRun(name, s)
		if err != nil {
			return err
		}
		said := r.Run().Vantage.From
		done()
		if said != "" && !strings.EqualFold(said, from) {
			return usagef("--from %s: %s says that it was measured from %s", from, name, said)
		}
	}
	return nil
}

// checkProjection refuses to project what has no round trip to grow, or a longer one already.
func checkProjection(set *reading.Set, name string) error {
	if set.AtRTT == 0 || set.Projected > 0 {
		return nil
	}
	return fmt.Errorf("--at-rtt %s: %s has no ok exchange with a known shorter round trip: it projects users farther away than the one measured", set.AtRTT, name)
}

func prefixArms(p *report.Probe, file string) {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".zst"), ".jsonl")
	for i := range p.Arms {
		p.Arms[i].Name = base + "#" + p.Arms[i].Name
	}
}

// longFile is the size from which a file's rows are most of what this process holds.
const longFile = 8 << 20

// untouched is how much is added to the heap while a long file is read, for the collector's reckoning
// alone: memory that nobody writes to is not resident. Without it a heap that begins small would be
// collected after every few hundred kilobytes.
const untouched = 64 << 20

// collectOften keeps the peak of reading a long file near what its rows take. Rows hold no pointers, so
// collecting garbage often costs little. What it returns is to be called once the file is read: rows that
// are joined leave holes that nothing later fits into.
func collectOften(f *os.File) (handBack func()) {
	if sizeOf(f) <= longFile {
		return func() {}
	}
	debug.SetGCPercent(5)
	padding := make([]byte, untouched)
	return func() {
		runtime.KeepAlive(padding)
		debug.FreeOSMemory()
	}
}

// sizeOf is the size of a file, 0 for what has none, such as a pipe.
func sizeOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// readRun reads a run file, or with the word last the newest kept one.
func readRun(name string, s streams, opt reading.Options) (*reading.Set, error) {
	path := name
	if name == "last" {
		var err error
		if path, err = lastRun(s.getenv); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	defer collectOften(f)()
	r, err := record.NewReader(f, record.ReadOptions{Name: path, Size: sizeOf(f)})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if load.IsRamp(r.Run()) {
		return nil, usagef("%s is a ramp: its requests shared the service, so they are no sample of single ones; coldsplit report takes it, or two of them", name)
	}
	opt = asMeasured(r.Run(), opt)
	if s.redactor != nil {
		return readRedacted(r, opt, s.redactor)
	}
	return reading.Read(r, opt)
}
