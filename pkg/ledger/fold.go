package ledger

import (
	"slices"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// Fold says why rows of the two arms were joined before they were subtracted.
type Fold uint8

// The folds; several may apply at once.
const (
	FoldSetup     Fold = 1 << iota // connection rows of one arm only became setup
	FoldWait                       // one arm alone reports a part of wait: wait is compared whole
	FoldWaitBare                   // neither arm reports a part of wait but the edge round trip
	FoldEdgeRTT                    // edge_rtt moved: it is one row with upstream.network or upstream
	FoldEdgeBlind                  // one arm alone knows its edge round trip: it stays in unattributed
	FoldUpstream                   // one arm alone tells network and origin of upstream apart
	WithoutDNS                     // dns in one arm only: the verdict is on total without dns
)

var setupKeys = []segment.Key{segment.Race, segment.TCP, segment.Proxy, segment.TLS, segment.QUIC}

// plan decides the lines both arms are laid out along.
func plan(before, after *reading.Arm, delta int64) ([]summary.Line, Fold) {
	b := summary.Lines(before, stats.P50)
	a := summary.Lines(after, stats.P50)
	p := planner{before: before, after: after, b: keysOf(b), a: keysOf(a), delta: delta}
	p.dns()
	p.setup()
	p.add(segment.Send)
	p.wait()
	p.transfer()
	return p.lines, p.fold
}

func keysOf(lines []summary.Line) []segment.Key {
	keys := make([]segment.Key, len(lines))
	for i, l := range lines {
		keys[i] = l.Key
	}
	return keys
}

type planner struct {
	before, after *reading.Arm
	b, a          []segment.Key // the lines each arm would have alone
	delta         int64
	lines         []summary.Line
	fold          Fold
}

func (p *planner) either(k segment.Key) bool {
	return slices.Contains(p.b, k) || slices.Contains(p.a, k)
}
func (p *planner) both(k segment.Key) bool { return slices.Contains(p.b, k) && slices.Contains(p.a, k) }
func (p *planner) oneOnly(k segment.Key) bool {
	return slices.Contains(p.b, k) != slices.Contains(p.a, k)
}

// add appends a line when an arm has it.
func (p *planner) add(keys ...segment.Key) {
	for _, k := range keys {
		if p.either(k) {
			p.lines = append(p.lines, summary.Line{Key: k, Of: []segment.Key{k}})
		}
	}
}

func (p *planner) dns() {
	if p.oneOnly(segment.DNS) {
		p.fold |= WithoutDNS
		return
	}
	p.add(segment.DNS)
}

// setup folds the connection rows when one arm lacks a row the other has: a QUIC handshake against
// TCP and TLS is one handshake against two, and only their sums compare. race is no such row: an
// arm without one spent no time in it.
func (p *planner) setup() {
	for _, k := range setupKeys[1:] {
		if p.oneOnly(k) {
			p.fold |= FoldSetup
			p.lines = append(p.lines, summary.Line{Key: segment.Setup, Of: slices.Clone(setupKeys)})
			return
		}
	}
	p.add(setupKeys...)
}

// wait decides how far wait can be taken apart in both arms alike.
func (p *planner) wait() {
	b, a := coarse(p.b), coarse(p.a)
	switch {
	case !slices.Equal(b, a):
		p.fold |= FoldWait
		p.whole(segment.Wait)
		return
	case len(b) == 0:
		if p.either(segment.WaitEdgeRTT) {
			p.fold |= FoldWaitBare
		}
		p.whole(segment.Wait)
		return
	}
	upstream := p.upstream(b)
	switch {
	case p.oneOnly(segment.WaitEdgeRTT):
		p.fold |= FoldEdgeBlind
		p.add(segment.WaitPreForward)
		p.addLines(upstream)
	case p.edgeMoved() && len(upstream) > 0:
		p.fold |= FoldEdgeRTT
		p.add(segment.WaitPreForward)
		upstream[0].Of = append([]segment.Key{segment.WaitEdgeRTT}, upstream[0].Of...)
		p.addLines(upstream)
	default:
		p.add(segment.WaitEdgeRTT, segment.WaitPreForward)
		p.addLines(upstream)
	}
	p.lines = append(p.lines, summary.Line{Key: segment.WaitUnattributed, Of: []segment.Key{segment.WaitUnattributed}})
}

func (p *planner) whole(k segment.Key) {
	p.lines = append(p.lines, summary.Line{Key: k, Of: []segment.Key{k}})
}

func (p *planner) addLines(lines []summary.Line) { p.lines = append(p.lines, lines...) }

// coarse lists the parts of wait an arm reports, upstream's parts counting as upstream.
func coarse(keys []segment.Key) []segment.Key {
	var out []segment.Key
	if slices.Contains(keys, segment.WaitPreForward) {
		out = append(out, segment.WaitPreForward)
	}
	if slices.Contains(keys, segment.WaitUpstream) || slices.Contains(keys, segment.WaitUpstreamNetwork) {
		out = append(out, segment.WaitUpstream)
	}
	return out
}

// upstream is upstream in as many rows as both arms tell apart.
func (p *planner) upstream(reported []segment.Key) []summary.Line {
	switch {
	case !slices.Contains(reported, segment.WaitUpstream):
		return nil
	case p.both(segment.WaitUpstreamNetwork):
		return []summary.Line{
			{Key: segment.WaitUpstreamNetwork, Of: []segment.Key{segment.WaitUpstreamNetwork}},
			{Key: segment.WaitUpstreamOrigin, Of: []segment.Key{segment.WaitUpstreamOrigin}},
		}
	}
	if p.either(segment.WaitUpstreamNetwork) {
		p.fold |= FoldUpstream
	}
	return []summary.Line{{Key: segment.WaitUpstream, Of: []segment.Key{segment.WaitUpstream}}}
}

// edgeMoved reports whether the edge round trip differs by more than what anybody notices: then the
// edges stand in different places, and what one arm spends before the edge the other spends behind it.
func (p *planner) edgeMoved() bool {
	if !p.both(segment.WaitEdgeRTT) {
		return false
	}
	d := median(p.after, segment.WaitEdgeRTT) - median(p.before, segment.WaitEdgeRTT)
	return max(d, -d) > p.delta
}

func median(a *reading.Arm, k segment.Key) int64 {
	return stats.QuantileOf(stats.Sorted(a.Column(k).Present()), stats.P50).Value
}

func (p *planner) transfer() {
	if p.both(segment.TransferBeforeText) {
		p.add(segment.TransferBeforeText, segment.TransferText)
		return
	}
	if p.either(segment.TransferBeforeText) || p.either(segment.Transfer) {
		p.whole(segment.Transfer)
	}
}
