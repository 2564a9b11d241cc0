package provider

import (
	"fmt"
	"slices"
	"time"
)

// finish decides what needs the whole response: whose figures are history, who
// stands in front of whom, and what lies inside what.
func (d *draft) finish() {
	d.nameProviders()
	d.markStorage()
	d.markBehind()
	d.demoteInner()
	for i := range d.reading.Spans {
		d.reading.Spans[i].Parent = d.parent(i)
	}
	d.checkNesting()
	d.checkContradiction()
}

func (d *draft) nameProviders() {
	n := 0
	for _, f := range d.order {
		if f.provides() {
			n++
		}
	}
	if n == 0 {
		return
	}
	d.reading.Providers = make([]string, 0, n)
	for _, f := range d.order {
		if f.provides() {
			d.reading.Providers = append(d.reading.Providers, f.name)
		}
	}
}

// markStorage applies RFC 9111: a stored response is sent with the fields it
// was stored with, so what was written behind the cache is history. What the
// cache itself and the edges in front of it write is of this request.
func (d *draft) markStorage() {
	c := &d.reading.Cache
	c.Hit = c.Hit || c.Age > 0
	if !c.Hit {
		return
	}
	fresh := d.freshRank()
	for i := range d.reading.Spans {
		s := &d.reading.Spans[i]
		s.FromStorage = !d.notes[i].fresh && (s.Layer != LayerEdge || d.notes[i].rank > fresh)
	}
	for i := range d.reading.Places {
		p := &d.reading.Places[i]
		p.FromStorage = p.Role != Accepted
	}
}

// freshRank is the rank of the innermost provider known to write its fields
// after the cache.
func (d *draft) freshRank() int {
	fresh := d.frontEdge()
	for _, s := range d.reading.Cache.Signs {
		at := slices.IndexFunc(d.order, func(f *family) bool { return f.name == s.Provider })
		if s.State.Stored() && at >= 0 && d.order[at].layer == LayerEdge {
			return max(at, fresh)
		}
	}
	return fresh
}

// markBehind names the silent edge in front of spans that are not an edge's.
func (d *draft) markBehind() {
	front := d.frontEdge()
	if front < 0 {
		return
	}
	for i := range d.reading.Spans {
		s := &d.reading.Spans[i]
		if s.Layer != LayerNamed && d.notes[i].rank > front {
			s.Behind = d.order[front].name
		}
	}
	for i := range d.reading.Spans {
		if by := d.reading.Spans[i].Provider; by == d.order[front].name {
			d.clearBehind(by)
			return
		}
	}
}

// clearBehind: an edge that reports times is not silent.
func (d *draft) clearBehind(name string) {
	for i := range d.reading.Spans {
		if d.reading.Spans[i].Behind == name {
			d.reading.Spans[i].Behind = ""
		}
	}
}

// demoteInner turns a gateway's view into what it is for the edge in front of
// it: its upstream is the origin's side, its own wait is inside upstream. A
// gateway whose figure is larger than the outer upstream stands around it.
func (d *draft) demoteInner() {
	spans := d.reading.Spans
	for i := range spans {
		if spans[i].Layer != LayerGateway {
			continue
		}
		outer := d.outerUpstream(i)
		if outer < 0 {
			continue
		}
		around := spans[i].Lo > saturate(spans[outer].Hi, tolerance(&spans[i], &spans[outer]))
		switch spans[i].Role {
		case Upstream:
			spans[i].Role = UpstreamOrigin
			if around {
				spans[i].Role = Total
			}
		case PreForward, UpstreamNetwork:
			spans[i].Role = Aside
		case Total:
			if !around {
				spans[i].Role = Aside
			}
		}
	}
}

// outerUpstream is the first upstream somebody in front of span i reports.
func (d *draft) outerUpstream(i int) int {
	spans := d.reading.Spans
	for j := range spans[:i] {
		if spans[j].Role == Upstream && spans[j].Provider != spans[i].Provider {
			return j
		}
	}
	return -1
}

// containers are, innermost first, the roles that enclose a role.
var containers = [...][]Role{
	PreForward: {Total}, Upstream: {Total},
	UpstreamNetwork: {UpstreamOrigin, Upstream, Total}, UpstreamOrigin: {UpstreamOrigin, Upstream, Total},
	Aside: {UpstreamOrigin, Upstream, Total}, Total: {UpstreamOrigin, Upstream, Total},
	Function: nil,
}

// parent finds the span that encloses span i: the one its rule names, else the
// innermost one of an enclosing role by the same writer or one in front.
func (d *draft) parent(i int) int {
	for _, key := range d.notes[i].within {
		if j := d.sibling(i, key); j >= 0 {
			return j
		}
	}
	if d.reading.Spans[i].Layer == LayerEdge && d.reading.Spans[i].Role == Aside {
		return -1
	}
	for _, role := range containers[d.reading.Spans[i].Role] {
		if j := d.nearest(i, role); j >= 0 {
			return j
		}
	}
	return -1
}

func (d *draft) sibling(i int, key string) int {
	for j := range d.notes {
		if n := &d.notes[j]; j != i && n.rank == d.notes[i].rank && n.key == key {
			return j
		}
	}
	return -1
}

// nearest is the innermost span of a role that can enclose span i. Equal roles
// enclose each other only from the outside in.
func (d *draft) nearest(i int, role Role) int {
	me := &d.reading.Spans[i]
	found := -1
	for j := range d.reading.Spans {
		s := &d.reading.Spans[j]
		if s.Role != role || j == i {
			continue
		}
		outside := d.notes[j].rank < d.notes[i].rank
		if d.notes[j].rank == d.notes[i].rank || me.Layer == LayerNamed {
			outside = s.Role != me.Role && me.Role != Total && me.Role != Aside
		}
		if outside && canHold(s, me) && !d.beside(i, j) {
			found = j
		}
	}
	return found
}

// beside reports whether two spans are the two halves of upstream in one writer's words: its network
// lies beside its origin's work, while a network somebody further in reports lies inside it.
func (d *draft) beside(i, j int) bool {
	return d.notes[i].rank == d.notes[j].rank && d.reading.Spans[i].Role == UpstreamNetwork && d.reading.Spans[j].Role == UpstreamOrigin
}

// canHold keeps two figures from enclosing each other: what an edge measured
// holds what its author named, not the other way round, and a whole is never
// put inside something smaller.
func canHold(outer, inner *Span) bool {
	if outer.Layer == LayerNamed && inner.Layer == LayerEdge {
		return false
	}
	return inner.Role != Total || inner.Lo <= saturate(outer.Hi, tolerance(outer, inner))
}

// Tolerance is what two clocks and rounding can make a part exceed its whole
// by: 2 ms, and what rounding in the figures may hide.
func Tolerance(spans ...Span) time.Duration {
	t := clockTolerance
	for i := range spans {
		t = saturate(t, spans[i].Step)
	}
	return t
}

const clockTolerance = 2 * time.Millisecond

func tolerance(a, b *Span) time.Duration {
	return saturate(saturate(clockTolerance, a.Step), b.Step)
}

func (d *draft) checkNesting() {
	for i := range d.reading.Spans {
		s := &d.reading.Spans[i]
		if s.Parent < 0 || s.Bound == AtMost || s.FromStorage {
			continue
		}
		p := &d.reading.Spans[s.Parent]
		if s.Lo > saturate(p.Hi, tolerance(s, p)) {
			d.reading.warn(s.Source, fmt.Sprintf("%s is larger than %s (%s), which should contain it", s.Lo, p.Source, p.Hi))
		}
	}
}

// checkContradiction: an answer from storage needs no upstream.
func (d *draft) checkContradiction() {
	if s := d.reading.Cache.State; s != CacheHit {
		return
	}
	if i := d.reading.Best(Upstream); i >= 0 && d.reading.Spans[i].Lo > 0 && d.reading.Spans[i].Layer == LayerEdge {
		d.reading.warn(d.reading.Spans[i].Source, "an upstream time although the response came from a cache")
	}
}
