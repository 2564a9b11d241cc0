package load

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// paymentRequired is RFC 9110 section 15.5.3; APIs that sell by the request answer it when the
// balance is spent.
const paymentRequired = 402

// Group is what became of some exchanges of a ramp, and what the accepted ones cost.
type Group struct {
	Name   string // of a template; "" for all
	Counts record.Counts

	Setup     Figure
	TTFB      Figure
	FirstText Figure // of those whose stream had text
	Gap       Figure // the p50 gap between text events of each stream with two or more
	Stall     Figure // the longest gap of each such stream
	Total     Figure
	Intended  Figure // total from the intended start, for open arrival; see Open
	Open      bool

	Throttled Throttled
	Failures  []Failure // the most frequent first
	Invalid   []reading.Share
	Dry       int // answered 402: the account ran dry

	totals, texts, intended []int64 // of the accepted, in send order
}

// Throttled is what the service's "not now" answers said, and how fast they came.
type Throttled struct {
	N             int
	Statuses      []reading.Share
	Reasons       []reading.Share
	Limits        []reading.Share // which limit spoke, as far as headers tell
	RetryAfter    time.Duration   // the shortest asked for
	RetryAfterMax time.Duration
	HasRetryAfter bool
	Latency       Figure // start .. end of the throttled exchange
}

// Failure groups failed exchanges that died in the same segment with the same class and status.
type Failure struct {
	Segment   segment.Key
	Class     record.Class
	Status    int
	N         int
	Text      string // of the first one
	Texts     int    // text events the first one's stream had delivered
	Streamed  bool
	Instances []string
	Routes    []string // the routes it happened on, in the order met
	Stages    []int    // positions of the stages, ascending
}

// groupOf sums up rows, which are in send order.
func groupOf(name string, rows []*row) Group {
	g := Group{Name: name}
	var setup, ttfb, gaps, stalls []int64
	for _, r := range rows {
		g.Counts.Asked++
		g.Counts.Add(r.outcome)
		g.Open = g.Open || r.late > 0
		if r.outcome == record.Failed && r.status == paymentRequired {
			g.Dry++
		}
		if r.outcome != record.OK {
			continue
		}
		g.totals = append(g.totals, int64(r.total))
		g.intended = append(g.intended, int64(r.total+r.late))
		setup = appendPresent(setup, r.setup)
		ttfb = appendPresent(ttfb, r.ttfb)
		gaps, stalls = appendPresent(gaps, r.gap), appendPresent(stalls, r.stall)
		g.texts = appendPresent(g.texts, r.firstText)
	}
	g.Setup, g.TTFB, g.FirstText = figureOf(setup), figureOf(ttfb), figureOf(g.texts)
	g.Gap, g.Stall = figureOf(gaps), figureOf(stalls)
	g.Total, g.Intended = figureOf(g.totals), figureOf(g.intended)
	g.Throttled = throttledOf(rows)
	g.Failures, g.Invalid = failuresOf(rows), invalidOf(rows)
	return g
}

func appendPresent(values []int64, o optional) []int64 {
	if !o.ok {
		return values
	}
	return append(values, int64(o.d))
}

func throttledOf(rows []*row) Throttled {
	var t Throttled
	var statuses, reasons, limits reading.Tally
	var latency []int64
	for _, r := range rows {
		if r.outcome != record.Throttled {
			continue
		}
		t.N++
		statuses.Add(statusText(r.status))
		reasons.Add(r.throttle.Reason)
		limits.Add(r.throttle.Limit)
		latency = append(latency, int64(r.total))
		t.retry(r.throttle)
	}
	t.Statuses, t.Reasons, t.Limits = statuses.Shares(), reasons.Shares(), limits.Shares()
	t.Latency = figureOf(latency)
	return t
}

func (t *Throttled) retry(th record.Throttle) {
	if !th.HasRetryAfter {
		return
	}
	if !t.HasRetryAfter || th.RetryAfter < t.RetryAfter {
		t.RetryAfter = th.RetryAfter
	}
	t.RetryAfterMax = max(t.RetryAfterMax, th.RetryAfter)
	t.HasRetryAfter = true
}

func invalidOf(rows []*row) []reading.Share {
	var tally reading.Tally
	for _, r := range rows {
		if r.outcome == record.Invalid {
			tally.Add(r.err.Text)
		}
	}
	return tally.Shares()
}

func failuresOf(rows []*row) []Failure {
	var out []Failure
	for _, r := range rows {
		if r.outcome != record.Failed {
			continue
		}
		i := slices.IndexFunc(out, func(f Failure) bool {
			return f.Segment == r.err.Segment && f.Class == r.err.Class && f.Status == r.status
		})
		if i < 0 {
			i = len(out)
			out = append(out, Failure{Segment: r.err.Segment, Class: r.err.Class, Status: r.status,
				Text: r.err.Text, Texts: r.texts, Streamed: r.streamed})
		}
		out[i].add(r)
	}
	slices.SortStableFunc(out, func(a, b Failure) int { return b.N - a.N })
	return out
}

// mostNamed bounds the instances a group of failures names.
const mostNamed = 8

func (f *Failure) add(r *row) {
	f.N++
	if r.instance != "" && len(f.Instances) < mostNamed && !slices.Contains(f.Instances, r.instance) {
		f.Instances = append(f.Instances, r.instance)
	}
	if !slices.Contains(f.Routes, r.route) {
		f.Routes = append(f.Routes, r.route)
	}
	if n := len(f.Stages); r.stage >= 0 && (n == 0 || f.Stages[n-1] != r.stage) {
		f.Stages = append(f.Stages, r.stage)
	}
}
