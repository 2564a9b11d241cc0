package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/coldsplit/coldsplit/pkg/report"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// loadFlags say how much is sent at once, when, and when to stop.
type loadFlags struct {
	stages      string
	rates       string
	gap         interval
	rounds      int
	hold        interval
	templates   string
	mix         string
	instance    string
	health      string
	healthEvery interval
	after       int
	cost        float64
	budget      float64
	maxRequests int
	limit       int
	find        bool
	dryRun      bool
	against     string
}

const (
	defaultStages      = "1,2,4,8,16"
	defaultGap         = 10 * time.Second
	defaultHealthEvery = 5 * time.Second
	defaultRateHold    = 10 * time.Second
)

func (l *loadFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&l.stages, "stages", defaultStages, "`N,N,...` requests at once, stage after stage")
	l.gap = interval(defaultGap)
	fs.Var(&l.gap, "gap", "quiet between two bursts; longer than a minute keeps a per-minute limit out of it")
	fs.IntVar(&l.rounds, "rounds", 1, "`N` bursts a stage")
	fs.Var(&l.hold, "hold", "keep each stage's number in flight for this `TIME` instead; with --rate, how long each rate lasts (default 10s)")
	fs.StringVar(&l.rates, "rate", "", "instead of --stages: `N/s,...` starts a second, whether others have finished or not; measured from the intended start")
	fs.StringVar(&l.templates, "templates", "", "requests from a YAML `FILE`: a list of name, method, url, headers, body, weight, terminal-event, text-path")
	fs.StringVar(&l.mix, "mix", "round-robin", "how templates follow each other: `round-robin|random` (by --seed)")
	fs.StringVar(&l.instance, "instance", "", "which machine answered: `header:NAME`")
	fs.StringVar(&l.health, "health", "", "`URL` asked throughout, on its own schedule")
	l.healthEvery = interval(defaultHealthEvery)
	fs.Var(&l.healthEvery, "health-interval", "time between two health requests")
	fs.IntVar(&l.after, "after", 0, "`N` single requests once the load is gone: did it recover")
	fs.Float64Var(&l.cost, "cost", 0, "what one request costs, `AMOUNT` in any unit; reserved before it is sent")
	fs.Float64Var(&l.budget, "budget", 0, "most that may be reserved, `AMOUNT` in the same unit; the ramp ends before it could be exceeded")
	fs.IntVar(&l.maxRequests, "max-requests", 0, "most requests, `N`; the ramp ends before a stage would exceed it")
	fs.IntVar(&l.limit, "parallel-limit", schedule.DefaultCeiling, "most requests in flight, `N`")
	fs.BoolVar(&l.find, "find", false, "stop at the first stage that is throttled and search between it and the last clean one")
	fs.BoolVar(&l.dryRun, "dry-run", false, "print what would be sent, and send nothing")
	fs.StringVar(&l.against, "against", "", "compare stage by stage with the ramp saved in `FILE`")
}

// bindRun binds those of the run's flags that a ramp has. The others are about sending one at a time.
func (o *rampOptions) bindRun(fs *pflag.FlagSet) {
	r := &o.run
	fs.Uint64Var(&r.seed, "seed", 0, "seed of --mix random (default from the clock; it is recorded)")
	fs.StringVar(&r.from, "from", "", "where this machine is: `CITY` or lat,lon")
	fs.BoolVar(&r.keepGoing, "keep-going", false, "send the rest after 3 identical failures")
	fs.BoolVar(&r.noPrewarm, "no-prewarm", false, "do not warm this process up; the first exchange is marked")
	fs.StringArrayVar(&r.keep, "keep-header", nil, "also keep this response header `NAME`, or * for all that carry no secret")
	fs.StringVar(&r.keylog, "keylog", "", "write TLS secrets to `FILE`, for a packet analyser")
	fs.StringVar(&r.lab, "lab", "", "measure inside the embedded internet: `SCENARIO[/VARIANT]`")
	fs.StringVar(&r.save, "save", "", "keep the run in `FILE` (.jsonl or .jsonl.zst)")
	fs.BoolVar(&r.noSave, "no-save", false, "keep no run file")
	longest := fs.Lookup("max-time")
	o.route.maxTime = seconds(longestInRamp)
	longest.DefValue = longest.Value.String()
}

// check finds everything wrong with the flags that needs no file and no network.
func (o *rampOptions) check() error {
	if err := o.output.check(); err != nil {
		return err
	}
	if err := o.run.checkSaving(); err != nil {
		return err
	}
	l := &o.load
	switch {
	case len(o.args) == 0 && o.run.lab == "" && l.templates == "":
		return usagef("ramp needs a URL, --templates FILE or --lab SCENARIO")
	case l.mix != "round-robin" && l.mix != "random":
		return usagef("--mix takes round-robin or random, got %q", l.mix)
	case l.rates != "" && o.given("stages"):
		return usagef("--rate and --stages exclude each other: a rate has no number in parallel")
	case l.rates != "" && l.rounds > 1:
		return usagef("--rounds: a rate has no bursts to repeat; --hold says how long each rate lasts")
	case l.hold > 0 && l.rounds > 1:
		return usagef("--rounds and --hold exclude each other: a stage is kept up, or repeated")
	case l.find && (l.rates != "" || l.hold > 0):
		return usagef("--find searches a number in parallel: it goes with --stages and --rounds, not with --rate or --hold")
	case (l.cost > 0) != (l.budget > 0) || l.cost < 0 || l.budget < 0:
		return usagef("--cost and --budget belong together, both above 0, got %v and %v", l.cost, l.budget)
	case l.rounds < 1:
		return usagef("--rounds must be at least 1, got %d", l.rounds)
	case l.after < 0 || l.maxRequests < 0:
		return usagef("--after and --max-requests cannot be negative")
	case l.dryRun && !o.dryRunFormat():
		return usagef("--dry-run sends nothing, so there is no report: it prints a summary, or with -f json an object")
	case l.limit < 1:
		return usagef("--parallel-limit must be at least 1, got %d", l.limit)
	case l.health != "" && l.healthEvery <= 0:
		return usagef("--health-interval must be above 0")
	}
	_, err := instanceHeader(l.instance)
	return err
}

// dryRunFormat reports whether what --dry-run prints has the form asked for.
func (o *rampOptions) dryRunFormat() bool {
	f := report.Format(o.output.format)
	return len(o.output.files) == 0 && (f == report.FormatText || f == report.FormatJSON)
}

// instanceHeader is the name in header:NAME, "" when none is asked for.
func instanceHeader(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	name, ok := strings.CutPrefix(text, "header:")
	if !ok || !isToken(name) {
		return "", usagef("--instance takes header:NAME, like header:fly-machine-id, got %q", text)
	}
	return strings.ToLower(name), nil
}

// parseStages reads "1,4,8,16".
func parseStages(text string) ([]int, error) {
	var out []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, usagef("--stages takes numbers like 1,4,8,16, got %q", text)
		}
		out = append(out, n)
	}
	return out, nil
}

// parseRates reads "5/s,20/s" or "90/m".
func parseRates(text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	var out []float64
	for part := range strings.SplitSeq(text, ",") {
		rate, err := parseRate(strings.TrimSpace(part))
		if err != nil {
			return nil, usagef("--rate takes starts per time like 5/s,20/s or 90/m, got %q", text)
		}
		out = append(out, rate)
	}
	return out, nil
}

func parseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return 0, err
	case unit == "s":
		return n, nil
	case unit == "m":
		return n / 60, nil
	}
	return 0, fmt.Errorf("unknown unit %q", unit)
}
