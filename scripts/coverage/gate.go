package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const (
	look      = 25  // pairs after which a gate is asked, as compare does
	mostPairs = 100 // where --undecided more gives up
)

// gateNights counts what becomes of --max total.p50=+10% with up to 100 pairs, asked after every 25
// while it is undecided, and of the same with 25 pairs alone.
func gateNights(effort int) table {
	t := table{
		title: "The gate: nights under --max total.p50=+10%",
		note: "250 +- 30 ms with a 7 % tail, in pairs; up to 100 pairs by --undecided more, asked after every 25, " +
			"and 25 pairs alone.",
		head: []string{"true change", "holds", "crossed", "undecided", "holds, n = 25", "crossed, n = 25", "undecided, n = 25"},
	}
	rule, err := ledger.ParseRule("total.p50=+10%")
	if err != nil {
		panic("the rule of the gate table is written in this file: " + err.Error())
	}
	for row, factor := range []float64{1, 1.05, 1.10, 1.15, 1.20} {
		before, after := tailed(core, 0.07), tailed(times(core, factor), 0.07)
		outcomes := shares(scaledRuns(400, effort), seedOf(13, row, 0), 6, func(r *rand.Rand, came []bool) {
			first, last := night(r, rule, before, after)
			came[gateColumn(last)], came[3+gateColumn(first)] = true, true
		})
		var cells []string
		for _, o := range outcomes {
			cells = append(cells, points(o))
		}
		t.add(fmt.Sprintf("%+.0f %%", 100*(factor-1)), cells...)
	}
	return t
}

func gateColumn(o ledger.GateOutcome) int {
	switch o {
	case ledger.Holds:
		return 0
	case ledger.Crossed:
		return 1
	}
	return 2
}

// night asks the gate after every look until it is decided, and returns its first and last word.
func night(r *rand.Rand, rule ledger.Rule, before, after world) (first, last ledger.GateOutcome) {
	var run pairedRun
	for pairs := look; ; pairs += look {
		for range look {
			run.add(r, exchangeOf(before(r), 0), exchangeOf(after(r), 0))
		}
		b, a := run.arms()
		last = ledger.Worst(ledger.Compare(b, a).Gate([]ledger.Rule{rule}))
		if pairs == look {
			first = last
		}
		if last != ledger.GateUndecided || pairs >= mostPairs {
			return first, last
		}
	}
}

// pairedRun is a live comparison under way: exchanges of both routes, the order in each pair by a coin.
type pairedRun struct {
	exchanges []record.Exchange
	pairs     int
}

var bothRoutes = [2]string{"before", "after"}

func (p *pairedRun) add(r *rand.Rand, before, after record.Exchange) {
	pair := [2]record.Exchange{before, after}
	first := r.IntN(2)
	for _, which := range []int{first, 1 - first} {
		x := pair[which]
		x.Route, x.Pair, x.Seq = bothRoutes[which], p.pairs, len(p.exchanges)
		p.exchanges = append(p.exchanges, x)
	}
	p.pairs++
}

// arms reads the run as compare does.
func (p *pairedRun) arms() (before, after ledger.Arm) {
	b := reading.NewBuilder(record.Run{Order: "random-pairs", Routes: []record.Route{{Name: bothRoutes[0]}, {Name: bothRoutes[1]}}}, reading.Options{})
	for i := range p.exchanges {
		if err := b.Add(&p.exchanges[i]); err != nil {
			panic("the run lists both routes: " + err.Error())
		}
	}
	set := b.Finish(record.End{}, true)
	return ledger.Arm{Arm: set.Arms[0], Set: set}, ledger.Arm{Arm: set.Arms[1], Set: set}
}

// exchangeOf is a request that spends ms milliseconds waiting, some of it before it was forwarded.
func exchangeOf(ms, preForward float64) record.Exchange {
	x := record.Exchange{Outcome: record.OK, Status: 200, Protocol: "h2"}
	if preForward > 0 {
		x.Headers = record.Fields{"server-timing": {fmt.Sprintf("pre_forward;dur=%.4f", preForward)}}
	}
	x.Segments.Set(segment.Wait, time.Duration(ms*millisecond))
	x.Total = x.Segments.Sum()
	return x
}

// driftingPairs adds 40 ms before forwarding while the network drifts by 80 ms, and asks whether the
// ledger finds the change, its place and its size.
func driftingPairs(effort int) table {
	t := table{
		title: "40 ms before forwarding, under a drift of 80 ms",
		note:  "50 pairs, noise of 2 ms; share of runs with the right sign, confirmed in wait.pre_forward and within 5 ms of the truth, and with a drift warning.",
		head:  []string{"drift", "right sign", "confirmed in its row", "within 5 ms", "drift found"},
	}
	for row, drift := range []float64{0, 80} {
		outcomes := shares(scaledRuns(400, effort), seedOf(14, row, 0), 4, func(r *rand.Rand, came []bool) {
			b, a := driftingRun(r, drift).arms()
			c := ledger.Compare(b, a)
			came[0] = c.Verdict == ledger.Slower
			for _, e := range c.Entries {
				came[1] = came[1] || e.Key == segment.WaitPreForward && e.Lost()
			}
			off := float64(c.Total.Delta)/millisecond - 40
			came[2], came[3] = off > -5 && off < 5, c.Drift.Drifts()
		})
		t.add(fmt.Sprintf("%.0f ms", drift), points(outcomes[0]), points(outcomes[1]), points(outcomes[2]), points(outcomes[3]))
	}
	return t
}

func driftingRun(r *rand.Rand, drift float64) *pairedRun {
	const pairs = 50
	var run pairedRun
	for i := range pairs {
		now := 200 + drift*float64(i)/pairs
		wait := func(preForward float64) record.Exchange {
			return exchangeOf(now+preForward+2*r.NormFloat64(), preForward)
		}
		run.add(r, wait(20), wait(60))
	}
	return &run
}

// selfReports compares runs with themselves through the ledger, as compare FILE FILE does.
func selfReports(effort int) table {
	t := table{
		title: "A file compared with itself",
		note:  "1,000 files of 5 to 60 requests: share with any finding, any row that is not noise, or a verdict other than unchanged.",
		head:  []string{"compared as", "any finding", "any row", "another verdict"},
	}
	outcomes := shares(scaledRuns(1000, effort), seedOf(15, 0, 0), 3, func(r *rand.Rand, came []bool) {
		var run pairedRun
		of := tailed(core, 0.07)
		for range 5 + r.IntN(56) {
			v := of(r)
			run.add(r, exchangeOf(v, v/5), exchangeOf(v, v/5))
		}
		_, arm := run.arms()
		c := ledger.Compare(arm, arm)
		came[0], came[2] = len(c.Findings()) > 0, c.Verdict != ledger.Unchanged
		for _, e := range c.Entries {
			came[1] = came[1] || e.Standing != ledger.Noise
		}
	})
	t.add("one file", points(outcomes[0]), points(outcomes[1]), points(outcomes[2]))
	return t
}
