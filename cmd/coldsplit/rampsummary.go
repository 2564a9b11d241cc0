package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/report"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// summary says what will be sent, before anything is.
func (j *rampJob) summary(w io.Writer) error {
	_, err := fmt.Fprintln(w, strings.Join(j.summaryLines(), "\n"))
	return err
}

func (j *rampJob) summaryLines() []string {
	lines := []string{"will send   " + j.sendWords()}
	if j.health != nil {
		lines = append(lines, fmt.Sprintf("will ask    %s every %s, beside the load", j.health.route.URL, report.InWords(j.poll.Every)))
	}
	if j.policy.Cost > 0 {
		lines = append(lines, "will cost   "+j.costWords())
	}
	if words := j.boundWords(); words != "" {
		lines = append(lines, "will stop   "+words)
	}
	return append(lines, "will take   "+j.timeWords())
}

// dryRun is the JSON form of the summary, schema coldsplit.ramp-plan/1.
type dryRun struct {
	Schema   string    `json:"schema"`
	Stages   []int     `json:"stages,omitempty"` // of a search those until the first that is throttled
	Rates    []float64 `json:"rates,omitempty"`
	Find     bool      `json:"find,omitempty"`
	Planned  int       `json:"planned"`  // requests; of a hold the first ones alone, of a search the most
	Held     bool      `json:"held"`     // more follow as they finish
	Sendable *int      `json:"sendable"` // what the bounds let through; null for a hold without a bound
	After    int       `json:"after"`    // of the planned, once the load is gone
	Waits    int64     `json:"waits_ns"` // planned waiting
	Cost     float64   `json:"cost,omitempty"`
	Budget   float64   `json:"budget,omitempty"`
	Summary  []string  `json:"summary"` // as text has it
}

// summaryJSON is the summary for a program.
func (j *rampJob) summaryJSON(w io.Writer) error {
	d := dryRun{
		Schema: "coldsplit.ramp-plan/1", Stages: j.ramp.Stages, Rates: j.ramp.Rates, Find: j.find, Planned: j.most(), Held: j.held(),
		After: j.after, Waits: int64(j.waits()), Cost: j.policy.Cost, Budget: j.policy.Budget, Summary: j.summaryLines(),
	}
	if n := j.sendable(); n < maxPlanned {
		d.Sendable = &n
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

// waits is the planned waiting.
func (j *rampJob) waits() time.Duration {
	return schedule.SizeOf(j.steps).Waits + time.Duration(j.after)*leastRest
}

// most is how many requests the load and what follows it can come to.
func (j *rampJob) most() int {
	if j.find {
		return j.mostOfSearch() + j.after
	}
	return schedule.SizeOf(j.steps).Slots + j.after
}

// mostOfSearch is the dearest way the search can go: some stage is the first that is throttled.
func (j *rampJob) mostOfSearch() int {
	most, sent, clean := 0, 0, 0
	for _, n := range j.ramp.Stages {
		sent += n
		most = max(most, sent+dearest(clean, n))
		clean = n
	}
	return most * max(1, j.ramp.Rounds)
}

// dearest is the most that halving between two numbers can send.
func dearest(clean, throttled int) int {
	n, more := schedule.Between(clean, throttled)
	if !more {
		return 0
	}
	return n + max(dearest(clean, n), dearest(n, throttled))
}

func (j *rampJob) sendWords() string {
	text := j.countWords() + j.stageWords()
	if j.after > 0 {
		text += fmt.Sprintf(", then %d more", j.after)
	}
	if len(j.requests) > 1 {
		text += fmt.Sprintf("; %d templates", len(j.requests))
	}
	return text
}

// countWords is "61 requests", with the method where it may change something.
func (j *rampJob) countWords() string {
	n, word := j.most()-j.after, "request"
	for _, method := range j.methods() {
		if !slices.Contains(safeMethods, method) {
			word = strings.Join(j.methods(), "/") + " request"
			break
		}
	}
	text := plural(n, word)
	switch {
	case j.find:
		return "at most " + text
	case schedule.SizeOf(j.steps).Held && len(j.ramp.Rates) == 0:
		return text + " and more, as they finish,"
	}
	return text
}

func (j *rampJob) stageWords() string {
	switch {
	case j.find:
		return fmt.Sprintf(": stages of %s until one is throttled, then a search between", numberList(j.ramp.Stages))
	case len(j.ramp.Rates) > 0:
		var rates []string
		for _, r := range j.ramp.Rates {
			rates = append(rates, strconv.FormatFloat(r, 'g', 4, 64))
		}
		return fmt.Sprintf(" at %s a second, %s each, at most %d in flight", strings.Join(rates, ", "), report.InWords(j.ramp.Hold), j.ramp.Ceiling)
	}
	text := fmt.Sprintf(" in %s of %s in parallel", plural(len(j.ramp.Stages), "stage"), numberList(j.ramp.Stages))
	switch {
	case j.ramp.Hold > 0:
		text += fmt.Sprintf(", each kept up for %s; a throttled place waits its Retry-After, or %s",
			report.InWords(j.ramp.Hold), report.InWords(schedule.RefusedRest))
	case j.ramp.Rounds > 1:
		text += fmt.Sprintf(", %d times each", j.ramp.Rounds)
	}
	return text
}

// amount writes money in the user's own unit.
func amount(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return report.Thousands(int64(x))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func (j *rampJob) timeWords() string {
	waits := j.waits()
	gaps := max(0, len(j.steps)-1)
	at := "at least " + report.InWords(waits)
	if waits == 0 {
		at = "as long as the answers take"
	}
	if gaps > 0 && j.ramp.Gap > 0 {
		at += fmt.Sprintf(" (%s of %s)", plural(gaps, "gap"), report.InWords(j.ramp.Gap))
	}
	return at + "; Ctrl-C drains and reports"
}

func numberList(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ", ")
}

func plural(n int, word string) string { return report.Plural(n, word, word+"s") }
