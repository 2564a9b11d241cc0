package report

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// losses says which exchanges of which arm the sentence's figures leave out, "" when none: a route that
// fails quickly is not a fast one. What Short tells already is not told again.
func (v *view) losses() string {
	var arms []string
	left := 0
	for i := range v.sides() {
		parts, out := lostParts(v.arms[i], !v.endedByThrottling())
		if out > 0 {
			arms, left = append(arms, v.onArm(i)+AndList(parts)), left+out
		}
	}
	if left == 0 {
		return ""
	}
	text := strings.Join(arms, ", ")
	return strings.ToUpper(text[:1]) + text[1:] + leftOutRest(left)
}

func (v *view) onArm(i int) string {
	if v.c.Self {
		return ""
	}
	return "on " + v.names[i] + " "
}

// endedByThrottling reports whether the service ended the run, and the sentence says so.
func (v *view) endedByThrottling() bool {
	stop := v.c.Sets[0].End.Stop
	return v.in.Short != "" && v.c.Interleaved && (stop == "long-pause" || stop == "throttled")
}

// short says why there are fewer requests than asked for, where the verdict's own sentence does not.
func (v *view) short() string {
	if v.in.Short == "" || v.c.Verdict == ledger.Faster || v.c.Verdict == ledger.Slower {
		return ""
	}
	return fmt.Sprintf("There are no more: %s.", Clip(v.in.Short, clipText))
}

// armLines are what became of each arm's requests, when any came to nothing: the counts first, then
// the ways to fail.
func (v *view) armLines() []string {
	var counts []string
	lost := false
	for i, a := range v.arms {
		counts = append(counts, v.names[i]+" "+countsInWords(a.Counts))
		lost = lost || a.Counts.Done() > a.Counts.OK
	}
	if !lost {
		return nil
	}
	lines := []string{strings.Join(counts, "; ")}
	for i := range v.arms {
		lines = append(lines, v.lossLines(i)...)
	}
	return lines
}

// countsInWords is "16 ok, 8 failed": what there was none of is not mentioned.
func countsInWords(c record.Counts) string {
	words := []string{fmt.Sprintf("%d ok", c.OK)}
	for _, one := range []struct {
		n    int
		what string
	}{{c.Throttled, "throttled"}, {c.Failed, "failed"}, {c.Invalid, "invalid"}, {c.NotSent, "not sent"}} {
		if one.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	return strings.Join(words, ", ")
}

// lossLines are an arm's throttled, failed and invalid exchanges by number and reason.
func (v *view) lossLines(i int) []string {
	a := v.arms[i]
	if v.endedByThrottling() && a.Throttling != nil && v.lastPause(a) {
		return append([]string{v.longPauseLine(a.Throttling)}, v.failureLines(i)...)
	}
	var lines []string
	for _, line := range throttleLines(a.Throttling) {
		lines = append(lines, v.names[i]+" "+line)
	}
	return append(lines, v.failureLines(i)...)
}

func (v *view) failureLines(i int) []string {
	var lines []string
	for _, groups := range [][]Failure{v.arms[i].Failures, v.arms[i].Invalid} {
		for _, line := range failureLines(groups) {
			lines = append(lines, v.names[i]+" "+line)
		}
	}
	return lines
}

// lastPause reports whether the pause that ended the run followed one of this arm's exchanges.
func (v *view) lastPause(a Arm) bool {
	end := v.c.Sets[0].End
	if end.Stop != "long-pause" || len(end.Pauses) == 0 {
		return false
	}
	return listedSeq(a.Throttling.Seqs, end.Pauses[len(end.Pauses)-1].After+1)
}

func listedSeq(seqs []int, seq int) bool {
	for _, s := range seqs {
		if s == seq {
			return true
		}
	}
	return false
}

// longPauseLine is "#11: 429, Retry-After 3600, longer than --max-pause 60s; its half pair is left out".
func (v *view) longPauseLine(t *Throttling) string {
	line := sequence(t.Seqs, len(t.Seqs)) + throttleWords(t) + ", longer than --max-pause " + plannedOf(v.c.Sets[0].Run).maxPause()
	if v.arms[0].N() == v.c.Pairs && v.arms[1].N() == v.c.Pairs {
		line += "; its half pair is left out"
	}
	return line
}

// addedLine tells of pairs that were added while a rule was undecided: each further look at the rule is
// another chance that luck decides it.
func (v *view) addedLine() string {
	asked := v.pairsAsked()
	if asked == 0 {
		return ""
	}
	return fmt.Sprintf("%s asked for, %d more added while a --max was undecided; the rule was looked at each time, "+
		"so chance had more than one try", Plural(asked, "pair was", "pairs were"), v.arms[0].Counts.Asked-asked)
}

// pairsAsked is how many pairs were asked for when more were added, else 0.
func (v *view) pairsAsked() int {
	plan := plannedOf(v.c.Sets[0].Run)
	n := plan.requests()
	if !v.c.Interleaved || plan.flag("max") == "" || n == 0 || v.arms[0].Counts.Asked <= n {
		return 0
	}
	return n
}

// controlRequests are the requests to the control route of a live run.
func (v *view) controlRequests() int {
	n := 0
	if !v.c.Interleaved {
		return n
	}
	for _, a := range v.c.Sets[0].Arms {
		if a.Route.Role == "control" {
			n += a.Counts.Done()
		}
	}
	return n
}

func (v *view) controlLine() string {
	n := v.controlRequests()
	if n == 0 {
		return ""
	}
	return Plural(n, "request", "requests") + " to the control route besides, in no figure of the arms"
}
