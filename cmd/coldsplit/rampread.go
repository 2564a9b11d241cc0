package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// openRun opens a run file, or with the word last the newest kept one.
func openRun(name string, s streams) (*record.Reader, func(), error) {
	path := name
	if name == "last" {
		var err error
		if path, err = lastRun(s.getenv); err != nil {
			return nil, nil, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read run: %w", err)
	}
	r, err := record.NewReader(f, record.ReadOptions{Name: path})
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return r, func() { r.Close(); f.Close() }, nil
}

// readRamp reads a run file whose exchanges were sent in stages.
func readRamp(name string, s streams, opt reading.Options) (*load.Ramp, error) {
	switch {
	case opt.By.Set():
		return nil, usagef("--by: a ramp is told by stage, template and instance; --instance header:NAME when it is measured")
	case opt.AtRTT > 0:
		return nil, usagef("--at-rtt: a ramp's waiting is the service's, and no round trip explains it")
	}
	r, done, err := openRun(name, s)
	if err != nil {
		return nil, err
	}
	defer done()
	if !load.IsRamp(r.Run()) {
		return nil, usagef("%s is no ramp: its exchanges were sent one at a time", name)
	}
	opt = asMeasured(r.Run(), opt)
	if s.redactor == nil {
		return load.Read(r, opt)
	}
	return readRedactedRamp(r, opt, s.redactor)
}

// readRedactedRamp reads a ramp as it would be told to strangers. What is needed of the plan are its
// numbers.
func readRedactedRamp(r *record.Reader, opt reading.Options, red *record.Redactor) (*load.Ramp, error) {
	plan := load.ParsePlan(r.Run().Plan)
	hidden := red.Run(r.Run())
	raw, err := json.Marshal(map[string]load.Plan{"ramp": plan})
	if err != nil {
		return nil, err
	}
	hidden.Plan = raw
	b := load.NewBuilder(hidden, opt)
	var ex record.Exchange
	for {
		err := r.Next(&ex)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		private := red.Exchange(&ex)
		if err := b.Add(&private); err != nil {
			return nil, err
		}
	}
	end, complete := r.End()
	return b.Finish(red.End(&end), complete), nil
}

// areRamps reports whether the files are ramps: all, or none. A mixture is told as a mistake.
func areRamps(files []string, s streams) (bool, error) {
	ramps := 0
	for _, name := range files {
		r, done, err := openRun(name, s)
		if err != nil {
			return false, err
		}
		if load.IsRamp(r.Run()) {
			ramps++
		}
		done()
	}
	switch {
	case ramps > 0 && ramps < len(files):
		return false, usagef("some of the files are ramps, some are not: report them apart")
	case ramps > 2:
		return false, usagef("report takes one ramp, or two to compare stage by stage, got %d", ramps)
	}
	return ramps > 0, nil
}

// reportRamps prints a saved ramp again, or what changed from the first to the second. err is what was
// wrong with the files, if anything was.
func (o *reportOptions) reportRamps(s streams, opt reading.Options, err error) error {
	if err != nil {
		return err
	}
	switch {
	case opt.By.Set():
		return usagef("--by %s: a ramp is read stage by stage", o.read.by)
	case opt.AtRTT > 0:
		return usagef("--at-rtt %s: a ramp is not projected", o.read.atRTT.String())
	}
	var ramps []*load.Ramp
	for _, name := range o.files {
		r, err := readRamp(name, s, opt)
		if err != nil {
			return err
		}
		ramps = append(ramps, r)
	}
	if len(ramps) == 1 {
		return o.output.emit(s, rampDocument(nil, ramps[0], [2]string{}, s))
	}
	files := [2]string{s.aliased(o.files[0]), s.aliased(o.files[1])}
	return o.output.emit(s, rampDocument(ramps[0], ramps[1], files, s))
}
