package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/load"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Ramp is what ramp tells of one run. Strings in Result may be untrusted.
type Ramp struct {
	Result *load.Ramp
	Chart  bool // draw the stages as bars; for a terminal, in text only
	Hints  []string
	Repeat []string // command lines that repeat it; in Markdown only
}

// RampDocument lays out a ramp: how many at once before the service said no, what the accepted ones
// then cost, what was throttled and failed apart, which instance did what, and whether the load was
// what it claims to be.
func RampDocument(in Ramp) Document {
	v := newRampView(in)
	d := Document{
		Title:     v.title(),
		Warnings:  v.warnings(),
		Sentence:  v.sentence(),
		Blocks:    v.blocks(),
		Footnotes: v.footnotes(),
		Hints:     clipAll(in.Hints),
		Records:   v.records(),
	}
	d.JSON = v.json(d)
	return d
}

// rampView is a ramp with what all its parts need.
type rampView struct {
	Ramp
	r     *load.Ramp
	s     Scale
	key   segment.Key
	hosts []string
	host  string    // who a sentence is about: the host, or the hosts
	noun  [2]string // "stream", "streams"
	open  bool      // open arrival: rates instead of numbers in parallel
	wide  bool      // asked differs from the number in parallel
	p99   bool
	setup bool
}

func newRampView(in Ramp) *rampView {
	r := in.Result
	v := &rampView{Ramp: in, r: r, key: r.Key(), noun: [2]string{"request", "requests"}}
	if v.key == segment.FirstText {
		v.noun = [2]string{"stream", "streams"}
	}
	var totals []time.Duration
	for i := range r.Stages {
		s := &r.Stages[i]
		totals = append(totals, durationOf(s.Total.P50.Value))
		v.open = v.open || s.Rate > 0
		v.wide = v.wide || s.Rate > 0 || s.Counts.Asked != s.Parallel
		v.p99 = v.p99 || s.Total.HasP99()
	}
	v.s = ScaleFor(totals...)
	v.setup = r.All.Setup.N > 0 && !(v.wide && v.p99) && !v.open
	v.hosts = rampHosts(r)
	v.host = subjectOf(v.hosts)
	return v
}

// rampRoute is the first route the load went over.
func rampRoute(r *load.Ramp) record.Route {
	for _, route := range r.Run.Routes {
		if route.Role != "health" {
			return route
		}
	}
	return record.Route{}
}

func (v *rampView) title() string {
	if len(v.r.Stages) == 0 {
		return v.host + ": nothing was sent"
	}
	largest := &v.r.Stages[v.r.Largest()]
	up := v.atWords(largest)
	if largest.Unreached() {
		up = fmt.Sprintf("%s of %s", rateText(largest.Sent), up)
	}
	return fmt.Sprintf("%s%s: up to %s", v.host, fromPlace(v.r.Run.Vantage.From), up)
}

// atWords is how a stage is called: "16 at once", "20 a second".
func (v *rampView) atWords(s *load.Stage) string {
	if s.Rate > 0 {
		return rateText(s.Rate) + " a second"
	}
	return fmt.Sprintf("%d at once", s.Parallel)
}

// number is a stage's own number: 16, or 20.
func number(s *load.Stage) string {
	if s.Rate > 0 {
		return rateText(s.Rate)
	}
	return fmt.Sprint(s.Parallel)
}

func rateText(rate float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", rate), "0"), ".")
}

func (v *rampView) warnings() []string {
	warnings := clipWarnings(v.r.Warnings)
	if n := v.r.All.Dry; n > 0 {
		warnings = append(warnings, fmt.Sprintf("THE ACCOUNT RAN DRY: %s answered 402. This measured the balance, not the capacity.",
			Share(n, v.r.All.Counts.Done())))
	}
	if v.r.Run.Rehearsed {
		warnings = append(warnings, "REHEARSED: measured in the lab inside this process; nothing was sent to a network.")
	}
	for _, note := range v.r.Run.Notes {
		if strings.Contains(note, "not verified") {
			warnings = append(warnings, "CERTIFICATES WERE NOT VERIFIED (-k).")
		}
	}
	return warnings
}

// blocks are everything below the sentence.
func (v *rampView) blocks() []Block {
	if len(v.r.Stages) == 0 {
		return v.runBlocks()
	}
	blocks := []Block{v.stageTable(), Paragraph{v.tableNote()}}
	if b, any := v.outcomes(); any {
		blocks = append(blocks, b)
	}
	if v.Chart {
		blocks = append(blocks, Only{FormatText, []Block{v.chart()}})
	}
	if len(v.r.Templates) > 0 {
		blocks = append(blocks, v.templateTable())
	}
	if len(v.r.Instances) > 0 {
		blocks = append(blocks, v.instanceTable())
	}
	if items := v.findings(); len(items) > 0 {
		blocks = append(blocks, List{Title: "findings", Numbered: true, Items: items})
	}
	if t, any := v.segmentTable(mostColumns); any {
		blocks = append(blocks, Only{FormatText, v.segmentBlocks(t)})
	}
	return append(blocks, v.runBlocks()...)
}

// runBlocks are how it was measured; in Markdown the segments of every stage are folded away below.
func (v *rampView) runBlocks() []Block {
	blocks := []Block{v.runBlock()}
	if t, any := v.segmentTable(len(v.r.Stages)); any {
		blocks = append(blocks, Only{FormatMarkdown, []Block{Details{"Segments of the accepted, at the p50 of their total", v.segmentBlocks(t)}}})
	}
	if len(v.Repeat) > 0 {
		blocks = append(blocks, Only{FormatMarkdown, []Block{Details{"How to repeat it", []Block{Code{clipAll(v.Repeat)}}}}})
	}
	return blocks
}
