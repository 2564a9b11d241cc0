package ledger

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// FindingKind says what a finding is about; the kinds stand in their order of weight.
type FindingKind uint8

// The kinds of finding.
const (
	FoundLost        FindingKind = iota // a row got slower beyond doubt
	FoundUnexplained                    // what nothing reports changed beyond doubt
	FoundDetour                         // the way through an edge is longer than the direct one
	FoundFirst                          // an arm's first exchange stands out
	FoundNearEdge                       // an edge stands next to this machine
	FoundSteadiness                     // the width from p10 to p50 changed
	FoundShare                          // an outcome or a cause became more or less frequent
	FoundDrift                          // the run drifts
	FoundOrderEffect                    // being sent first or second in a pair matters
	FoundCorrelated                     // exchanges of an arm depend on each other
)

var findingNames = [...]string{"lost", "unexplained", "detour", "first_request", "near_edge", "steadiness", "share",
	"drift", "order_effect", "correlated"}

// String is the word JSON carries.
func (k FindingKind) String() string { return findingNames[k] }

// Finding is something a reader should not miss, as numbers; the wording is the report's.
// Times are nanoseconds.
type Finding struct {
	Kind          FindingKind
	Key           segment.Key // of FoundLost, FoundUnexplained
	Before, After int64       // the figure found in each arm
	Has           [2]bool     // which arms Before and After speak of
	P50           [2]int64    // of FoundFirst: the arms' p50s
	N             [2]int
	P             float64      // of the test that found it; 0 when none did
	Share         *ShareChange // of FoundShare
	Trend         *stats.Trend // of FoundDrift
	Value         [2]float64   // of FoundCorrelated: independent exchanges each arm is worth
}

// Findings lists what stands out, in order of weight. A file compared with itself has none.
func (c *Comparison) Findings() []Finding {
	if c.l == nil || c.Identical {
		return nil
	}
	var out []Finding
	out = append(out, c.lost()...)
	for _, find := range []func() (Finding, bool){
		c.unexplained, c.detour, c.first, c.nearEdge, c.steadier,
	} {
		if f, ok := find(); ok {
			out = append(out, f)
		}
	}
	out = append(out, c.shareFindings()...)
	return append(out, c.runFindings()...)
}

// lost are the rows that got slower by as much as anybody notices, the largest first. With very many
// exchanges every row moves beyond doubt.
func (c *Comparison) lost() []Finding {
	var out []Finding
	for _, e := range c.Entries {
		if e.Lost() && e.Change >= c.Delta {
			out = append(out, rowFinding(FoundLost, e))
		}
	}
	slices.SortStableFunc(out, func(x, y Finding) int { return cmp.Compare(y.After-y.Before, x.After-x.Before) })
	return out
}

func rowFinding(kind FindingKind, e Entry) Finding {
	return Finding{Kind: kind, Key: e.Key, Before: e.Before, After: e.After, Has: both, P: e.Adjusted}
}

var both = [2]bool{true, true}

// unexplained is what nothing reports, when it fell beyond doubt; a rise is a loss already.
func (c *Comparison) unexplained() (Finding, bool) {
	for _, e := range c.Entries {
		if e.Key == segment.WaitUnattributed && e.Saved() && -e.Change >= c.Delta {
			return rowFinding(FoundUnexplained, e), true
		}
	}
	return Finding{}, false
}

// detour compares what an edge spends behind itself with the whole wait of a route that reports no
// edge. Both hold the origin's work, so when the former is longer, the way through the edge is.
// Before and After are those two figures; Key is wait.upstream, or wait where no header tells.
func (c *Comparison) detour() (Finding, bool) {
	b, a := upstreamOf(c, 0), upstreamOf(c, 1)
	switch {
	case b > 0 && a > 0:
		return Finding{}, false
	case b == 0 && a == 0:
		return c.silentDetour()
	}
	f := Finding{Kind: FoundDetour, Key: segment.WaitUpstream, Before: b, After: a, Has: both}
	if b > 0 {
		f.After = p50Of(c.l.arms[1], segment.Wait)
		return f, f.Before-f.After > c.Delta
	}
	f.Before = p50Of(c.l.arms[0], segment.Wait)
	return f, f.After-f.Before > c.Delta
}

// An edge ends connections nearer to the client than the origin does: by half, and by more than the
// width of a city.
const nearerBy = 10 * time.Millisecond

// silentDetour tells a detour from nobody's header. Of two routes one ends near the client and the
// other far away, at the origin; what is left of the near one's wait after its own round trip should
// then be shorter than the whole wait of the other.
func (c *Comparison) silentDetour() (Finding, bool) {
	rtt := [2]int64{p50Of(c.l.arms[0], segment.WaitEdgeRTT), p50Of(c.l.arms[1], segment.WaitEdgeRTT)}
	edge, direct := 0, 1
	if rtt[1] < rtt[0] {
		edge, direct = 1, 0
	}
	if rtt[edge] == 0 || rtt[edge] > rtt[direct]/2 || rtt[direct]-rtt[edge] < int64(nearerBy) {
		return Finding{}, false
	}
	var figure [2]int64
	figure[edge] = p50Of(c.l.arms[edge], segment.Wait) - rtt[edge]
	figure[direct] = p50Of(c.l.arms[direct], segment.Wait)
	f := Finding{Kind: FoundDetour, Key: segment.Wait, Before: figure[0], After: figure[1], Has: both}
	return f, figure[edge]-figure[direct] > c.Delta
}

// upstreamOf is what lies behind an arm's edge at the p50, 0 when the arm reports none.
func upstreamOf(c *Comparison, arm int) int64 {
	switch {
	case c.l.has(arm, segment.WaitUpstream), c.l.has(arm, segment.WaitUpstreamNetwork):
		return p50Of(c.l.arms[arm], segment.WaitUpstream)
	}
	return 0
}

func p50Of(a *reading.Arm, k segment.Key) int64 {
	return stats.QuantileOf(sortedOf(a.Column(k)), stats.P50).Value
}

// A first exchange stands out when it takes a quarter more than the p50 and at least 20 ms more.
const (
	firstShare = 4
	firstLeast = 20 * time.Millisecond
)

func (c *Comparison) first() (Finding, bool) {
	f := Finding{Kind: FoundFirst}
	for i, a := range c.l.arms {
		if !a.HasFirst {
			continue
		}
		p50 := p50Of(a, segment.Total)
		f.P50[i], f.N[i] = p50, a.N()
		f.Has[i] = int64(a.FirstTotal)-p50 >= max(p50/firstShare, int64(firstLeast))
		*[]*int64{&f.Before, &f.After}[i] = int64(a.FirstTotal)
	}
	return f, f.Has != [2]bool{}
}

// nearby is a round trip that ends in the same city, likely in the same building.
const nearby = 2 * time.Millisecond

// nearEdge tells that an edge is nearer than users have it. A peer on this machine or in a private
// network is no edge.
func (c *Comparison) nearEdge() (Finding, bool) {
	f := Finding{Kind: FoundNearEdge, Key: segment.WaitEdgeRTT}
	for i, a := range c.l.arms {
		if a.Column(segment.WaitEdgeRTT) == nil || private(a.Remotes.Main()) {
			continue
		}
		rtt := p50Of(a, segment.WaitEdgeRTT)
		f.Has[i] = rtt < int64(nearby)
		*[]*int64{&f.Before, &f.After}[i] = rtt
	}
	return f, f.Has != [2]bool{}
}

func private(remote string) bool {
	addr, err := netip.ParseAddr(remote)
	return err != nil || addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
}

// steadierBy is the factor from which a width counts as another one.
const steadierBy = 2

func (c *Comparison) steadier() (Finding, bool) {
	s := c.Steadiness
	lo, hi := min(s.Before, s.After), max(s.Before, s.After)
	f := Finding{Kind: FoundSteadiness, Key: segment.Total, Before: s.Before, After: s.After, Has: both}
	return f, s.Known && hi >= steadierBy*lo && hi-lo > c.Delta
}

func (c *Comparison) shareFindings() []Finding {
	var out []Finding
	for i := range c.Shares {
		if s := &c.Shares[i]; s.Significant() {
			out = append(out, Finding{Kind: FoundShare, Share: s, P: s.P, Has: both})
		}
	}
	return out
}

// runFindings are what makes the run itself doubtful.
func (c *Comparison) runFindings() []Finding {
	var out []Finding
	if c.Drift.Drifts() {
		trend := c.Drift.Trend()
		out = append(out, Finding{Kind: FoundDrift, Trend: &trend, P: trend.P, Has: both})
	}
	if c.Drift.OrderEffect.P < significance {
		out = append(out, Finding{Kind: FoundOrderEffect, P: c.Drift.OrderEffect.P, Has: both})
	}
	if c.Interleaved {
		return out
	}
	f := Finding{Kind: FoundCorrelated, N: [2]int{c.Before.N(), c.After.N()}, Value: c.Drift.Effective}
	f.Has = [2]bool{c.Drift.Correlated(0), c.Drift.Correlated(1)}
	if f.Has != [2]bool{} {
		out = append(out, f)
	}
	return out
}
