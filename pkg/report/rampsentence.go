package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// sentence says how many at once before the service said no, and what the accepted ones then cost.
func (v *rampView) sentence() string {
	switch {
	case len(v.r.Stages) == 0:
		return "Nothing was sent."
	case v.r.All.Counts.OK == 0:
		return v.nothingAccepted()
	}
	first, throttled := v.r.FirstThrottled()
	if !throttled {
		return v.neverThrottled()
	}
	s := &v.r.Stages[first]
	text := v.servedBefore(s)
	if s.Counts.OK == 0 {
		return text
	}
	return text + " " + v.costWords(s, "The "+countWord(s.Counts.OK)+" "+v.they()+" took")
}

func (v *rampView) nothingAccepted() string {
	c := v.r.All.Counts
	switch {
	case c.Throttled == c.Done():
		return fmt.Sprintf("%s throttled all of %s%s.", v.host, Plural(c.Throttled, v.noun[0], v.noun[1]), v.reasonNote(&v.r.All.Throttled))
	case c.Throttled > 0 && c.Failed > 0:
		return fmt.Sprintf("%s accepted none of %s: %s throttled %d%s, and %d failed%s, most often %s.", v.host,
			Plural(c.Done(), v.noun[0], v.noun[1]), v.they(), c.Throttled, v.reasonNote(&v.r.All.Throttled), c.Failed, v.failedAt(),
			Clip(failureText(&v.r.All.Failures[0]), clipText))
	case c.Failed > 0:
		return fmt.Sprintf("%s accepted none of %s: %s.", v.host, Plural(c.Done(), v.noun[0], v.noun[1]),
			Clip(failureText(&v.r.All.Failures[0]), clipText))
	}
	return fmt.Sprintf("%s accepted none of %s.", v.host, Plural(c.Done(), v.noun[0], v.noun[1]))
}

// servedBefore tells the last clean stage and the first that was throttled.
func (v *rampView) servedBefore(s *load.Stage) string {
	of := number(s)
	if v.wide {
		of = fmt.Sprintf("%d at %s", s.Counts.Done(), number(s))
	}
	throttled := fmt.Sprintf("%s throttled %d%s.", v.they(), s.Counts.Throttled, v.reasonNote(&s.Throttled))
	clean, any := v.r.LastClean()
	if !any {
		return fmt.Sprintf("%s %s never clean: of %s %s", v.host, v.were(), of, throttled)
	}
	c := &v.r.Stages[clean]
	if c.Rate > 0 {
		return fmt.Sprintf("%s served %s %s a second; of %s %s", v.host, number(c), v.noun[1], of, throttled)
	}
	return fmt.Sprintf("%s served %s at once; of %s %s", v.host, Plural(c.Parallel, v.noun[0], v.noun[1]), of, throttled)
}

// reasonNote is " (429 bench_full)".
func (v *rampView) reasonNote(t *load.Throttled) string {
	text := ""
	if len(t.Statuses) > 0 {
		text = t.Statuses[0].Value
	}
	if len(t.Reasons) > 0 {
		text += " " + Clip(t.Reasons[0].Value, clipName)
	}
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func (v *rampView) neverThrottled() string {
	last := &v.r.Stages[v.r.Largest()]
	text := v.host + " throttled nothing" + v.reachWords(last)
	if failed := v.r.All.Counts.Failed; failed > 0 {
		text += fmt.Sprintf(", but %d of %d failed%s", failed, v.r.All.Counts.Done(), v.failedAt())
	}
	text += "."
	if last.Counts.OK == 0 {
		return text
	}
	return text + " " + v.costWords(last, fmt.Sprintf("The %s accepted at %s", countWord(last.Counts.OK), number(last)))
}

// reachWords is ", up to 16 at once", or which rate was not reached and what was sent instead.
func (v *rampView) reachWords(last *load.Stage) string {
	if !last.Unreached() {
		return ", up to " + v.atWords(last)
	}
	text := ""
	if i, any := v.r.LargestReached(); any {
		text = ", up to " + v.atWords(&v.r.Stages[i])
	}
	return text + fmt.Sprintf("; %s was not reached: %s were sent", v.atWords(last), sentWords(last))
}

// sentWords is "2.5 a second": what came of a rate.
func sentWords(s *load.Stage) string { return rateText(s.Sent) + " a second" }

// costWords is "The 13 it took had their first text after 969 ms (p50), 219 ms later than at 8."
func (v *rampView) costWords(s *load.Stage, who string) string {
	did := "were done"
	switch {
	case v.key == segment.FirstText && s.Counts.OK == 1:
		did = "had its first text"
	case v.key == segment.FirstText:
		did = "had their first text"
	case s.Counts.OK == 1:
		did = "was done"
	}
	f := s.Figure(v.key)
	text := fmt.Sprintf("%s %s after %s ms (p50)", who, did, v.s.MS(durationOf(f.P50.Value)))
	if v.open {
		text = fmt.Sprintf("%s %s %s ms (p50) after being due", who, did, v.s.MS(durationOf(f.P50.Value)))
	}
	if before := v.comparable(s); before != nil && s.Differs(before, v.key) {
		text += ", " + v.laterWords(before, f)
	}
	if len(s.Doubts) > 0 {
		text += "; do not believe it (?)"
	}
	return text + "."
}

// comparable is the largest stage smaller than s that was believed and accepted something.
func (v *rampView) comparable(s *load.Stage) *load.Stage {
	var found *load.Stage
	for i := range v.r.Stages {
		o := &v.r.Stages[i]
		usable := o.Size() < s.Size() && o.Counts.OK > 0 && len(o.Doubts) == 0
		if usable && (found == nil || o.Size() >= found.Size()) {
			found = o
		}
	}
	return found
}

func (v *rampView) laterWords(before *load.Stage, f load.Figure) string {
	b := before.Figure(v.key)
	units := v.s.units(durationOf(f.P50.Value)) - v.s.units(durationOf(b.P50.Value))
	switch {
	case units > 0:
		return fmt.Sprintf("%s ms later than at %s", v.s.text(units), number(before))
	case units < 0:
		return fmt.Sprintf("%s ms sooner than at %s", v.s.text(-units), number(before))
	}
	return "as at " + number(before)
}

// failureText is a group of failures in words: "stream: 200, after 41 texts: stream cut".
func failureText(f *load.Failure) string {
	class := string(f.Class)
	switch {
	case f.Streamed && f.Status > 0:
		return fmt.Sprintf("%s: %d, after %s: %s", class, f.Status, Plural(f.Texts, "text", "texts"), f.Text)
	case f.Status == 402:
		return "status: 402, payment required: the account ran dry"
	case f.Status > 0:
		return fmt.Sprintf("%s: %d in %s, %s", class, f.Status, f.Segment, f.Text)
	}
	return fmt.Sprintf("%s in %s: %s", class, f.Segment, f.Text)
}

func countWord(n int) string {
	if n == 1 {
		return "one"
	}
	return Thousands(int64(n))
}

// secondsText writes a Retry-After as the service wrote it.
func secondsText(d time.Duration) string { return trimZero(fmt.Sprintf("%.1f", d.Seconds())) }
