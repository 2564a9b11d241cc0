package summary

import (
	"runtime"
	"slices"
	"sync"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Percentiles are those every table shows.
var Percentiles = [...]stats.Percentile{stats.P10, stats.P50, stats.P90, stats.P99}

// Figure is the distribution of one segment over the exchanges that have it.
type Figure struct {
	N           int
	Percentiles [len(Percentiles)]stats.PercentileInterval
}

// At returns the percentile p of the figure, and false when p is not among [Percentiles].
func (f *Figure) At(p stats.Percentile) (stats.PercentileInterval, bool) {
	for i, q := range Percentiles {
		if p == q {
			return f.Percentiles[i], f.N > 0
		}
	}
	return stats.PercentileInterval{}, false
}

// Summary is what one arm amounts to. With no ok exchange everything but Arm is empty.
type Summary struct {
	Arm   *reading.Arm
	Lines []Line

	// At is how a request that takes exactly the p50 spends its time, in nanoseconds: lines,
	// their parents, setup, ttfb and total. The lines sum exactly to total.
	At    [segment.NumKeys]int64
	AtHas [segment.NumKeys]bool // the keys At speaks of
	// Has tells which keys the arm has; a key it does not have stands for nothing in Figures.
	Has     [segment.NumKeys]bool
	Figures [segment.NumKeys]Figure
	Slow    []Slow
	Tail    stats.Tail // above p90, columns as Lines
	Split   stats.Split
	Drift   Drift
}

// Of summarises an arm.
func Of(a *reading.Arm) *Summary {
	s := &Summary{Arm: a}
	if a.N() == 0 {
		return s
	}
	s.Lines = Lines(a, stats.P50)
	rows := Rows(a, s.Lines)
	s.figures(rows)
	order := rows.Order()
	s.Split = rows.SplitAt(order, stats.P50)
	s.At, s.AtHas = Parents(s.Lines, s.Split.Whole())
	s.Tail = rows.TailAbove(order, stats.P90, s.Split)
	s.Slow = slow(s, rows)
	s.Drift = driftOf(rows.Total, s.Split.Value)
	return s
}

// N is the number of ok exchanges.
func (s *Summary) N() int { return s.Arm.N() }

// Total is the p50 of total with its interval.
func (s *Summary) Total() stats.PercentileInterval {
	pi, _ := s.Figures[segment.Total].At(stats.P50)
	return pi
}

// Parents turns the parts of lines into figures for every key that lines cover: the lines
// themselves, wait and transfer and upstream as the sums of theirs, setup, ttfb and total.
func Parents(lines []Line, parts []int64) (at [segment.NumKeys]int64, has [segment.NumKeys]bool) {
	add := func(k segment.Key, v int64) { at[k] += v; has[k] = true }
	for i, l := range lines {
		add(l.Key, parts[i])
		add(segment.Total, parts[i])
		for p, ok := l.Key.Parent(); ok; p, ok = p.Parent() {
			add(p, parts[i])
		}
		if IsSetup(l.Key) && l.Key != segment.Setup {
			add(segment.Setup, parts[i])
		}
		if l.Key == segment.TransferBeforeText {
			has[segment.FirstText] = true
		}
	}
	transfer := at[segment.Transfer]
	at[segment.TTFB], has[segment.TTFB] = at[segment.Total]-transfer, has[segment.Transfer]
	if has[segment.FirstText] {
		at[segment.FirstText] = at[segment.TTFB] + at[segment.TransferBeforeText]
	}
	return at, has
}

// IsSetup reports whether k is part of setup.
func IsSetup(k segment.Key) bool {
	switch k {
	case segment.Race, segment.TCP, segment.Proxy, segment.TLS, segment.QUIC, segment.Setup:
		return true
	}
	return false
}

// figures fills the percentiles of every segment the arm has, on every core.
func (s *Summary) figures(rows stats.Rows) {
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	fill := func(k segment.Key, column func() []int64) {
		room <- struct{}{}
		all.Go(func() {
			if col := column(); col != nil {
				s.Figures[k], s.Has[k] = figureOf(col), true
			}
			<-room
		})
	}
	for k := range segment.Key(segment.NumKeys) {
		fill(k, func() []int64 { return s.Arm.Column(k) })
	}
	for i, l := range s.Lines {
		if l.Key == segment.WaitUnattributed {
			fill(l.Key, func() []int64 { return rows.Columns[i] })
		}
	}
	all.Wait()
}

func figureOf(column []int64) Figure {
	if slices.Contains(column, reading.Absent) {
		column = reading.Column(column).Present()
	}
	out := Figure{N: len(column)}
	copy(out.Percentiles[:], stats.IntervalsOf(column, Percentiles[:]...))
	return out
}
