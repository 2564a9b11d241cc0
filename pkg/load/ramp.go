package load

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// Ramp is what a run with stages amounts to. It is complete when [Builder.Finish] returns it and is
// not changed afterwards, so several goroutines may read it.
type Ramp struct {
	Run      record.Run
	Plan     Plan
	End      record.End
	Complete bool // the file had its end line
	Warnings []string

	Stages    []Stage // as sent; those of a search by their number in parallel
	Unsent    []int   // numbers of the planned stages of which nothing was sent
	All       Group   // every stage together
	Templates []Group // by template, when there are several
	Instances []Instance
	Health    Health
	After     []Afterward
	Remaining []Remaining
	Requests  int // everything sent but health polls

	Protocol     string // most often agreed
	TLS          string
	Resolver     string // who answered, "" when nothing was resolved
	Began, Ended time.Time
}

// Stage is one step of the ramp.
type Stage struct {
	Group
	Index     int     // position in the order sent, from 0
	Parallel  int     // exchanges at once; 0 for open arrival
	Rate      float64 // starts per second; 0 for a closed stage
	Began     time.Time
	Took      time.Duration // first start to last end
	Cut       bool          // the run was stopped before the stage had lasted as planned
	Sent      float64       // starts a second that came of Rate; 0 for a closed stage
	OKRate    float64       // accepted a second while the stage was kept up
	HasOKRate bool          // of a number in parallel that was kept up, for as long as is known
	Late      time.Duration // p50 of how long after its time a request of an open stage was started
	Start     Start
	InFlight  int           // the most under way at one instant
	Lag       time.Duration // lateness of this machine's timers, p50 over the stage's exchanges
	Doubts    []Doubt
	// Summary takes the accepted apart, segment by segment; nil when there are none.
	Summary   *summary.Summary
	Templates []Group // by template, when there are several
}

// Health is what the polls beside the load found.
type Health struct {
	URL      string
	Counts   record.Counts
	Total    Figure
	FirstBad *Bad
}

// Bad is a poll that did not find the service well.
type Bad struct {
	At     time.Time
	Stage  int // position of the stage under way, -1 for none
	Status int
	Class  record.Class
}

// Afterward is one request sent once the load was gone.
type Afterward struct {
	Outcome   record.Outcome
	Status    int
	Total     time.Duration
	FirstText time.Duration
	HasText   bool
}

// Key is the figure the ramp is told by: first_text when every accepted exchange streamed text, else
// total. Under open arrival it is always total, and counts from the intended start.
func (r *Ramp) Key() segment.Key {
	if !r.All.Open && r.All.FirstText.N > 0 && r.All.FirstText.N == r.All.Counts.OK {
		return segment.FirstText
	}
	return segment.Total
}

// Figure is a stage's or template's distribution of a key of [Ramp.Key]; the total of an open stage
// counts from the intended start, or a wait for a place would be nobody's.
func (g *Group) Figure(k segment.Key) Figure {
	switch {
	case k == segment.FirstText:
		return g.FirstText
	case g.Open:
		return g.Intended
	}
	return g.Total
}

func (g *Group) values(k segment.Key) []int64 {
	switch {
	case k == segment.FirstText:
		return g.texts
	case g.Open:
		return g.intended
	}
	return g.totals
}

// Size is what stages are told apart by: the rate of open arrival, else the number in parallel. Stages
// need not grow from one to the next.
func (s *Stage) Size() float64 {
	if s.Rate > 0 {
		return s.Rate
	}
	return float64(s.Parallel)
}

// FirstThrottled is the position of the smallest stage that was throttled.
func (r *Ramp) FirstThrottled() (int, bool) {
	first, found := 0, false
	for i := range r.Stages {
		s := &r.Stages[i]
		if s.Counts.Throttled > 0 && (!found || s.Size() < r.Stages[first].Size()) {
			first, found = i, true
		}
	}
	return first, found
}

// Unreached reports whether an open stage was started at less than its rate, so that nothing was
// learnt of that rate.
func (s *Stage) Unreached() bool { return slices.Contains(s.Doubts, Unreached) }

// LargestReached is the position of the largest stage that was sent as asked, the last of equals.
func (r *Ramp) LargestReached() (int, bool) {
	largest, found := 0, false
	for i := range r.Stages {
		s := &r.Stages[i]
		if !s.Unreached() && (!found || s.Size() >= r.Stages[largest].Size()) {
			largest, found = i, true
		}
	}
	return largest, found
}

// LastClean is the position of the largest stage in which everything was accepted, among those smaller
// than any that was throttled. A rate that was not reached was not served.
func (r *Ramp) LastClean() (int, bool) {
	throttled, any := r.FirstThrottled()
	last, found := 0, false
	for i := range r.Stages {
		s := &r.Stages[i]
		clean := s.Counts.OK > 0 && !s.Unreached() && s.Counts.OK == s.Counts.Done() && !(any && s.Size() >= r.Stages[throttled].Size())
		if clean && (!found || s.Size() >= r.Stages[last].Size()) {
			last, found = i, true
		}
	}
	return last, found
}

// Largest is the position of the largest stage, the last of equals; 0 without stages.
func (r *Ramp) Largest() int {
	largest := 0
	for i := range r.Stages {
		if r.Stages[i].Size() >= r.Stages[largest].Size() {
			largest = i
		}
	}
	return largest
}
