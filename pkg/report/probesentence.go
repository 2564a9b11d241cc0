package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// How much of a text from outside a report shows.
const (
	clipName = 80
	clipText = 200
)

// limitsFrom is the n from which a p50 has limits: five give their minimum and maximum.
const limitsFrom = 5

// armSentence is what one arm amounts to, in a sentence to be quoted alone.
func armSentence(a Arm, from string, s Scale) string {
	if a.N() == 0 {
		sentence, _ := troubleOf(a).tell(a)
		return sentence
	}
	head := onceSentence
	if a.N() > 1 {
		head = p50Sentence
	}
	sentence := head(a, from, s)
	if left := leftOut(a); left != "" {
		return sentence + " " + left
	}
	if a.N() > 1 {
		sentence += heaviest(a, s)
	}
	return sentence
}

func p50Sentence(a Arm, from string, s Scale) string {
	total := figuresOf(a)[segment.Total].P50
	return fmt.Sprintf("A %s request to %s takes %s ms%s (%s).",
		stateWord(a.State), destination(a), s.MS(time.Duration(total.Value)), fromPlace(from), howSure(total, s))
}

// howSure names the percentile, its n and its limits: "p50 of 25; 95 %: 264 to 269".
func howSure(q stats.PercentileInterval, s Scale) string {
	if q.N < limitsFrom {
		return fmt.Sprintf("p50 of %d; no limits below %d requests", q.N, limitsFrom)
	}
	return fmt.Sprintf("p50 of %d; %s", q.N, s.Limits(q.Interval, limitsFrom))
}

func onceSentence(a Arm, from string, s Scale) string {
	fs := figuresOf(a)
	c := fs.atP50(s)
	sentence := fmt.Sprintf("One %s request to %s took %s ms%s",
		stateWord(a.State), destination(a), c.text(s, segment.Total), fromPlace(from))
	if fs.has(segment.Wait) {
		sentence += fmt.Sprintf("; %s ms of it were waiting", c.text(s, segment.Wait))
	}
	return sentence + "."
}

func stateWord(state string) string {
	switch state {
	case "", "cold":
		return "cold"
	case "early":
		return "0-RTT"
	}
	return Clip(state, clipName)
}

func destination(a Arm) string {
	if a.Via == "" {
		return Clip(a.Host, clipName)
	}
	return Clip(a.Host, clipName) + " via " + Clip(a.Via, clipName)
}

func fromPlace(from string) string {
	if from == "" {
		return ""
	}
	return " from " + Clip(from, clipName)
}

// heaviest names the segment that takes most of a p50 request, when it takes a third or more.
// wait is taken apart where a response reported its parts; what is estimated or unattributed is no
// answer to where the time goes.
func heaviest(a Arm, s Scale) string {
	fs := figuresOf(a)
	c := fs.atP50(s)
	best, most := segment.Total, c[segment.Total]/3
	for _, k := range nameable(fs) {
		if units := c[k]; units > 0 && units >= most {
			best, most = k, units
		}
	}
	if best == segment.Total {
		return ""
	}
	return fmt.Sprintf(" %s ms of it pass in %s.", c.text(s, best), Codes(best.String()))
}

func nameable(fs figures) []segment.Key {
	var keys []segment.Key
	for _, k := range fs.leaves() {
		if k == segment.Wait && fs.reported() {
			keys = append(keys, segment.WaitPreForward, segment.WaitUpstream,
				segment.WaitUpstreamNetwork, segment.WaitUpstreamOrigin)
			continue
		}
		keys = append(keys, k)
	}
	return keys
}

// reported tells whether a response said what its wait was made of.
func (fs figures) reported() bool {
	return fs.has(segment.WaitPreForward) || fs.has(segment.WaitUpstream)
}

// leftOut says which exchanges the sentence's figures leave out, "" when none.
func leftOut(a Arm) string {
	parts, out := lostParts(a, true)
	if out == 0 {
		return ""
	}
	return AndList(parts) + leftOutRest(out)
}

func leftOutRest(out int) string {
	if out == 1 {
		return "; its time is not in it."
	}
	return "; their times are not in it."
}

// lostParts are the exchanges of an arm that stand in no figure, by what became of them, and their
// number: "3 of 22 were throttled (429)", "2 failed (reset in tls)".
func lostParts(a Arm, throttled bool) (parts []string, out int) {
	add := func(n int, verb, why string) {
		if n == 0 {
			return
		}
		out += n
		subject := Share(n, a.Counts.Done())
		if len(parts) > 0 {
			subject = fmt.Sprint(n)
		}
		parts = append(parts, fmt.Sprintf("%s %s%s", subject, verb, why))
	}
	if throttled {
		add(a.Counts.Throttled, were(a.Counts.Throttled)+" throttled", throttleWhy(a.Throttling))
	}
	add(a.Counts.Failed, "failed", failureWhy(a.Failures))
	add(a.Counts.Invalid, were(a.Counts.Invalid)+" invalid", failureWhy(a.Invalid))
	return parts, out
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func throttleWhy(t *Throttling) string {
	if t == nil || t.Status == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", t.Status)
}

// failureWhy names the way to fail when there was only one.
func failureWhy(groups []Failure) string {
	if len(groups) != 1 {
		return ""
	}
	return " (" + failureWords(groups[0]) + ")"
}

// failureWords is "timeout in tcp", or the reason of an invalid exchange.
func failureWords(f Failure) string {
	if f.Class == "" {
		return Clip(f.Text, clipText)
	}
	if string(f.Class) == f.Segment.String() {
		return "in " + f.Segment.String()
	}
	return fmt.Sprintf("%s in %s", Clip(string(f.Class), clipName), f.Segment)
}

// manySentence compares the p50s of several arms without a verdict; the grammar follows from what
// the arms differ in.
func manySentence(p Probe, s Scale) string {
	if p.Chain != nil {
		return chainSentence(p, s)
	}
	ok, silent := split(p.Arms)
	switch len(ok) {
	case 0:
		return joinSentences(silent, func(a Arm) string { return armSentence(a, p.From, s) })
	case 1:
		return joinSentences(append(silent, ok...), func(a Arm) string { return aloneSentence(a, p.From, s) })
	}
	sentence := strings.TrimSpace(sideBySide(ok, p.From, s) + " " + leftOut(pooled(ok)))
	return strings.TrimSpace(sentence + " " + joinSentences(silent, didNotAnswer))
}

// pooled is what became of all exchanges of several arms, as if they were one's.
func pooled(arms []Arm) Arm {
	out := Arm{Counts: sumCounts(arms)}
	for _, a := range arms {
		if out.Throttling == nil {
			out.Throttling = a.Throttling
		}
		out.Failures = poolFailures(out.Failures, a.Failures)
		out.Invalid = poolFailures(out.Invalid, a.Invalid)
	}
	return out
}

// poolFailures adds the ways to fail that no other arm had yet.
func poolFailures(have, more []Failure) []Failure {
	for _, f := range more {
		if !slices.ContainsFunc(have, func(h Failure) bool { return failureWords(h) == failureWords(f) }) {
			have = append(have, f)
		}
	}
	return have
}

func split(arms []Arm) (ok, silent []Arm) {
	for _, a := range arms {
		if a.N() > 0 {
			ok = append(ok, a)
		} else {
			silent = append(silent, a)
		}
	}
	return ok, silent
}

// joinSentences says each sentence once, however many arms share it.
func joinSentences(arms []Arm, say func(Arm) string) string {
	var sentences []string
	for _, a := range arms {
		sentences = appendNew(sentences, say(a))
	}
	return strings.Join(sentences, " ")
}

func aloneSentence(a Arm, from string, s Scale) string {
	if a.N() == 0 {
		return didNotAnswer(a)
	}
	total := figuresOf(a)[segment.Total].P50
	alone := fmt.Sprintf("%s alone takes %s ms%s (%s).",
		Clip(a.Name, clipName), s.MS(time.Duration(total.Value)), fromPlace(from), howSure(total, s))
	return strings.TrimSpace(alone + " " + leftOut(a))
}

func didNotAnswer(a Arm) string {
	done := a.Counts.Done()
	switch {
	case done == 0:
		return fmt.Sprintf("%s was not asked.", Clip(a.Name, clipName))
	case a.Counts.Throttled == done:
		return fmt.Sprintf("%s was throttled: %s%s.", Clip(a.Name, clipName), Share(done, done), throttleWhy(a.Throttling))
	case a.Counts.Invalid == done:
		return fmt.Sprintf("%s gave nothing to count: %s invalid%s.", Clip(a.Name, clipName), Share(done, done), failureWhy(a.Invalid))
	}
	return fmt.Sprintf("%s %s: %s failed%s.",
		Clip(a.Name, clipName), answered(a.Failures), Share(a.Counts.Failed, done), failureWhy(a.Failures))
}

// answered says whether an arm that brought nothing answered at all: what fails in transfer has
// answered, and so has what failed for its status.
func answered(groups []Failure) string {
	cut, refused := 0, 0
	for _, f := range groups {
		switch {
		case f.Segment == segment.Transfer:
			cut++
		case f.Class == record.ClassStatus:
			refused++
		}
	}
	switch {
	case len(groups) == 0 || cut+refused < len(groups):
		return "did not answer"
	case refused == 0:
		return "answered and did not finish"
	}
	return "answered, and no answer was ok"
}

func chainSentence(p Probe, s Scale) string {
	first, last := p.Arms[0], p.Arms[len(p.Arms)-1]
	return fmt.Sprintf("A %s request to %s takes %s ms%s over %s, the last %s (%s).",
		stateWord(first.State), destination(first), s.MS(time.Duration(p.Chain.Total.Value)), fromPlace(p.From),
		Plural(p.Chain.Hops, "hop", "hops"), destination(last), howSure(p.Chain.Total, s))
}
