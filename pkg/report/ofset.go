package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// ProbeOf is what a run amounts to, one arm per route that is no health check.
func ProbeOf(set *reading.Set) Probe {
	p := Probe{From: set.Run.Vantage.From, Warnings: slices.Clone(set.Warnings)}
	for _, a := range set.Arms {
		if a.Route.Role == "health" {
			continue
		}
		arm := ArmOf(summary.Of(a))
		arm = armOfSet(set, arm, a)
		pausesInto(&arm, set)
		arm.OwnWork = ownWorkOf(set, a)
		p.Arms = append(p.Arms, arm)
	}
	p.Run = runFactsOf(set)
	p.Chain = chainOf(shownArms(set))
	explain(&p, set)
	return p
}

// ArmOf is one arm's summary as the report shows it.
func ArmOf(s *summary.Summary) Arm {
	a := s.Arm
	out := Arm{
		Name: nameOfArm(a), Host: hostOfURL(a.Route.URL), URL: a.Route.URL,
		Protocol: protocolOf(a), State: a.Route.State, Via: a.Route.Via, Hop: a.Route.Hop,
		Counts: a.Counts, Figures: figuresFrom(s), SlowCount: len(s.Slow),
		Places: placesOf(a), Told: toldOf(a), RoundTrips: roundTripsOf(a), RTTSource: rttSource(a), Answer: answerOf(a), Throttling: throttlingOf(a),
		Failures: failuresOf(a), Invalid: invalidOf(a),
	}
	if a.HasFirst {
		out.First = &First{Seq: a.FirstSeq() + 1, Total: a.FirstTotal}
	}
	for _, slow := range s.Slow {
		out.Slow = append(out.Slow, Slow{
			Seq: slow.Seq + 1, Total: time.Duration(slow.Total), Key: slow.Segment,
			Took: time.Duration(slow.Took), Cause: causeOf(slow),
		})
	}
	for _, f := range a.Failures {
		if f.Status == paymentRequired {
			out.Dry += f.N
		}
	}
	out.Notes = notesOf(a)
	out.Interims, out.Capped = interimsOf(a), a.Capped
	if note := driftNote(s.Drift); note != "" {
		out.Notes = append(out.Notes, note)
	}
	return out
}

// notesOf are the notes the exchanges carry, and what was cut off them.
func notesOf(a *reading.Arm) []string {
	var notes []string
	for _, n := range a.Notes.Shares() {
		notes = append(notes, n.Value)
	}
	if a.Capped > 0 {
		notes = append(notes, fmt.Sprintf("%s read up to --max-body and no further: transfer and total run until there",
			Plural(a.Capped, "body was", "bodies were")))
	}
	return notes
}

func interimsOf(a *reading.Arm) []Interim {
	var out []Interim
	for _, in := range a.Interims {
		first := stats.QuantileOf(stats.Sorted(in.First), stats.P50).Value
		out = append(out, Interim{in.Status, in.N, in.Responses, time.Duration(first)})
	}
	return out
}

// driftNote warns that the run changed as it went on: then its limits promise too much.
func driftNote(d summary.Drift) string {
	if !d.Drifts() {
		return ""
	}
	early, late := time.Duration(d.Trend.Early), time.Duration(d.Trend.Late)
	scale := ScaleFor(early, late)
	note := fmt.Sprintf("this run drifts: p50 %s ms in its first third, %s ms in its last (Kendall tau %.2f, p %s)",
		scale.MS(early), scale.MS(late), d.Trend.Tau, probability(d.Trend.P))
	if wider := math.Sqrt(d.Serial.VIF); wider > 1.1 {
		note += fmt.Sprintf("; its exchanges depend on each other, honest limits of the p50 are %.1f times wider", wider)
	}
	return note
}

func protocolOf(a *reading.Arm) string {
	if agreed := a.Protocols.Main(); agreed != "" {
		return agreed
	}
	return a.Route.Protocol
}

// figuresFrom lists every key the arm has; at p50 only what adds up there.
func figuresFrom(s *summary.Summary) []Figure {
	var out []Figure
	for k := range segment.Key(segment.NumKeys) {
		f := s.Figures[k]
		if !s.Has[k] {
			continue
		}
		fig := Figure{Key: k, N: f.N, AtP50: time.Duration(s.At[k]), HasAtP50: s.AtHas[k]}
		fig.P10, _ = f.At(stats.P10)
		fig.P50, _ = f.At(stats.P50)
		fig.P90, _ = f.At(stats.P90)
		fig.P99, _ = f.At(stats.P99)
		out = append(out, fig)
	}
	return out
}

var rttSources = map[string]string{
	"kernel": "smallest round trip of the connection, from the kernel, not reported",
	"quic":   "smallest round trip of the connection, from the QUIC stack, not reported",
	"start":  "round trip when the connection was opened, not reported",
	"tcp":    "the tcp segment of the same exchange, not reported",
}

func rttSource(a *reading.Arm) string { return rttSources[a.EdgeRTTSource.Main()] }

func answerOf(a *reading.Arm) Answer {
	out := Answer{TLS: a.TLSVersions.Main(), Kinds: len(a.Answers)}
	for _, r := range a.Remotes.Shares() {
		out.Remotes = append(out.Remotes, r.Value)
	}
	best := -1
	for i, x := range a.Answers {
		if best < 0 || x.N > a.Answers[best].N {
			best = i
		}
	}
	if best >= 0 {
		x := a.Answers[best]
		out.Status, out.Decoded, out.Wire, out.Encoding = x.Status, x.Decoded, x.Wire, x.Coding
	}
	return out
}

func throttlingOf(a *reading.Arm) *Throttling {
	if a.Throttled.N == 0 {
		return nil
	}
	first := a.Throttled.Each[0]
	out := &Throttling{
		Status: first.Status, Reason: a.Throttled.Reasons.Main(),
		RetryAfter: first.RetryAfter, HasRetryAfter: first.HasRetryAfter, HasWait: true,
	}
	var waits []int64
	for _, t := range a.Throttled.Each {
		out.Seqs = append(out.Seqs, t.Seq+1)
		waits = append(waits, int64(t.Wait))
	}
	out.Wait = time.Duration(stats.QuantileOf(stats.Sorted(waits), stats.P50).Value)
	return out
}

// pausesInto adds the pauses that followed an arm's throttled exchanges, and whether they ended the run.
func pausesInto(arm *Arm, set *reading.Set) {
	t, end := arm.Throttling, set.End
	if t == nil {
		return
	}
	for _, p := range end.Pauses {
		if p.Granted && slices.Contains(t.Seqs, p.After+1) {
			t.Pauses = append(t.Pauses, Pause{After: p.After + 1, For: p.For})
		}
	}
	switch end.Stop {
	case "throttled":
		t.Stopped = "stopped at the third"
	case "long-pause":
		t.Stopped = "stopped: longer than --max-pause " + plannedOf(set.Run).maxPause()
	}
}

// stoppedOf tells that an arm was given up, for the first arm that was.
func stoppedOf(set *reading.Set) *Stopped {
	for _, a := range set.Arms {
		if a.Ending.Stop == "failures" || a.Ending.Stop == "fatal" {
			return &Stopped{After: a.Counts.Done(), Asked: a.Counts.Asked, Alike: a.Ending.Alike}
		}
	}
	return nil
}

func failuresOf(a *reading.Arm) []Failure {
	var out []Failure
	for _, f := range a.Failures {
		fail := Failure{Segment: f.Segment, Class: f.Class, Count: f.N, Text: failureSaid(f)}
		for _, s := range f.Seqs {
			fail.Seqs = append(fail.Seqs, s+1)
		}
		out = append(out, fail)
	}
	return out
}

func invalidOf(a *reading.Arm) []Failure {
	var out []Failure
	for _, s := range a.Invalid.Shares() {
		out = append(out, Failure{Count: s.N, Text: s.Value})
	}
	return out
}

// runFactsOf is how the run was measured.
func runFactsOf(set *reading.Set) RunFacts {
	run := set.Run
	facts := RunFacts{
		Started: run.Started, Interval: run.Interval, Resolver: resolverOf(set),
		Tool: run.Tool, Rehearsed: run.Rehearsed, Notes: slices.Clone(run.Notes),
	}
	facts.Notes = add(facts.Notes, fromNote(run))
	projectedInto(&facts, set)
	facts.Notes = append(facts.Notes, set.End.Notes...)
	if takeTurns(set.Arms) {
		facts.Order = orderInWords(run)
	}
	done := 0
	for _, a := range set.Arms {
		done += a.Counts.Done()
		if a.Ended.After(facts.Ended) {
			facts.Ended = a.Ended
		}
	}
	if !set.Complete {
		facts.CutOff = done
	}
	facts.Stopped = stoppedOf(set)
	return facts
}

// fromNote is the place that the name of the vantage was taken for: many places share a name.
func fromNote(run record.Run) string {
	place, err := geo.Find(run.Vantage.From)
	if err != nil || run.Rehearsed || !run.Vantage.Located || place.String() == run.Vantage.From {
		return ""
	}
	if !hasNamesakes(place.Name) {
		return ""
	}
	return Clip(run.Vantage.From, clipSite) + " is taken as " + place.String()
}

// takeTurns reports whether routes were sent by turns: the groups of one route and the hops of a chain
// were not.
func takeTurns(arms []*reading.Arm) bool {
	for _, a := range arms {
		if a.Route.Name != arms[0].Route.Name && a.Route.Hop == 0 && arms[0].Route.Hop == 0 {
			return true
		}
	}
	return false
}

func orderInWords(run record.Run) string {
	return strings.ReplaceAll(run.Order, "-", " ")
}

// resolverOf names who answered, "" when nothing was resolved.
func resolverOf(set *reading.Set) string {
	for _, a := range set.Arms {
		if main := a.Resolvers.Main(); main != "" {
			return main
		}
		for _, f := range a.Failures {
			if d := f.Example.DNS; d != nil && d.Server != "" {
				return d.Server
			}
		}
	}
	return ""
}

// hasNamesakes reports whether several cities bear the name.
func hasNamesakes(name string) bool {
	n := 0
	for _, c := range geo.Cities() {
		if geo.Fold(c.Name) == geo.Fold(name) {
			n++
		}
	}
	return n > 1
}

func hostOfURL(u string) string {
	_, rest, ok := strings.Cut(u, "://")
	if !ok {
		rest = u
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return host
}
