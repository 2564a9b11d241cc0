package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// progress draws one line on a terminal while a run is under way, and nothing elsewhere.
type progress struct {
	bars *mpb.Progress
	bar  *mpb.Bar

	mu     sync.Mutex // guards what follows
	arms   []armProgress
	counts record.Counts
	start  time.Time
	total  int
}

// armProgress keeps the latest totals of an arm, for its running p50.
type armProgress struct {
	name   string
	totals []int64
}

// latestTotals bounds what an arm keeps for its running p50.
const latestTotals = 201

func newProgress(s streams, m *measurement, plan schedule.Plan) *progress {
	p := &progress{start: time.Now(), total: schedule.SizeOf(plan.Steps).Slots}
	if !s.errTTY {
		return p
	}
	for _, a := range m.arms {
		p.arms = append(p.arms, armProgress{name: s.aliased(a.route.Name)})
	}
	p.bars = mpb.New(mpb.WithOutput(s.err), mpb.WithRefreshRate(200*time.Millisecond), mpb.WithAutoRefresh())
	p.bar = p.bars.New(int64(p.total), mpb.NopStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.line() })))
	return p
}

// watch lets the line follow what sink stores.
func (p *progress) watch(sink schedule.Sink) schedule.Sink {
	if p.bar == nil {
		return sink
	}
	return func(slot schedule.Slot, r schedule.Result) error {
		p.note(slot, r)
		return sink(slot, r)
	}
}

func (p *progress) note(slot schedule.Slot, r schedule.Result) {
	p.mu.Lock()
	p.counts.Add(r.Outcome)
	if n := len(r.Exchanges); n > 0 && r.Outcome == record.OK && slot.Arm < len(p.arms) {
		a := &p.arms[slot.Arm]
		a.totals = append(a.totals, int64(r.Exchanges[n-1].Total))
		if len(a.totals) > latestTotals {
			a.totals = a.totals[1:]
		}
	}
	p.mu.Unlock()
	p.bar.Increment()
}

// line is what LOOK 7 draws: done, running p50 of each arm, counts, time left.
func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	done := p.counts.Done()
	line := fmt.Sprintf(" %d/%d", done, p.total)
	for _, a := range p.arms {
		if len(a.totals) > 0 {
			p50 := stats.QuantileOf(stats.Sorted(a.totals), stats.P50).Value
			line += fmt.Sprintf("  %s %d", a.name, time.Duration(p50).Milliseconds())
		}
	}
	line += fmt.Sprintf(" ms  ok %d  throttled %d", p.counts.OK, p.counts.Throttled)
	if p.counts.Failed > 0 {
		line += fmt.Sprintf("  failed %d", p.counts.Failed)
	}
	if done > 0 {
		left := time.Since(p.start) / time.Duration(done) * time.Duration(p.total-done)
		line += fmt.Sprintf("  %d:%02d left", int(left.Minutes()), int(left.Seconds())%60)
	}
	return line + "  ^C reports"
}

// extend makes room for further exchanges.
func (p *progress) extend(n int) {
	p.mu.Lock()
	p.total += n
	p.mu.Unlock()
	if p.bar != nil {
		p.bar.SetTotal(int64(p.total), false)
	}
}

func (p *progress) stop() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
}
