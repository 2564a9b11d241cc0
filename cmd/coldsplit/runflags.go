package main

import (
	"time"

	"github.com/spf13/pflag"
)

// runFlags say how many requests are sent, when, and what is kept of them.
type runFlags struct {
	n          int
	interval   interval
	spread     interval
	seed       uint64
	from       string
	maxPause   interval
	keepGoing  bool
	noPrewarm  bool
	location   bool
	keep       []string
	keylog     string
	config     string
	configText string  // what --config held, in a saved plan
	routes     *config // of --config, nil without
	lab        string
	save       string
	noSave     bool
	secrets    []string
}

const (
	defaultN        = 25
	defaultInterval = 200 * time.Millisecond
	defaultMaxPause = 60 * time.Second
)

func (r *runFlags) bind(fs *pflag.FlagSet) {
	fs.IntVarP(&r.n, "requests", "n", defaultN, "`N` requests per route, protocol and state")
	r.interval = interval(defaultInterval)
	fs.Var(&r.interval, "interval", "time between two requests, jittered by a quarter")
	fs.Var(&r.spread, "spread", "spread the requests evenly over this `TIME`, so that what is warm cools down between them")
	fs.Uint64Var(&r.seed, "seed", 0, "seed of order and jitter (default from the clock; it is recorded)")
	fs.StringVar(&r.from, "from", "", "where this machine is: `CITY` or lat,lon")
	r.maxPause = interval(defaultMaxPause)
	fs.Var(&r.maxPause, "max-pause", "longest pause a Retry-After may ask for before the run ends")
	fs.BoolVar(&r.keepGoing, "keep-going", false, "send the rest after 3 identical failures")
	fs.BoolVar(&r.noPrewarm, "no-prewarm", false, "do not warm this process up; the first exchange is marked")
	fs.BoolVarP(&r.location, "location", "L", false, "follow redirects: one arm per hop")
	fs.StringArrayVar(&r.keep, "keep-header", nil, "also keep this response header `NAME`, or * for all that carry no secret")
	fs.StringVar(&r.keylog, "keylog", "", "write TLS secrets to `FILE`, for a packet analyser")
	fs.StringVar(&r.config, "config", "", "routes from a YAML `FILE`, its keys named like the flags")
	fs.StringVar(&r.configText, "config-text", "", "routes in JSON")
	_ = fs.MarkHidden("config-text")
	fs.StringVar(&r.lab, "lab", "", "measure inside the embedded internet: `SCENARIO[/VARIANT]`")
	fs.StringVar(&r.save, "save", "", "keep the run in `FILE` (.jsonl or .jsonl.zst)")
	fs.BoolVar(&r.noSave, "no-save", false, "keep no run file")
}

// outputFlags say what is printed where.
type outputFlags struct {
	format string
	files  []string
	color  string
	redact bool
}

func (o *outputFlags) bind(fs *pflag.FlagSet) {
	fs.StringVarP(&o.format, "format", "f", "text", "`text|md|csv|json` on stdout")
	fs.StringArrayVarP(&o.files, "output", "o", nil, "also write the report to `FILE`.md|csv|json|txt; repeatable")
	fs.StringVar(&o.color, "color", "auto", "`auto|always|never`; NO_COLOR is honoured")
	fs.BoolVar(&o.redact, "redact", false, "replace addresses, host names and cities by stable aliases")
}
