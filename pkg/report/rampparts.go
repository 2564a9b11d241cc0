package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/load"
)

// outcomes tells what is in no figure: throttled, failed and invalid exchanges, each apart.
func (v *rampView) outcomes() (KeyValue, bool) {
	b := KeyValue{Width: labels + 7}
	c := v.r.All.Counts
	digits := len(fmt.Sprint(max(c.Throttled, c.Failed, c.Invalid)))
	add := func(name string, n int, lines []string) {
		if n > 0 {
			b.Entries = append(b.Entries, Entry{fmt.Sprintf("%-9s %*d", name, digits, n), lines})
		}
	}
	add("throttled", c.Throttled, []string{v.throttledLine(&v.r.All.Throttled)})
	add("failed", c.Failed, v.failedLines())
	add("invalid", c.Invalid, v.invalidLines())
	return b, len(b.Entries) > 0
}

func (v *rampView) invalidLines() []string {
	var lines []string
	for _, s := range v.r.All.Invalid {
		lines = append(lines, countPrefix(s.N, v.r.All.Counts.Invalid)+Clip(s.Value, clipText))
	}
	return lines
}

// throttledLine is "429, Retry-After 2, bench_full; after 113 ms (p50, p95 140)".
func (v *rampView) throttledLine(t *load.Throttled) string {
	var parts []string
	for _, s := range t.Statuses {
		parts = append(parts, s.Value)
	}
	if t.HasRetryAfter {
		text := "Retry-After " + secondsText(t.RetryAfter)
		if t.RetryAfterMax > t.RetryAfter {
			text += " to " + secondsText(t.RetryAfterMax)
		}
		parts = append(parts, text)
	}
	for _, s := range t.Reasons[:min(len(t.Reasons), mostReasons)] {
		parts = append(parts, Clip(s.Value, clipName)+countNote(s.N, t.N))
	}
	for _, s := range t.Limits[:min(len(t.Limits), mostReasons)] {
		parts = append(parts, "used up: "+Clip(s.Value, clipName)+countNote(s.N, t.N))
	}
	return fmt.Sprintf("%s; after %s ms (p50), p95 %s", strings.Join(parts, ", "),
		v.s.MS(durationOf(t.Latency.P50.Value)), v.s.MS(durationOf(t.Latency.P95.Value)))
}

const mostReasons = 3 // reasons and limits named in text; JSON has all

// countNote is " (3 of 19)", or nothing when it is all of them.
func countNote(n, of int) string {
	if n == of {
		return ""
	}
	return " (" + Share(n, of) + ")"
}

func countPrefix(n, of int) string {
	if n == of {
		return ""
	}
	return fmt.Sprintf("%d: ", n)
}

const mostFailures = 6 // groups of failures in text; JSON has all

func (v *rampView) failedLines() []string {
	var lines []string
	all := v.r.All.Failures
	for i := range all[:min(len(all), mostFailures)] {
		f := &all[i]
		line := countPrefix(f.N, v.r.All.Counts.Failed) + Clip(failureText(f), clipText)
		if where := v.failedWhere(f); where != "" {
			line += "  (" + where + ")"
		}
		lines = append(lines, line)
	}
	if more := len(all) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", Plural(more, "kind", "kinds")))
	}
	return lines
}

// failedWhere is "m-b7, at 32", with the host in front where there are several.
func (v *rampView) failedWhere(f *load.Failure) string {
	var parts, at []string
	for _, name := range f.Instances {
		parts = append(parts, short(name, clipSite))
	}
	for _, i := range f.Stages {
		if v.r.Stages[i].Rate == 0 || len(at) == 0 {
			at = append(at, number(&v.r.Stages[i]))
		}
	}
	if hosts := v.failedHosts(*f); len(hosts) <= mostHosts {
		parts = append(hosts, parts...)
	}
	if len(at) > 0 {
		parts = append(parts, "at "+AndList(at))
	}
	return strings.Join(parts, ", ")
}

// instanceStages are the stages the table of instances shows: the first two that were throttled, else
// the largest.
func (v *rampView) instanceStages() []int {
	var out []int
	for i := range v.r.Stages {
		if v.r.Stages[i].Counts.Throttled > 0 && len(out) < 2 {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		out = append(out, v.r.Largest())
	}
	return out
}

const mostInstances = 20 // rows of the table; JSON has all

func (v *rampView) instanceTable() Table {
	shown := v.instanceStages()
	t := Table{Columns: []Column{{Over: "instance", Wide: "", Min: 8}}}
	pair := func(over string, gap int) {
		t.Columns = append(t.Columns,
			Column{Head: "ok", Wide: over + " ok", Align: Right, Gap: gap, Min: 2},
			Column{Head: "throttled", Over: over + "  ", Wide: "throttled", Align: Right, Gap: 2, Min: 9})
	}
	for i, stage := range shown {
		pair("at "+number(&v.r.Stages[stage]), 4+2*min(i, 1))
	}
	pair("all ", 6)
	t.Columns = append(t.Columns, Column{Head: "failed", Align: Right, Gap: 2, Min: 6})
	for i, in := range v.r.Instances {
		if i == mostInstances {
			t.Rows = append(t.Rows, Row{Cells: []Cell{{Text: fmt.Sprintf("and %d more", len(v.r.Instances)-i)}}})
			break
		}
		t.Rows = append(t.Rows, instanceRow(&in, shown))
	}
	return t
}

func instanceRow(in *load.Instance, shown []int) Row {
	row := Row{Cells: []Cell{{Text: short(in.Name, clipSite), Key: true}}}
	for _, stage := range shown {
		c := in.Stages[stage].Counts
		row.Cells = append(row.Cells, Cell{Text: fmt.Sprint(c.OK)}, Cell{Text: fmt.Sprint(c.Throttled)})
	}
	c := in.Counts
	row.Cells = append(row.Cells, Cell{Text: fmt.Sprint(c.OK)}, Cell{Text: fmt.Sprint(c.Throttled)}, Cell{Text: fmt.Sprint(c.Failed)})
	return row
}
