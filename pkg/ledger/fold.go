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
	FoldSetup    Fold = 1 << iota // connection rows of one arm only became setup
	FoldWait                      // one arm alone reports a part of wait: wait is compared whole
	FoldWaitBare                  // neither arm reports a part of wait but the edge round trip
	FoldEdgeRTT                   // edge_rtt moved: it is one row with upstream.network or upstream
	FoldEdgeOpen                  // edge_rtt is known of one arm only, or copied from tcp: it stays in unattributed
	FoldUpstream                  // one arm alone tells network and origin of upstream apart
	FoldTransfer                  // one arm alone is a stream: transfer is compared whole
	WithoutDNS                    // dns in one arm only: the verdict is on total without dns
)

var (
	setupKeys    = []segment.Key{segment.Race, segment.TCP, segment.Proxy, segment.TLS, segment.QUIC}
	upstreamKeys = []segment.Key{segment.WaitUpstream, segment.WaitUpstreamNetwork, segment.WaitUpstreamOrigin}
	waitKeys     = []segment.Key{segment.Wait, segment.WaitEdgeRTT, segment.WaitPreForward, segment.WaitUpstream,
		segment.WaitUpstreamNetwork, segment.WaitUpstreamOrigin, segment.WaitUnattributed}
	transferKeys = []segment.Key{segment.Transfer, segment.TransferBeforeText, segment.TransferText}
)

// plan decides the rows of the ledger: what each is called and which leaves of the arms it adds up.
// Every leaf of an arm is in just one row, but dns when one arm alone has it.
func plan(before, after *reading.Arm, delta int64, at stats.Percentile) *planner {
	p := &planner{before: before, after: after, delta: delta}
	p.own = [2][]segment.Key{keysOf(summary.Lines(before, at)), keysOf(summary.Lines(after, at))}
	p.dns()
	p.setup()
	p.each(segment.Send)
	p.wait()
	p.transfer()
	return p
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
	own           [2][]segment.Key // the leaves each arm has
	delta         int64
	rows          []summary.Line
	fold          Fold
}

func (p *planner) has(arm int, k segment.Key) bool { return slices.Contains(p.own[arm], k) }
func (p *planner) either(k segment.Key) bool       { return p.has(0, k) || p.has(1, k) }
func (p *planner) both(k segment.Key) bool         { return p.has(0, k) && p.has(1, k) }
func (p *planner) oneOnly(k segment.Key) bool      { return p.has(0, k) != p.has(1, k) }

// each appends a row for every key that an arm has.
func (p *planner) each(keys ...segment.Key) {
	for _, k := range keys {
		p.row(k, k)
	}
}

// row appends one row that adds up those of the keys that an arm has; none without any.
func (p *planner) row(name segment.Key, of ...segment.Key) {
	of = slices.DeleteFunc(slices.Clone(of), func(k segment.Key) bool { return !p.either(k) })
	if len(of) > 0 {
		p.rows = append(p.rows, summary.Line{Key: name, Of: of})
	}
}

func (p *planner) dns() {
	if p.oneOnly(segment.DNS) {
		p.fold |= WithoutDNS
		return
	}
	p.each(segment.DNS)
}

// setup folds the connection rows when one arm lacks a row the other has: a QUIC handshake against
// TCP and TLS is one handshake against two, and only their sums compare. race is no such row: an
// arm without one spent no time in it.
func (p *planner) setup() {
	if slices.ContainsFunc(setupKeys[1:], p.oneOnly) {
		p.fold |= FoldSetup
		p.row(segment.Setup, setupKeys...)
		return
	}
	p.each(setupKeys...)
}

// wait decides how far wait can be taken apart in both arms alike.
func (p *planner) wait() {
	reported := p.reported(0)
	switch {
	case reported != p.reported(1):
		p.fold |= FoldWait
		p.row(segment.Wait, waitKeys...)
	case reported == 0:
		if p.either(segment.WaitEdgeRTT) {
			p.fold |= FoldWaitBare
		}
		p.row(segment.Wait, waitKeys...)
	default:
		p.waitParts()
	}
}

// reported tells which parts of wait an arm reports, upstream's parts counting as upstream.
func (p *planner) reported(arm int) (parts uint8) {
	if p.has(arm, segment.WaitPreForward) {
		parts |= 1
	}
	if slices.ContainsFunc(upstreamKeys, func(k segment.Key) bool { return p.has(arm, k) }) {
		parts |= 2
	}
	return parts
}

// waitParts lays out the parts of wait that both arms report. An edge round trip that one arm alone
// knows, or that was only copied from the tcp row and would count that row twice, is left where it
// is when nothing is known of it: in unattributed. When it moved, what one arm spends
// before the edge the other may spend behind it: one row.
func (p *planner) waitParts() {
	open := []segment.Key{segment.WaitUnattributed}
	upstream := p.upstream()
	switch {
	case p.edgeMoved() && len(upstream) > 0:
		p.fold |= FoldEdgeRTT
		upstream[0].Of = append([]segment.Key{segment.WaitEdgeRTT}, upstream[0].Of...)
	case p.oneOnly(segment.WaitEdgeRTT) || p.edgeCopied():
		p.fold |= FoldEdgeOpen
		open = append(open, segment.WaitEdgeRTT)
	default:
		p.each(segment.WaitEdgeRTT)
	}
	p.each(segment.WaitPreForward)
	for _, l := range upstream {
		p.row(l.Key, l.Of...)
	}
	p.row(segment.WaitUnattributed, open...)
}

// upstream is upstream in as many rows as both arms tell apart.
func (p *planner) upstream() []summary.Line {
	network, origin := segment.WaitUpstreamNetwork, segment.WaitUpstreamOrigin
	switch {
	case p.reported(0)&2 == 0:
		return nil
	case p.both(network):
		return []summary.Line{{Key: network, Of: []segment.Key{network}}, {Key: origin, Of: []segment.Key{origin}}}
	case p.either(network):
		p.fold |= FoldUpstream
	}
	return []summary.Line{{Key: segment.WaitUpstream, Of: upstreamKeys}}
}

// edgeMoved reports whether the edge round trip differs by more than what anybody notices.
func (p *planner) edgeMoved() bool {
	if !p.both(segment.WaitEdgeRTT) {
		return false
	}
	d := median(p.after, segment.WaitEdgeRTT) - median(p.before, segment.WaitEdgeRTT)
	return max(d, -d) > p.delta
}

// copiedFromTCP is the source reading names when nothing but the tcp segment told the round trip.
const copiedFromTCP = "tcp"

func (p *planner) edgeCopied() bool {
	return p.before.EdgeRTTSource.Main() == copiedFromTCP || p.after.EdgeRTTSource.Main() == copiedFromTCP
}

func median(a *reading.Arm, k segment.Key) int64 {
	return stats.QuantileOf(sortedOf(a.Column(k)), stats.P50).Value
}

func (p *planner) transfer() {
	if p.both(segment.TransferBeforeText) {
		p.each(segment.TransferBeforeText, segment.TransferText)
		return
	}
	if p.either(segment.TransferBeforeText) {
		p.fold |= FoldTransfer
	}
	p.row(segment.Transfer, transferKeys...)
}
