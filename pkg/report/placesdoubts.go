package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// toldOf is all that stands beside an arm's table: places against times, what was reported and not
// used, what was only bounded.
func toldOf(a *reading.Arm) []Told {
	out := append(physicsOf(a), habitsOf(a)...)
	for _, d := range a.Doubts {
		if d.Kind != reading.Overlap { // told with its figures by belowZero
			out = append(out, doubtOf(d, a.N()))
		}
	}
	if t, any := belowZero(a); any {
		out = append(out, t)
	}
	for _, l := range a.Limits {
		out = append(out, limitOf(l, a.N()))
	}
	return out
}

func doubtOf(d reading.Doubt, of int) Told {
	t := Told{Kind: d.Kind.String(), Source: Clip(d.Source, clipName), Time: d.Value, N: d.N, Of: of}
	if d.Key != segment.Wait {
		t.Segment = d.Key.String()
	}
	t.Text = doubtText(d, t.Source) + " (" + Share(d.N, of) + ")."
	return t
}

// doubtText says what does not fit, with the figures of the first exchange, and what was done.
func doubtText(d reading.Doubt, source string) string {
	figure, other, limit := Clip(d.Text, clipSite), Clip(d.Other, clipName), InWords(d.Limit)
	switch d.Kind {
	case reading.Stored:
		return fmt.Sprintf("%s was written for an earlier request and comes from a cache: not used", source)
	case reading.Questioned:
		return fmt.Sprintf("%s %s: not used", source, Clip(d.Text, clipText))
	case reading.TooLong:
		return fmt.Sprintf("%s says %s, read as %s, longer than the wait of %s it should be part of: not used", source, figure, InWords(d.Value), limit)
	case reading.Seconds:
		return fmt.Sprintf("%s says %s, next to nothing of a wait of %s but most of it if meant in seconds: not used; state the unit with --map, @s or @ms",
			source, figure, limit)
	case reading.SumTooLong:
		return fmt.Sprintf("%s and %s make %s, longer than the wait of %s: neither is used", source, other, InWords(d.Value), limit)
	case reading.PartTooLong:
		return fmt.Sprintf("%s says %s, more than the %s of %s it should be part of: upstream is left undivided", source, InWords(d.Value), limit, other)
	case reading.Apart:
		return fmt.Sprintf("%s says %s, which with the origin's share does not make up %s of %s: the remainder is shown", source, InWords(d.Value), other, limit)
	case reading.Nested:
		return fmt.Sprintf("%s lies inside %s: not added", source, other)
	case reading.Rounded:
		return fmt.Sprintf("%s exceeds %s, which contains it, by no more than rounding: taken as all of it", source, other)
	case reading.Inner:
		return fmt.Sprintf("%s is reported by something behind %s, which reports no times: what lies between the two is in wait.unattributed", source, other)
	}
	text := Clip(d.Text, clipText)
	if source != "" {
		text = source + ": " + text
	}
	return text
}

// belowZero tells of exchanges whose reported parts exceed their wait, and whether clocks and
// rounding explain it.
func belowZero(a *reading.Arm) (Told, bool) {
	var parts []segment.Key
	for _, k := range []segment.Key{segment.WaitEdgeRTT, segment.WaitPreForward, segment.WaitUpstream} {
		if a.Column(k) != nil {
			parts = append(parts, k)
		}
	}
	t := Told{Kind: "negative_residual", Segment: segment.WaitUnattributed.String(), Of: a.N()}
	for _, rest := range a.Unattributed(parts) {
		if rest != reading.Absent && rest < 0 {
			t.N++
			t.Time = min(t.Time, time.Duration(rest))
		}
	}
	within := "which clocks and rounding explain"
	if -t.Time > a.Tolerance {
		within = "more than clocks and rounding explain"
	}
	t.Text = fmt.Sprintf("%s is below zero, by up to %s, %s (%s at most; %s).",
		t.Segment, InWords(-t.Time), within, InWords(a.Tolerance), Share(t.N, t.Of))
	return t, t.N > 0
}

func limitOf(l reading.Limit, of int) Told {
	what := l.Key.String()
	if words, aside := roleWords[l.Role]; aside {
		what = words
	}
	t := Told{Kind: kindLimit, Source: Clip(l.Source, clipName), Time: l.Hi[1], N: l.N, Of: of}
	if l.Key != segment.Wait {
		t.Segment = l.Key.String()
	}
	if l.Bound == provider.AtLeast {
		t.Time = l.Lo[0]
	}
	why := ""
	if l.Bound == provider.Exact && t.Segment != "" {
		t.Kind, why = kindAlone, ": nothing reports the upstream it is part of"
	}
	t.Text = fmt.Sprintf("%s is %s, says %s; not a row of the table%s (%s).", what, limitWords(l), t.Source, why, Share(l.N, of))
	return t
}

func limitWords(l reading.Limit) string {
	switch l.Bound {
	case provider.Exact:
		return spread(l.Lo[0], l.Hi[1])
	case provider.AtMost:
		return "at most " + spread(l.Hi[0], l.Hi[1])
	case provider.AtLeast:
		return "at least " + spread(l.Lo[0], l.Lo[1])
	}
	return "between " + InWords(l.Lo[0]) + " and " + InWords(l.Hi[1])
}

func spread(lo, hi time.Duration) string {
	if lo == hi {
		return InWords(lo)
	}
	return InWords(lo) + " to " + InWords(hi)
}

// mostTold is how many findings text and Markdown show; JSON holds all.
const mostTold = 8

// toldBlocks are the findings below an arm's table.
func toldBlocks(a Arm) []Block {
	found := findingsOf(a)
	if len(found) == 0 {
		return nil
	}
	list := List{Title: "findings", Numbered: true}
	for i, t := range found {
		if i == mostTold {
			list.Items = append(list.Items, fmt.Sprintf("%d more; --format json has them all", len(found)-i))
			break
		}
		list.Items = append(list.Items, Clip(t.Text, 4*clipText))
	}
	return []Block{list}
}

type jsonTold struct {
	Kind    string        `json:"kind"`
	Text    string        `json:"text"`
	Segment string        `json:"segment,omitempty"`
	Source  string        `json:"source,omitempty"`
	Site    string        `json:"site,omitempty"`
	Near    string        `json:"near,omitempty"`
	Time    time.Duration `json:"time_ns,omitempty"`
	KM      float64       `json:"least_km,omitempty"`
	Fit     string        `json:"fit,omitempty"`
	N       int           `json:"n"`
	Of      int           `json:"of"`
}

func toldJSON(list []Told) []jsonTold {
	var out []jsonTold
	for _, t := range list {
		t.Text, t.Source = Clip(t.Text, 4*clipText), Clip(t.Source, clipName)
		t.Site, t.Near = Clip(t.Site, clipName), Clip(t.Near, clipName)
		out = append(out, jsonTold(t))
	}
	return out
}
