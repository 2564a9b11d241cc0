package ledger

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// ShareChange is how often something happened in each arm, with the exact test of the difference.
type ShareChange struct {
	What        string // an outcome ("throttled"), a cause ("SYN lost"), or "DIMENSION=VALUE"
	Cause       bool   // a cause of slow exchanges, counted over the ok ones
	Counts, Of  [2]int // before, after
	P           float64
	BeforeRange [2]float64 // Clopper-Pearson limits of the share, 0..1
	AfterRange  [2]float64
}

// Significant reports whether the shares differ beyond chance.
func (s *ShareChange) Significant() bool { return s.P < significance }

// causes are the marks counted across arms.
var causes = []struct {
	mark reading.Mark
	what string
}{
	{reading.SYNLost, "SYN lost"}, {reading.Retransmit, "retransmission"}, {reading.RaceLost, "address race"},
	{reading.SlowAAAA, "slow AAAA"}, {reading.QUICProbe, "QUIC probe timeout"},
}

// shares lists outcomes and causes seen in either arm. Invalid exchanges are no outcome of the
// service and stand in no share.
func shares(before, after *reading.Arm) []ShareChange {
	of := [2]int{asked(before.Counts), asked(after.Counts)}
	var out []ShareChange
	out = appendShare(out, ShareChange{What: string(record.Throttled), Counts: [2]int{before.Counts.Throttled, after.Counts.Throttled}, Of: of})
	out = appendShare(out, ShareChange{What: string(record.Failed), Counts: [2]int{before.Counts.Failed, after.Counts.Failed}, Of: of})
	n := [2]int{before.N(), after.N()}
	for _, m := range causes {
		out = appendShare(out, ShareChange{What: m.what, Cause: true, Counts: [2]int{count(before, m.mark), count(after, m.mark)}, Of: n})
	}
	return appendShare(out, ShareChange{What: "this machine was busy", Cause: true, Counts: [2]int{countBusy(before), countBusy(after)}, Of: n})
}

// asked is the number of exchanges the service had a say in.
func asked(c record.Counts) int { return c.OK + c.Throttled + c.Failed }

// appendShare tests a share that either arm has.
func appendShare(out []ShareChange, s ShareChange) []ShareChange {
	if s.Counts == [2]int{} {
		return out
	}
	return append(out, tested(s))
}

func tested(s ShareChange) ShareChange {
	s.P = stats.Fisher(s.Counts[0], s.Of[0], s.Counts[1], s.Of[1])
	s.BeforeRange[0], s.BeforeRange[1] = stats.ClopperPearson(s.Counts[0], s.Of[0])
	s.AfterRange[0], s.AfterRange[1] = stats.ClopperPearson(s.Counts[1], s.Of[1])
	return s
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

// countBusy counts the exchanges that this machine's lateness made slower than the p50. The worst
// lateness grows with the length of an exchange, so counting it alone would tell the slower arm.
func countBusy(a *reading.Arm) int {
	if len(a.Late) == 0 {
		return 0
	}
	n, p50 := 0, median(a, segment.Total)
	for _, late := range a.Late {
		if a.BusyMade(late.Row, time.Duration(a.Totals()[late.Row]-p50)) {
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
