package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const labels = 8 // the column of text beside "run", "slow", "(est.)"

// outcomeBlock tells what was left out of the figures: throttled, failed and invalid exchanges.
func outcomeBlock(a Arm) (KeyValue, bool) {
	b := KeyValue{Width: labels + 2}
	add := func(name string, n int, lines []string) {
		if n == 0 {
			return
		}
		b.Entries = append(b.Entries, Entry{fmt.Sprintf("%s %d", name, n), lines})
	}
	add("throttled", a.Counts.Throttled, throttleLines(a.Throttling))
	add("failed", a.Counts.Failed, failureLines(a.Failures))
	add("invalid", a.Counts.Invalid, failureLines(a.Invalid))
	for _, e := range b.Entries {
		b.Width = max(b.Width, len(e.Key)+3)
	}
	return b, len(b.Entries) > 0
}

func failureLines(groups []Failure) []string {
	var lines []string
	for _, f := range groups {
		line := sequence(f.Seqs, f.Count) + failureWords(f)
		if f.Class != "" && f.Text != "" {
			line += ", " + Clip(f.Text, clipText)
		}
		lines = append(lines, line)
	}
	return lines
}

const mostSeqs = 6 // sequence numbers listed before "and 19 more"

// sequence names exchanges: "#12 #17 #22: ", with a count of those not named.
func sequence(seqs []int, count int) string {
	if len(seqs) == 0 {
		return ""
	}
	var names []string
	for _, seq := range seqs[:min(len(seqs), mostSeqs)] {
		names = append(names, Codes(fmt.Sprintf("#%d", seq)))
	}
	text := strings.Join(names, " ")
	if more := max(count, len(seqs)) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + ": "
}

func throttleLines(t *Throttling) []string {
	if t == nil {
		return nil
	}
	var lines []string
	if line := throttleLine(t); line != "" {
		lines = append(lines, line)
	}
	if waits := pauseWords(t); waits != "" {
		lines = append(lines, waits)
	}
	return lines
}

func throttleLine(t *Throttling) string {
	line := sequence(t.Seqs, len(t.Seqs)) + throttleWords(t)
	if t.HasWait {
		line += fmt.Sprintf("; said after %s of %s (p50)", InWords(t.Wait), segment.Wait)
	}
	return line
}

// throttleWords is what the service said: "429, Retry-After 20, bench_full".
func throttleWords(t *Throttling) string {
	parts := []string{fmt.Sprint(t.Status)}
	if t.HasRetryAfter {
		parts = append(parts, fmt.Sprintf("Retry-After %d", int64(t.RetryAfter.Seconds())))
	}
	if t.Reason != "" && t.Reason != parts[0] {
		parts = append(parts, Clip(t.Reason, clipText))
	}
	return strings.Join(parts, ", ")
}

// pauseWords is "waited 20 s after #12 and after #17, stopped at the third".
func pauseWords(t *Throttling) string {
	var parts []string
	last := time.Duration(-1)
	for _, p := range t.Pauses {
		after := "after " + Codes(fmt.Sprintf("#%d", p.After))
		if p.For != last {
			after = InWords(p.For) + " " + after
		}
		parts, last = append(parts, after), p.For
	}
	words := ""
	if len(parts) > 0 {
		words = "waited " + AndList(parts)
	}
	if words != "" && t.Stopped != "" {
		words += ", "
	}
	return words + t.Stopped
}

// stoppedBlock tells what was not sent, and why that was enough.
func stoppedBlock(p Probe) (KeyValue, bool) {
	b := KeyValue{Width: labels + 2}
	if s := p.Run.Stopped; s != nil {
		b.Entries = append(b.Entries, Entry{"stopped", []string{
			fmt.Sprintf("after %s, %s alike%s", Share(s.After, s.Asked), s.whichAlike(), s.rest())}})
	}
	if p.Run.AddressFrom != "" {
		b.Entries = append(b.Entries, Entry{segment.DNS.String(), []string{
			fmt.Sprintf("took no part, %s gave the address", p.Run.AddressFrom)}})
	}
	if p.Run.Sent != "" {
		b.Entries = append(b.Entries, Entry{"sent", []string{p.Run.Sent + "; nothing else was sent"}})
	}
	return b, len(b.Entries) > 0
}

func (s Stopped) rest() string {
	if s.After >= s.Asked {
		return ""
	}
	return "; --keep-going sends the rest"
}

func (s Stopped) whichAlike() string {
	if s.Alike == 0 || s.Alike == s.After {
		return "all"
	}
	return fmt.Sprintf("the last %d", s.Alike)
}

// runBlock is how it was measured.
func runBlock(p Probe) KeyValue {
	lines := countLines(sumCounts(p.Arms))
	if !aboutThrottling(p.Arms) {
		lines = append(lines, howLines(p)...)
	}
	if p.Run.CutOff > 0 {
		lines = append(lines, fmt.Sprintf("the file breaks off after %s: what was asked is not all in it",
			Plural(p.Run.CutOff, "exchange", "exchanges")))
	}
	for _, note := range slices.Concat(p.Run.Notes, armNotes(p.Arms), aloneNotes(p.Arms)) {
		lines = append(lines, Clip(note, clipText))
	}
	return KeyValue{Width: labels, Entries: []Entry{{"run", lines}}}
}

// aboutThrottling tells a run that its service ended: the report keeps to what it said. JSON holds how
// it was measured all the same.
func aboutThrottling(arms []Arm) bool {
	return len(arms) == 1 && arms[0].Throttling != nil && arms[0].Throttling.Stopped != ""
}

func howLines(p Probe) []string {
	var lines []string
	if len(p.Arms) == 1 {
		lines = add(lines, answerLine(p.Arms[0], true))
	}
	lines = add(lines, whenLine(p.Run))
	return append(add(lines, resolverLine(p.Run)), ownWorkLines(p.Arms)...)
}

func add(lines []string, line string) []string {
	if line == "" {
		return lines
	}
	return append(lines, line)
}

func armNotes(arms []Arm) []string {
	var notes []string
	for _, a := range arms {
		for _, note := range a.Notes {
			if len(arms) > 1 {
				note = a.Name + ": " + note
			}
			notes = append(notes, note)
		}
	}
	return notes
}

func sumCounts(arms []Arm) record.Counts {
	var sum record.Counts
	for _, a := range arms {
		c := a.Counts
		sum.Asked, sum.OK, sum.Throttled = sum.Asked+c.Asked, sum.OK+c.OK, sum.Throttled+c.Throttled
		sum.Failed, sum.Invalid = sum.Failed+c.Failed, sum.Invalid+c.Invalid
		sum.NotSent, sum.Priming = sum.NotSent+c.NotSent, sum.Priming+c.Priming
	}
	return sum
}

// countLines is what became of the exchanges asked for; what was not sent has a line of its own.
func countLines(c record.Counts) []string {
	lines := []string{fmt.Sprintf("%d asked: %d ok, %d throttled, %d failed, %d invalid",
		c.Asked, c.OK, c.Throttled, c.Failed, c.Invalid)}
	if c.NotSent > 0 {
		lines[0] += ","
		lines = append(lines, fmt.Sprintf("    %d not sent", c.NotSent))
	}
	if c.Priming > 0 {
		lines = append(lines, Plural(c.Priming, "priming request", "priming requests")+" sent besides, in no figure")
	}
	return lines
}

// answerLine is "h2, TLS 1.3, 203.0.113.40:443; 200, 4.3 kB, 1.8 kB on the wire (br)", "" when nothing
// but the protocol asked for is known.
func answerLine(a Arm, wire bool) string {
	var way []string
	way = add(way, Clip(a.Protocol, clipName))
	if a.Answer.TLS != "" {
		way = append(way, "TLS "+Clip(a.Answer.TLS, clipName))
	}
	way = append(way, remoteWords(a.Answer.Remotes)...)
	switch {
	case a.Answer.Status == 0 && len(way) < 2:
		return ""
	case a.Answer.Status == 0:
		return strings.Join(way, ", ")
	}
	what := []string{fmt.Sprint(a.Answer.Status), Bytes(a.Answer.Decoded)}
	if wire && a.Answer.Encoding != "" {
		what = append(what, fmt.Sprintf("%s on the wire (%s)", Bytes(a.Answer.Wire), Clip(a.Answer.Encoding, clipName)))
	}
	switch kinds := a.Answer.Kinds; {
	case kinds > 1 && kinds == a.N():
		what = append(what, fmt.Sprintf("the first of %d answers, no two alike", kinds))
	case kinds > 1:
		what = append(what, fmt.Sprintf("most often of %d different answers", kinds))
	}
	return strings.Join(way, ", ") + "; " + strings.Join(what, ", ")
}

func remoteWords(remotes []string) []string {
	switch len(remotes) {
	case 0:
		return nil
	case 1:
		return []string{Clip(remotes[0], clipName)}
	}
	return []string{fmt.Sprintf("%s and %d more", Clip(remotes[0], clipName), len(remotes)-1)}
}

// whenLine is "2026-11-30 01:02:03 to 01:02:16 UTC, one at a time, 200 ms apart".
func whenLine(r RunFacts) string {
	if r.Started.IsZero() {
		return ""
	}
	line := timeRange(r.Started.UTC(), r.Ended.UTC()) + " UTC, one at a time"
	switch {
	case r.Spread > 0:
		line += ", spread over " + InWords(r.Spread)
	case r.Interval > 0:
		line += ", " + InWords(r.Interval) + " apart"
	}
	if r.Order != "" {
		line += ", " + r.Order
	}
	return line
}

func timeRange(from, to time.Time) string {
	text := from.Format(time.DateTime)
	switch {
	case to.Before(from) || to.Sub(from) < time.Second && to.Second() == from.Second():
		return text
	case to.Format(time.DateOnly) != from.Format(time.DateOnly):
		return text + " to " + to.Format(time.DateTime)
	}
	return text + " to " + to.Format(time.TimeOnly)
}

func resolverLine(r RunFacts) string {
	const ranks = "nearest-rank percentiles"
	switch {
	case r.Started.IsZero():
		return ""
	case r.Proxy != "":
		return fmt.Sprintf("through %s, resolved by the proxy; %s", Clip(r.Proxy, clipName), ranks)
	case r.AddressFrom != "":
		return fmt.Sprintf("address from %s, no resolver; %s", r.AddressFrom, ranks)
	case r.Resolver == "":
		return "no resolver; " + ranks
	case r.Resolver == "system":
		return "resolver of the system (its cache was not cold); " + ranks
	}
	return fmt.Sprintf("resolver %s (its cache was not cold); %s", Clip(r.Resolver, clipName), ranks)
}
