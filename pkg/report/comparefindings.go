package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// findings are sentences with their numbers, the weightiest first; what stands beside each arm's own
// table follows.
func (v *view) findings() []string {
	var items []string
	for _, f := range v.found {
		items = append(items, v.tell(f))
	}
	return append(items, v.beside()...)
}

// beside are the arms' own findings under their names; what both say is said once.
func (v *view) beside() []string {
	if v.c.Identical {
		return nil
	}
	var items []string
	for i := range v.arms {
		for _, t := range findingsOf(v.arms[i]) {
			if v.toldAlready(t) {
				continue
			}
			text := Clip(t.Text, 4*clipText)
			switch both := says(v.arms[1-i], t.Text); {
			case both && i == 0:
				items = append(items, "Both arms: "+text)
			case !both:
				items = append(items, v.names[i]+": "+text)
			}
		}
	}
	if more := len(items) - mostTold; more > 0 {
		items = append(items[:mostTold], fmt.Sprintf("%d more; --format json has them all", more))
	}
	return items
}

// toldAlready reports whether a finding of the comparison says where a row's time may go.
func (v *view) toldAlready(t Told) bool {
	for _, f := range v.found {
		if f.Kind == ledger.FoundLost && f.Key == segment.WaitPreForward && t.Segment == f.Key.String() && t.Source == "" {
			return true
		}
	}
	return false
}

func says(a Arm, text string) bool {
	for _, t := range a.Told {
		if t.Text == text {
			return true
		}
	}
	return false
}

func (v *view) tell(f ledger.Finding) string {
	switch f.Kind {
	case ledger.FoundLost:
		return v.tellLost(f)
	case ledger.FoundUnexplained:
		return fmt.Sprintf("%s %s: time that no header counted.", v.rowName(f.Key), v.moved(f.Key))
	case ledger.FoundDetour:
		return v.tellDetour(f)
	case ledger.FoundFirst:
		return v.tellFirst(f)
	case ledger.FoundNearEdge:
		return v.tellNearEdge(f)
	case ledger.FoundSteadiness:
		return v.tellSteadiness(f)
	case ledger.FoundShare:
		return v.tellShare(f.Share)
	case ledger.FoundDrift:
		return v.tellDrift(f)
	case ledger.FoundOrderEffect:
		return fmt.Sprintf("Being sent first or second in a pair made a difference (p %s): the two requests of a pair have something "+
			"in common. What it is does not show here.", probability(f.P))
	}
	return v.tellCorrelated(f)
}

// moved is "rose 8 -> 127 ms", from the figures the table shows.
func (v *view) moved(k segment.Key) string {
	before, after := v.shown.key(k)
	verb := "rose"
	if after < before {
		verb = "fell"
	}
	return fmt.Sprintf("%s %s -> %s ms", verb, v.s.text(before), v.s.text(after))
}

// tellLost says what a row's rise can mean. Before it forwards, an edge waits for work of its own or
// for another place, and light bounds how far that is.
func (v *view) tellLost(f ledger.Finding) string {
	text := fmt.Sprintf("%s %s.", v.rowName(f.Key), v.moved(f.Key))
	rise := ns(f.After - f.Before)
	switch f.Key {
	case segment.WaitPreForward:
		return text + v.atTheEdge() + fmt.Sprintf(" Something is waited for before the request is forwarded: work, or %s "+
			"(one round trip of %s). State created before a move is the usual one; nothing here reports where it is.",
			upTo(rise), InWords(rise))
	case segment.WaitUnattributed:
		return text + " No header counted that time."
	}
	if before, after := v.shown.key(f.Key); before == 0 && after == 0 {
		return fmt.Sprintf("%s rose by %s.", v.rowName(f.Key), InWords(rise))
	}
	return text
}

// atTheEdge says that the code of after runs where its requests are accepted, when places tell.
func (v *view) atTheEdge() string {
	sites := map[string]string{}
	for _, p := range v.arms[1].Places {
		if p.Seen == p.Of && p.Site != "" {
			sites[p.Role] = p.Site
		}
	}
	if sites["accepted"] == "" || sites["accepted"] != sites["compute"] {
		return ""
	}
	return fmt.Sprintf(" %s accepts and computes in %s.", v.names[1], Clip(sites["accepted"], clipSite))
}

// tellDetour says what going through an edge costs more than going straight to what lies behind it.
// Light bounds the way; where no header tells, what the edge does before it forwards is in there too.
func (v *view) tellDetour(f ledger.Finding) string {
	through, direct := 0, 1
	if f.After > f.Before {
		through, direct = 1, 0
	}
	long, short := v.s.units(ns(max(f.Before, f.After))), v.s.units(ns(min(f.Before, f.After)))
	what, work := "behind its edge", ""
	if f.Key == segment.Wait {
		what, work = "after the round trip to its edge", ", or work before the forward"
	}
	return fmt.Sprintf("%s costs %s ms more than going there directly (%s ms %s, %s ms the whole wait of %s): a detour of up to %s%s.",
		v.names[through], v.s.text(long-short), v.s.text(long), what, v.s.text(short), v.names[direct],
		kilometres(geo.FarthestInFibre(time.Duration(long-short)*time.Duration(v.s))), work)
}

func (v *view) tellFirst(f ledger.Finding) string {
	ms := func(n int64) string { return v.s.MS(ns(n)) }
	if f.Has == [2]bool{true, true} {
		return fmt.Sprintf("First request of each arm: %s %s, %s %s ms (p50 %s, %s).%s They are in the numbers, once each.",
			v.names[0], ms(f.Before), v.names[1], ms(f.After), ms(f.P50[0]), ms(f.P50[1]), v.whyBothFirst())
	}
	arm := 0
	if f.Has[1] {
		arm = 1
	}
	return fmt.Sprintf("The first request of %s took %s ms (p50 %s)%s It is in the numbers, 1 of %d.",
		v.names[arm], ms(sideOf(f.Before, f.After, arm)), ms(f.P50[arm]), v.whyFirst(arm), f.N[arm])
}

// whyFirst says what made an arm's first exchange slow, as far as what was observed tells.
func (v *view) whyFirst(arm int) string {
	slow, listed := v.slowFirst(arm)
	causes := strings.Join(observedCauses(slow), " ")
	switch {
	case !listed:
		return "."
	case maybeCold(slow):
		return ": something behind it " + wasNot(slow) + " warm yet."
	case causes != "":
		return fmt.Sprintf(", %s of it in %s. %s", v.s.MS(ns(slow.Took)), Codes(slow.Segment.String()), causes)
	}
	return fmt.Sprintf(", %s of it in %s.", v.s.MS(ns(slow.Took)), Codes(slow.Segment.String()))
}

// whyBothFirst says the same of both arms, once where the same was cold.
func (v *view) whyBothFirst() string {
	before, knownBefore := v.slowFirst(0)
	after, knownAfter := v.slowFirst(1)
	switch {
	case !knownBefore || !knownAfter:
		return ""
	case maybeCold(before) && maybeCold(after) && wasNot(before) == wasNot(after):
		return " Something behind both " + wasNot(before) + " warm."
	}
	said := func(arm int) string { return v.names[arm] + ": " + strings.TrimLeft(v.whyFirst(arm), ",: ") }
	return " " + said(0) + " " + said(1)
}

// slowFirst is an arm's first exchange among its slow ones.
func (v *view) slowFirst(arm int) (summary.Slow, bool) {
	s := [2]*summary.Summary{v.c.Before, v.c.After}[arm]
	for _, slow := range s.Slow {
		if slow.Marks&reading.First != 0 {
			return slow, true
		}
	}
	return summary.Slow{}, false
}

func (v *view) tellNearEdge(f ledger.Finding) string {
	var edges []string
	for i, near := range f.Has {
		if near {
			edges = append(edges, fmt.Sprintf("%s (%s)", v.names[i], InWords(ns(sideOf(f.Before, f.After, i)))))
		}
	}
	return fmt.Sprintf("An edge less than 2 ms away: %s. This machine may share a building with the CDN; users do not.", AndList(edges))
}

func (v *view) tellSteadiness(f ledger.Finding) string {
	steady := v.names[0]
	if f.After < f.Before {
		steady = v.names[1]
	}
	width := func(arm int) string {
		a := v.arms[arm]
		return v.s.text(v.s.units(ns(totalOf(a, p50).Value)) - v.s.units(ns(totalOf(a, p10).Value)))
	}
	return fmt.Sprintf("p10 to p50 is %s ms wide on %s, %s ms on %s: %s is the steadier one.", width(0), v.names[0], width(1), v.names[1], steady)
}

func (v *view) tellShare(s *ledger.ShareChange) string {
	return fmt.Sprintf("%s: %s %s, %s %s (Fisher p %s).", Clip(s.What, clipText), v.names[0], Share(s.Counts[0], s.Of[0]),
		v.names[1], Share(s.Counts[1], s.Of[1]), probability(s.P))
}

func (v *view) tellDrift(f ledger.Finding) string {
	early, late := f.Trend.Early, f.Trend.Late
	how, words := "slower", "rose"
	if f.Trend.Tau < 0 {
		how, words = "faster", "fell"
	}
	of := "total"
	if v.c.Interleaved {
		of = "the sum of a pair"
	}
	size := ""
	if early > 0 && (late < early) == (f.Trend.Tau < 0) {
		size = strings.TrimPrefix(fmt.Sprintf("%.0f %% ", 100*math.Abs(float64(late-early))/float64(early)), "0 % ")
	}
	return fmt.Sprintf("This run drifts: it got %s%s as it went (p50 of %s %s from %s in the first third to %s in the last; p %s).",
		size, how, of, words, v.s.MS(ns(early)), v.s.MS(ns(late))+" ms", probability(f.P))
}

func (v *view) tellCorrelated(f ledger.Finding) string {
	var arms []string
	for i, has := range f.Has {
		if has {
			arms = append(arms, fmt.Sprintf("the %d of %s are worth about %d", f.N[i], v.names[i], int(math.Round(f.Value[i]))))
		}
	}
	return fmt.Sprintf("Requests depend on those before them: %s independent ones. The limits are wider for it.", AndList(arms))
}

// doubtBlocks are reasons not to believe the change too quickly. Text has them where runs are separate
// or a control is at hand; Markdown, which will be read without its context, always.
func (v *view) doubtBlocks() []Block {
	if v.c.Identical {
		return nil
	}
	always, context := v.doubts(), v.context()
	var blocks []Block
	if len(always) > 0 {
		blocks = append(blocks, Only{FormatText, []Block{List{Title: "doubts", Items: always}}})
	}
	return append(blocks, Only{FormatMarkdown, []Block{List{Title: "Doubts", Items: append(always, context...)}}})
}

func (v *view) doubts() []string {
	var items []string
	if !v.c.Interleaved && !v.c.Self {
		items = append(items, v.separateDoubt())
	}
	if v.c.Control != nil {
		items = append(items, v.controlDoubt(v.c.Control))
	}
	return items
}

func (v *view) separateDoubt() string {
	before, after := v.c.Before.Arm.Began.UTC(), v.c.After.Arm.Began.UTC()
	if before.IsZero() || after.IsZero() {
		return "Two separate runs: nothing here separates the change from whatever else changed between them."
	}
	if after.Before(before) {
		before, after = after, before
	}
	layout := time.TimeOnly[:5]
	if before.Format(time.DateTime[:16]) == after.Format(time.DateTime[:16]) {
		layout = time.TimeOnly
	}
	if before.Format(time.DateOnly) != after.Format(time.DateOnly) {
		layout = time.DateTime[:16]
	}
	return fmt.Sprintf("Two separate runs%s; drift not controlled: nothing here separates the change from whatever else changed between %s and %s.",
		v.apart(), before.Format(layout), after.Format(layout))
}

func (v *view) controlDoubt(c *ledger.Control) string {
	who := fmt.Sprintf("The control route %s, which nobody moved,", Codes(Clip(c.Name, clipName)))
	if c.Change == nil {
		return v.liveControl(who, c)
	}
	change := c.Change.Total
	went := fmt.Sprintf("%s went %s -> %s ms", who, v.s.MS(ns(change.Before.Value)), v.s.MS(ns(change.After.Value)))
	if !change.Complete() {
		return went + fmt.Sprintf("; with %s a side that has no limits.", Plural(c.N, "request", "requests"))
	}
	went += fmt.Sprintf(" (%s: %s)", Level(change.Confidence), v.s.ChangeRange(ns(change.Lo), ns(change.Hi)))
	if c.Moved() {
		return went + ": something else changed as well, and that much of the change is not the route's."
	}
	return went + ": the path itself did not change enough to explain this."
}

func (v *view) liveControl(who string, c *ledger.Control) string {
	early, late := v.s.MS(ns(c.Trend.Early)), v.s.MS(ns(c.Trend.Late))
	if c.Moved() {
		return fmt.Sprintf("%s drifted while this ran: %s -> %s ms from the first third to the last (p %s). Pairs take out what both arms share.",
			who, early, late, probability(c.Trend.P))
	}
	return fmt.Sprintf("%s stayed where it was while this ran: %s -> %s ms (p %s).", who, early, late, probability(c.Trend.P))
}

// context is what a reader elsewhere does not know: which figures are tested, and what one run is.
func (v *view) context() []string {
	var items []string
	if names := v.untested(); len(names) > 0 && !v.few() {
		verb := "is"
		if len(names) > 1 {
			verb = "are"
		}
		items = append(items, fmt.Sprintf("%s %s not tested.", AndList(names), verb))
	}
	return append(items, "One place, one run. Other cities and other hours were not measured.")
}

// untested are the percentiles whose change has no interval.
func (v *view) untested() []string {
	var names []string
	for i, p := range []percentile{p10, p50, p90, p99} {
		if !v.c.Percentiles[i].Complete() {
			names = append(names, p.name)
		}
	}
	return names
}
