package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// runBlock is how it was measured: the starts, the health of the service beside the load, what came
// after it.
func (v *rampView) runBlock() KeyValue {
	b := KeyValue{Width: labels + 2}
	for _, e := range []Entry{
		{"start", v.startLines()}, {"rate", v.rateLines()}, {"stream", v.streamLines()}, {"health", v.healthLines()}, {"after", v.afterLines()}, {"run", v.runLines()},
	} {
		if len(e.Lines) > 0 {
			b.Entries = append(b.Entries, e)
		}
	}
	return b
}

// startLines tell how far a stage was everything at once.
func (v *rampView) startLines() []string {
	var widest *load.Stage
	var most, connect time.Duration
	short := ""
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		if s.Rate > 0 || s.Parallel < 2 {
			continue
		}
		if widest == nil || s.Parallel >= widest.Parallel {
			widest = s
		}
		most, connect = max(most, s.Start.Max), max(connect, s.Start.Connect)
		if s.InFlight < s.Parallel {
			short = add2(short, fmt.Sprintf("%d of %d", s.InFlight, s.Parallel))
		}
	}
	if widest == nil {
		return v.openLines()
	}
	line := fmt.Sprintf("all of a stage within %s ms (p50 %s at %d)", tenths(most), tenths(widest.Start.P50), widest.Parallel)
	if connect > 0 {
		line += fmt.Sprintf(", connected within %s ms of each other", tenths(connect))
	}
	if short == "" {
		return []string{line + "; most in flight = parallel"}
	}
	return []string{line + "; most in flight: " + short}
}

func tenths(d time.Duration) string { return TenthsMS.MS(d) }

// openLines tell how an open stage was kept up.
func (v *rampView) openLines() []string {
	if !v.open {
		return nil
	}
	most, missed := 0, ""
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		most = max(most, s.InFlight)
		if s.Unreached() {
			missed = add2(missed, fmt.Sprintf("%s of %s (p50 %s ms late)", rateText(s.Sent), v.atWords(s), v.s.MS(s.Late)))
		}
	}
	line := "each at its own time, evenly"
	if missed != "" {
		line = "not reached: " + missed
	}
	line += fmt.Sprintf("; most in flight %d", most)
	if v.r.Plan.Ceiling > 0 {
		line += fmt.Sprintf(" of %d allowed", v.r.Plan.Ceiling)
	}
	return []string{line}
}

// rateLines tell how many a second stages accepted that were kept up.
func (v *rampView) rateLines() []string {
	line := ""
	for i := range v.r.Stages {
		if s := &v.r.Stages[i]; s.HasOKRate {
			line = add2(line, perSecond(s.OKRate)+" at "+number(s))
		}
	}
	if line == "" {
		return nil
	}
	return []string{"accepted a second: " + line}
}

// perSecond writes a measured rate, of which no more than its first digits mean anything.
func perSecond(rate float64) string {
	if rate >= 100 {
		return Thousands(int64(math.Round(rate)))
	}
	if rate >= 10 {
		return strconv.FormatFloat(rate, 'f', 1, 64)
	}
	return strconv.FormatFloat(rate, 'f', 2, 64)
}

// streamLines tell how evenly text came once it came, and which stage held the longest stall.
func (v *rampView) streamLines() []string {
	all := &v.r.All
	if all.Gap.N == 0 {
		return nil
	}
	worst := &v.r.Stages[0]
	for i := range v.r.Stages {
		if s := &v.r.Stages[i]; s.Stall.Max > worst.Stall.Max {
			worst = s
		}
	}
	return []string{fmt.Sprintf("%s ms between two texts (p50 of the streams' p50); longest stall %s ms, at %s",
		v.s.MS(durationOf(all.Gap.P50.Value)), v.s.MS(durationOf(all.Stall.Max)), number(worst))}
}

func (v *rampView) healthLines() []string {
	h := &v.r.Health
	if h.Counts.Asked == 0 {
		return nil
	}
	done := h.Counts.Done()
	line := fmt.Sprintf("%s good", Share(h.Counts.OK, done))
	if h.Counts.OK == done {
		line += " throughout"
	}
	if h.Total.N > 0 {
		line += fmt.Sprintf(", p95 %s ms", v.s.MS(durationOf(h.Total.P95.Value)))
	}
	if h.FirstBad != nil {
		line += "; the first bad one " + v.badWords(h.FirstBad)
	}
	return []string{line}
}

func (v *rampView) badWords(b *load.Bad) string {
	what := string(b.Class)
	if b.Status > 0 {
		what = fmt.Sprint(b.Status)
	}
	when := b.At.UTC().Format(time.TimeOnly)
	if b.Stage < 0 {
		return fmt.Sprintf("at %s (%s)", when, what)
	}
	return fmt.Sprintf("at %s, during %s (%s)", when, v.atWords(&v.r.Stages[b.Stage]), what)
}

func (v *rampView) afterLines() []string {
	unsent := v.afterUnsent()
	if len(v.r.After) == 0 && unsent == 0 {
		return nil
	}
	if len(v.r.After) == 0 {
		return []string{unsentWords(unsent)}
	}
	var times, bad []string
	label := "total"
	for _, a := range v.r.After {
		switch {
		case a.Outcome != "ok":
			bad = append(bad, strings.TrimSpace(fmt.Sprintf("%s %s", a.Outcome, statusWord(a.Status))))
		case a.HasText:
			label = "first text"
			times = append(times, v.s.MS(a.FirstText))
		default:
			times = append(times, v.s.MS(a.Total))
		}
	}
	line := Share(len(times), len(v.r.After)) + " ok once the load was gone"
	if len(times) > 0 {
		line += fmt.Sprintf(" (%s %s ms)", label, strings.Join(times, ", "))
	}
	if len(bad) > 0 {
		line += ": " + AndList(bad)
	}
	if unsent > 0 {
		line += "; " + unsentWords(unsent)
	}
	return []string{line}
}

// afterUnsent is how many of the requests asked for after the load are missing.
func (v *rampView) afterUnsent() int { return max(0, v.r.Plan.After-len(v.r.After)) }

func unsentWords(n int) string {
	return fmt.Sprintf("%s not sent, the ramp had ended before; whether it recovered is not known", Plural(n, "request", "requests"))
}

func statusWord(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprint(status)
}

func (v *rampView) runLines() []string {
	r := v.r
	var lines []string
	if !r.Began.IsZero() {
		lines = append(lines, fmt.Sprintf("%s UTC%s, %s", timeRange(r.Began.UTC(), r.Ended.UTC()), fromPlace(r.Run.Vantage.From), v.wayWords()))
	}
	lines = append(lines, v.sentLine())
	if r.Plan.Cost > 0 {
		lines = append(lines, fmt.Sprintf("%s x %s = %s of %s reserved, not what was billed", Plural(r.Requests, "request", "requests"),
			amount(r.Plan.Cost), amount(float64(r.Requests)*r.Plan.Cost), amount(r.Plan.Budget)))
	}
	lines = add(lines, v.stopLine())
	for _, note := range append(append([]string{}, r.Run.Notes...), r.End.Notes...) {
		lines = append(lines, Clip(note, clipText))
	}
	if len(r.Stages) > 0 {
		lines = append(lines, v.promise())
	}
	return lines
}

// wayWords is "h2, TLS 1.3, cold connections".
func (v *rampView) wayWords() string {
	var parts []string
	parts = add(parts, Clip(v.r.Protocol, clipName))
	if v.r.TLS != "" {
		parts = append(parts, "TLS "+Clip(v.r.TLS, clipName))
	}
	state := rampRoute(v.r).State
	if state == "warm" {
		return strings.Join(append(parts, "one kept connection a worker"), ", ")
	}
	return strings.Join(append(parts, "cold connections"), ", ")
}

// sentLine is "61 sent in 5 stages, 65 s apart; nearest-rank percentiles".
func (v *rampView) sentLine() string {
	line := fmt.Sprintf("%s sent in %s", Thousands(int64(v.r.All.Counts.Done())), Plural(len(v.r.Stages), "stage", "stages"))
	p := v.r.Plan
	switch {
	case p.Hold > 0:
		line += v.holdWords()
	case p.Rounds > 1:
		line += fmt.Sprintf(" of %d bursts", p.Rounds)
	}
	if len(v.r.Stages) > 1 && p.Gap > 0 {
		line += ", " + InWords(p.Gap) + " apart"
	}
	if p.Find {
		line += " of a search, shown by their number"
	}
	if v.r.Resolver != "" {
		line += "; resolver " + Clip(v.r.Resolver, clipName)
	}
	return line + "; nearest-rank percentiles"
}

// holdWords tell how long stages lasted, and how long one was to last that did not come out so.
func (v *rampView) holdWords() string {
	hold := v.r.Plan.Hold
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		switch {
		case s.Cut && s.Counts.Throttled > 0:
			return fmt.Sprintf(" of %s as planned, but that of %s was cut off", InWords(hold), number(s)) // while workers rested: nobody knows when
		case s.Cut:
			return fmt.Sprintf(" of %s as planned, but that of %s was cut off after %s", InWords(hold), number(s), InWords(s.Took.Round(time.Second/10)))
		case s.Unreached():
			return fmt.Sprintf(" of %s as planned, but that of %s took %s", InWords(hold), number(s), InWords(s.Took.Round(time.Second/10)))
		}
	}
	if v.open {
		return " of " + InWords(hold)
	}
	return ", each kept up for " + InWords(hold)
}

var stopWords = map[string]string{
	"cancelled": "stopped by the user; what was in flight was drained",
	"budget":    "stopped before a bound on requests or the budget could be broken",
	"failures":  "stopped: nothing but failures, all alike; --keep-going sends the rest",
	"fatal":     "stopped: a failure no repetition would change",
}

func (v *rampView) stopLine() string {
	if v.r.End.Stop == "" {
		return ""
	}
	line := stopWords[v.r.End.Stop]
	if line == "" {
		line = "stopped: " + Clip(v.r.End.Stop, clipName)
	}
	var unsent []string
	for _, n := range v.r.Unsent {
		unsent = append(unsent, fmt.Sprint(n))
	}
	if len(unsent) > 0 {
		line += "; not sent: the " + map[bool]string{true: "stage", false: "stages"}[len(unsent) == 1] + " of " + AndList(unsent)
	}
	if n := v.r.All.Counts.NotSent; n > 0 {
		line += fmt.Sprintf("; %d of a stage begun", n)
	}
	return line
}

// amount writes money in the user's own unit: 1,575, 0.25.
func amount(x float64) string {
	if x == float64(int64(x)) {
		return Thousands(int64(x))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func (v *rampView) promise() string {
	if v.open || v.r.Plan.Hold > 0 {
		return "what was kept up this long is no promise of more"
	}
	if v.r.Plan.Rounds > 1 {
		return "bursts: this is no promise of a sustained rate"
	}
	return "one burst a stage: this is no promise of a sustained rate"
}

func (v *rampView) extremes() bool {
	pairs := v.pairs()
	return v.hasExtreme(pairs[0]) || v.hasExtreme(pairs[1])
}

func (v *rampView) footnotes() []Entry {
	var out []Entry
	if len(v.r.Stages) > 0 && v.extremes() {
		line := "fewer than 20 accepted: the slowest one"
		if pairs := v.pairs(); v.hasExtremeP50(pairs[0]) || v.hasExtremeP50(pairs[1]) {
			line += "; p50 of 2 is the faster one"
		}
		out = append(out, Entry{"*", []string{line}})
	}
	if source := v.estimateSource(); source != "" {
		out = append(out, Entry{"(est.)", []string{source}})
	}
	if lines := v.doubtLines(); len(lines) > 0 {
		out = append(out, Entry{"?", lines})
	}
	return out
}

// estimateSource says where wait.edge_rtt comes from, "" when no stage has one.
func (v *rampView) estimateSource() string {
	for i := range v.r.Stages {
		if s := v.r.Stages[i].Summary; s != nil && s.Has[segment.WaitEdgeRTT] {
			return rttSource(s.Arm)
		}
	}
	return ""
}

// doubtLines say of each marked stage why it is not to be believed.
func (v *rampView) doubtLines() []string {
	var lines []string
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		var why []string
		for _, d := range s.Doubts {
			why = append(why, doubtWords(s, d))
		}
		if len(why) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s; do not believe its figures", v.atWords(s), AndList(why)))
		}
	}
	return lines
}

func doubtWords(s *load.Stage, d load.Doubt) string {
	switch d {
	case load.Skewed:
		return fmt.Sprintf("the starts were %s ms late at p50", tenths(s.Start.P50))
	case load.Starved:
		return fmt.Sprintf("this machine's timers came %s ms late, it was short of processor time", tenths(s.Lag))
	}
	if d == load.Unreached {
		return fmt.Sprintf("only %s were sent", sentWords(s))
	}
	return fmt.Sprintf("only %d of %d were in flight at once", s.InFlight, s.Parallel)
}
