package ledger

import (
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// ShareChange is how often something happened in each arm, with the exact test of the difference.
type ShareChange struct {
	What                 string // "throttled", "failed", "syn lost", ...
	Before, BeforeOf     int
	After, AfterOf       int
	P                    float64 // Fisher, two-sided
	BeforeLimits, Limits [2]float64
}

// Significant reports whether the shares differ beyond chance.
func (s *ShareChange) Significant() bool { return s.P < significance }

// tailMarks are the causes counted across arms.
var tailMarks = []struct {
	mark reading.Mark
	what string
}{
	{reading.SYNLost, "SYN lost"}, {reading.Retransmit, "retransmission"}, {reading.RaceLost, "address race"},
	{reading.SlowAAAA, "slow AAAA"}, {reading.QUICProbe, "QUIC probe timeout"}, {reading.Busy, "this machine was busy"},
}

// shares lists outcomes and causes seen in either arm.
func shares(before, after *reading.Arm) []ShareChange {
	b, a := before.Counts, after.Counts
	out := appendShare(nil, "throttled", b.Throttled, b.Done(), a.Throttled, a.Done())
	out = appendShare(out, "failed", b.Failed, b.Done(), a.Failed, a.Done())
	for _, m := range tailMarks {
		out = appendShare(out, m.what, count(before, m.mark), before.N(), count(after, m.mark), after.N())
	}
	return out
}

func appendShare(out []ShareChange, what string, b, bn, a, an int) []ShareChange {
	if b == 0 && a == 0 {
		return out
	}
	s := ShareChange{What: what, Before: b, BeforeOf: bn, After: a, AfterOf: an, P: stats.Fisher(b, bn, a, an)}
	s.BeforeLimits[0], s.BeforeLimits[1] = stats.ClopperPearson(b, bn)
	s.Limits[0], s.Limits[1] = stats.ClopperPearson(a, an)
	return append(out, s)
}

func count(a *reading.Arm, m reading.Mark) int {
	n := 0
	for _, have := range a.Marks {
		if have&m != 0 {
			n++
		}
	}
	return n
}

// Steadiness is how far apart p10 and p50 lie in each arm: what an ordinary visitor's luck is worth.
type Steadiness struct {
	Before, After int64 // nanoseconds, p50 - p10 of total
	Known         bool  // p10 of both arms is no extreme
}

func steadiness(before, after *summary.Summary) Steadiness {
	b, okB := width(before)
	a, okA := width(after)
	return Steadiness{Before: b, After: a, Known: okB && okA}
}

func width(s *summary.Summary) (int64, bool) {
	f := s.Figures[segment.Total]
	p10, _ := f.At(stats.P10)
	p50, _ := f.At(stats.P50)
	return p50.Value - p10.Value, !p10.IsMin()
}
