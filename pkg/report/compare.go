package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// Compare is what compare tells. Strings may be untrusted.
type Compare struct {
	Result *ledger.Comparison
	Names  [2]string // what the arms are called; "" is the host where hosts differ, else before and after
	Files  [2]string // the run files compared, "" for what was measured now

	Warnings []string
	Trouble  [2]Trouble // why an arm has no figures, when more is known than its failures tell
	Places   [2][]Place // where each arm was seen
	Short    string     // why there are fewer requests than asked for: "the 11th request was throttled for an hour (429)"
	Gate     []ledger.GateResult
	Repeat   []string // command lines that repeat it; in Markdown only
	Hints    []string
}

// CompareDocument lays out a comparison: the sentence, the ledger that adds up, what stood out,
// where, the distributions, how it was measured, and what became of every --max. Every change is the
// difference of the two figures printed beside it, and gains and losses in prose are taken from
// them; JSON and CSV hold the exact ones.
func CompareDocument(in Compare) Document {
	v := newView(in)
	d := Document{
		Title: v.title(), Warnings: v.warnings(), Sentence: v.sentence(),
		Records: v.records(), Hints: clipAll(in.Hints),
	}
	switch {
	case !v.bothOK():
		d.Blocks = v.silentBlocks()
	case v.c.Verdict == ledger.NotComparable:
		d.Blocks = append([]Block{v.distributions()}, v.closing()...)
	default:
		d.Blocks = v.fullBlocks()
	}
	d.Blocks = append(d.Blocks, v.gateBlocks()...)
	d.JSON = v.json(d)
	return d
}

// view is a comparison on its way to the page: names, the scale, and the figures as a reader will
// see them.
type view struct {
	in     Compare
	c      *ledger.Comparison
	arms   [2]Arm
	names  [2]string // as prose has them
	heads  [2]string // as tables have them
	from   string
	s      Scale
	shown  shown
	shown9 shown // at p90
	found  []ledger.Finding

	changes map[segment.Key]keyChanges // filled as asked for: sorting a million values is not free
}

// keyChanges are the changes of one key's percentiles; ok when both arms have the key.
type keyChanges struct {
	of [len(summary.Percentiles)]stats.Change
	ok bool
}

func (v *view) changesOf(k segment.Key) ([len(summary.Percentiles)]stats.Change, bool) {
	known, asked := v.changes[k]
	if !asked {
		known.of, known.ok = v.c.ChangesOf(k)
		v.changes[k] = known
	}
	return known.of, known.ok
}

func newView(in Compare) *view {
	v := &view{in: in, c: in.Result, found: in.Result.Findings(), changes: map[segment.Key]keyChanges{}}
	v.arms = [2]Arm{ArmOf(in.Result.Before), ArmOf(in.Result.After)}
	for i := range v.arms {
		v.arms[i].Trouble = in.Trouble[i]
		pausesInto(&v.arms[i], in.Result.Sets[i])
		v.arms[i].OwnWork = ownWorkOf(in.Result.Sets[i], v.reading(i))
		v.arms[i].Notes = notesOf(v.reading(i)) // what an arm's own report adds about its drift is a finding here
		if in.Places[i] != nil {
			v.arms[i].Places = in.Places[i]
		}
	}
	v.names, v.heads = armNames(v.c, v.arms, in.Names)
	v.from = commonFrom(v.c)
	v.s = ScaleFor(p50Total(v.arms[0]), p50Total(v.arms[1]))
	v.shown = shownOf(v.s, v.c.Entries, v.c.Parents)
	v.shown9 = shownOf(v.s, v.c.P90, v.c.P90Parents)
	return v
}

func (v *view) bothOK() bool { return v.arms[0].N() > 0 && v.arms[1].N() > 0 }

// commonFrom is the place both arms were measured from, "" when they differ or it was not said.
func commonFrom(c *ledger.Comparison) string {
	before, after := c.Sets[0].Run.Vantage.From, c.Sets[1].Run.Vantage.From
	if before != after {
		return ""
	}
	return before
}

func (v *view) title() string {
	host := destination(v.arms[1])
	if v.arms[0].Host != v.arms[1].Host {
		host = v.names[0] + " and " + v.names[1]
	}
	title := host + fromPlace(v.from)
	if !v.bothOK() {
		return title + ": nothing to compare"
	}
	return title + ": " + v.arrow() + " ms at p50" + v.percentChange()
}

// arrow is "816 -> 351", the p50s the verdict is on.
func (v *view) arrow() string {
	return v.s.text(v.totals()[0]) + " -> " + v.s.text(v.totals()[1])
}

// totals are the p50s the verdict is on, in units.
func (v *view) totals() [2]int64 {
	return [2]int64{v.s.units(ns(v.c.Total.Before.Value)), v.s.units(ns(v.c.Total.After.Value))}
}

func (v *view) percentChange() string {
	t := v.totals()
	if t[0] == 0 || v.c.Verdict == ledger.TooFew || v.c.Verdict == ledger.NotComparable {
		return ""
	}
	return fmt.Sprintf(" (%s)", signedPercent(float64(t[1]-t[0])/float64(t[0]), 0))
}

// fullBlocks are all parts of a report on two arms that answered.
func (v *view) fullBlocks() []Block {
	blocks := []Block{v.table()}
	if !v.few() {
		blocks = append(blocks, Paragraph{v.tableNote()})
	}
	for _, note := range v.foldNotes() {
		blocks = append(blocks, Paragraph{note})
	}
	if items := v.findings(); len(items) > 0 {
		blocks = append(blocks, Only{FormatText, []Block{List{Title: "findings", Numbered: true, Items: items}}},
			Only{FormatMarkdown, []Block{List{Title: "Findings", Numbered: true, Items: items}}})
	}
	blocks = append(blocks, v.doubtBlocks()...)
	if table, any := v.where(); any {
		blocks = append(blocks, table)
	}
	blocks = append(blocks, v.tail90()...)
	blocks = append(blocks, Details{Summary: "Distributions", Blocks: []Block{v.distributions()}})
	blocks = append(blocks, v.fewBlocks()...)
	return append(blocks, v.closing()...)
}

// few reports whether there are too few exchanges for p10 and p90.
func (v *view) few() bool { return min(v.arms[0].N(), v.arms[1].N()) < percentilesFrom }

// pairsOr is the noun for what was compared: "cold pairs" or "cold requests".
func (v *view) pairsOr() string {
	state := stateWord(v.arms[1].State)
	if v.arms[0].State != v.arms[1].State {
		state = ""
	}
	noun := "requests"
	if v.c.Interleaved {
		noun = "pairs"
	}
	if state == "" {
		return noun
	}
	return state + " " + noun
}

// counted is a number of what was compared: "1 cold pair".
func (v *view) counted(n int) string {
	noun := v.pairsOr()
	if n == 1 {
		noun = strings.TrimSuffix(noun, "s")
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// howMany is "25 cold pairs" or "25 cold requests each, 7 days apart".
func (v *view) howMany() string {
	b, a := v.arms[0].N(), v.arms[1].N()
	switch {
	case v.c.Interleaved && v.c.Pairs == b && b == a:
		return v.counted(b)
	case v.c.Interleaved:
		return fmt.Sprintf("%d and %d requests, %d of them in %s", b, a, v.c.Pairs, v.pairsOr())
	case b == a:
		return v.counted(b) + " each" + v.apart()
	}
	return fmt.Sprintf("%d and %d %s%s", b, a, v.pairsOr(), v.apart())
}

// apart is how far two separate runs lie from each other.
func (v *view) apart() string {
	if v.gap() == 0 {
		return ""
	}
	return ", " + gapWords(v.gap()) + " apart"
}

func (v *view) gap() time.Duration {
	before, after := v.c.Before.Arm.Began, v.c.After.Arm.Began
	if v.c.Interleaved || before.IsZero() || after.IsZero() {
		return 0
	}
	return after.Sub(before).Abs()
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// gapWords rounds to what a reader counts in: weeks when they are whole, days, or finer.
func gapWords(d time.Duration) string {
	days := d.Round(day)
	switch {
	case d < 2*day-day/2:
		return InWords(d)
	case days%week == 0 && days == week:
		return "one week"
	case days%week == 0:
		return Plural(int(days/week), "week", "weeks")
	}
	return Plural(int(days/day), "day", "days")
}

// ns is a duration of nanoseconds as other packages count them.
func ns(v int64) time.Duration { return time.Duration(v) }

// totalOf is one percentile of the whole request.
func totalOf(a Arm, p percentile) stats.PercentileInterval { return p.get(figuresOf(a)[segment.Total]) }

// p50Total is an arm's p50 of the whole exchange.
func p50Total(a Arm) time.Duration { return ns(totalOf(a, p50).Value) }
