package reading

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// The leaves a response may report, in the order of segment's keys.
const (
	preForward = iota
	upstream
	network
	origin
	numLeaves
)

var leaves = [numLeaves]struct {
	key  segment.Key
	role provider.Role
}{
	preForward: {segment.WaitPreForward, provider.PreForward},
	upstream:   {segment.WaitUpstream, provider.Upstream},
	network:    {segment.WaitUpstreamNetwork, provider.UpstreamNetwork},
	origin:     {segment.WaitUpstreamOrigin, provider.UpstreamOrigin},
}

// told is what one response's fields say, before it is held against times.
type told struct {
	leaf   [numLeaves]*provider.Span // exact statements without a doubt, nil where there is none
	total  *provider.Span            // everything behind whoever reports it
	limits []*provider.Span          // what only bounds a part, or lies beside the cut
	doubts []Doubt                   // what is wrong whatever the times are
	places []Place                   // N is 1
	has    []bool                    // which texts of the user's mapping the response has
	peer   time.Duration             // the edge's least round trip to its peer, 0 when not told
}

// first is the outermost place of a role, nil when none is named.
func (t *told) first(role provider.PlaceRole) *Place {
	for i := range t.places {
		if t.places[i].Role == role {
			return &t.places[i]
		}
	}
	return nil
}

// tell keeps of a reading what can be used and says why the rest cannot.
func tell(r provider.Reading) *told {
	t := &told{}
	for i, l := range leaves {
		if best := r.Best(l.role); best >= 0 && r.Spans[best].Bound == provider.Exact {
			t.leaf[i] = &r.Spans[best]
		}
	}
	t.dropNested(r)
	t.dropLone()
	for i := range r.Spans {
		t.sort(&r.Spans[i])
	}
	for _, w := range r.Warnings {
		t.doubts = append(t.doubts, Doubt{Kind: Warned, Source: w.Source, Text: w.Text})
	}
	t.places = placesOf(r)
	if len(r.Peers) > 0 {
		t.peer = r.Peers[0].MinRTT
	}
	return t
}

// dropNested takes out a pre-forward wait that somebody counts inside upstream: adding both would
// count it twice.
func (t *told) dropNested(r provider.Reading) {
	pre, up := r.Best(provider.PreForward), r.Best(provider.Upstream)
	if t.leaf[preForward] == nil || up < 0 || !r.Inside(pre, up) {
		return
	}
	t.doubts = append(t.doubts, doubtOf(Nested, segment.WaitPreForward, t.leaf[preForward], &r.Spans[up]))
	t.leaf[preForward] = nil
}

// dropLone takes out a part of upstream when nobody reports upstream itself or its other part: a row
// needs the row it is part of, and what is missing of that is no zero. The figure is told beside the
// table instead.
func (t *told) dropLone() {
	if t.leaf[upstream] != nil || (t.leaf[network] == nil) == (t.leaf[origin] == nil) {
		return
	}
	t.leaf[network], t.leaf[origin] = nil, nil
}

// sort files a span that is no leaf under what it is good for.
func (t *told) sort(s *provider.Span) {
	key, part := keyOf(s.Role)
	switch {
	case s.Role == provider.Aside:
	case s.FromStorage:
		t.doubts = append(t.doubts, doubtOf(Stored, key, s, nil))
	case s.Doubt != "":
		d := doubtOf(Questioned, key, s, nil)
		d.Text = s.Doubt
		t.doubts = append(t.doubts, d)
	case s.Role == provider.Total && s.Bound == provider.Exact && t.total == nil:
		t.total = s
		t.limits = append(t.limits, s)
	case part && t.leafOf(key) == nil, s.Role == provider.Function, s.Role == provider.Total:
		t.limits = append(t.limits, s)
	case part && t.leafOf(key) == s && s.Behind != "":
		d := doubtOf(Inner, key, s, nil)
		d.Other, d.Used = s.Behind, true
		t.doubts = append(t.doubts, d)
	}
}

func (t *told) leafOf(k segment.Key) *provider.Span {
	for i, l := range leaves {
		if l.key == k {
			return t.leaf[i]
		}
	}
	return nil
}

// keyOf is the part of wait a role speaks of, false for one that is none.
func keyOf(r provider.Role) (segment.Key, bool) {
	for _, l := range leaves {
		if l.role == r {
			return l.key, true
		}
	}
	return segment.Wait, false
}

// cut takes one wait apart by what was told, and says what does not fit.
type cut struct {
	told   *told
	wait   time.Duration
	stated *[numLeaves]bool
	parts  *Parts
	use    [numLeaves]*provider.Span
	length [numLeaves]time.Duration
}

// run checks the figures against the wait, then against each other, and stores what holds.
func (c *cut) run() {
	for i, s := range c.told.leaf {
		if s != nil && c.fits(i, s) {
			c.use[i], c.length[i] = s, s.Lo
		}
	}
	if s := c.told.total; s != nil && s.Lo > c.wait+provider.Tolerance(*s) {
		c.doubt(TooLong, segment.Wait, s, nil)
	}
	c.children()
	c.sum()
	for i, s := range c.use {
		if s != nil {
			c.parts.set(leaves[i].key, c.length[i])
		}
	}
	c.overlap()
}

// fits holds one figure against the wait it should be part of.
func (c *cut) fits(i int, s *provider.Span) bool {
	if s.Lo > c.wait+provider.Tolerance(*s) {
		c.doubt(TooLong, leaves[i].key, s, nil)
		return false
	}
	if !c.stated[i] && looksLikeSeconds(s, c.wait) {
		c.doubt(Seconds, leaves[i].key, s, nil)
	}
	return true
}

// children makes network and origin add up to upstream: of a whole and one part the other part is
// the remainder, and two parts make the whole.
func (c *cut) children() {
	up, net, org := c.use[upstream], c.use[network], c.use[origin]
	switch {
	case up == nil && net != nil && org != nil:
		c.whole(net, org)
	case up == nil:
		c.use[network], c.use[origin] = nil, nil // upstream was not used, and a part alone is no row
	case up != nil && org != nil:
		c.remainder(origin, network)
		if c.use[network] != nil && net != nil && (c.length[network]-net.Lo).Abs() > provider.Tolerance(*up, *org, *net) {
			c.doubt(Apart, segment.WaitUpstreamNetwork, net, up)
		}
	case up != nil && net != nil:
		c.remainder(network, origin)
	}
}

// whole makes upstream of its two parts, unless they exceed the wait together.
func (c *cut) whole(net, org *provider.Span) {
	if net.Lo+org.Lo > c.wait+provider.Tolerance(*net, *org) {
		c.doubt(SumTooLong, segment.WaitUpstream, net, org)
		c.use[network], c.use[origin] = nil, nil
		return
	}
	c.use[upstream], c.length[upstream] = net, net.Lo+org.Lo
}

// remainder gives the other part what given leaves of upstream. A part that exceeds the whole by no
// more than rounding is the whole; by more, the figures contradict each other and upstream stays
// undivided.
func (c *cut) remainder(given, other int) {
	up, part := c.use[upstream], c.use[given]
	rest := up.Lo - part.Lo
	if rest < -provider.Tolerance(*up, *part) {
		c.doubt(PartTooLong, leaves[given].key, part, up)
		c.use[given], c.use[other] = nil, nil
		return
	}
	if rest < 0 {
		c.doubt(Rounded, leaves[given].key, part, up)
		c.length[given], rest = up.Lo, 0
	}
	c.use[other], c.length[other] = part, rest
}

// sum holds what the response reports as a whole against the wait.
func (c *cut) sum() {
	pre, up := c.use[preForward], c.use[upstream]
	if pre == nil || up == nil {
		return
	}
	if sum := c.length[preForward] + c.length[upstream]; sum > c.wait+provider.Tolerance(*pre, *up) {
		c.doubt(SumTooLong, segment.Wait, pre, up)
		c.use = [numLeaves]*provider.Span{}
	}
}

// overlap notes when what is reported and the round trip to the edge are together longer than the
// wait by more than clocks explain; the residual then shows it.
func (c *cut) overlap() {
	edge, ok := c.parts.Get(segment.WaitEdgeRTT)
	sum, tolerance, first := edge, provider.Tolerance(), (*provider.Span)(nil)
	for _, i := range []int{preForward, upstream} {
		if s := c.use[i]; s != nil {
			sum, tolerance = sum+c.length[i], tolerance+s.Step
			if first == nil {
				first = s
			}
		}
	}
	c.parts.tolerance = tolerance
	if ok && first != nil && sum > c.wait+tolerance {
		c.doubt(Overlap, segment.WaitEdgeRTT, first, nil)
	}
}

func (c *cut) doubt(kind DoubtKind, k segment.Key, s, other *provider.Span) {
	if c.parts.numDoubts < len(c.parts.doubts) {
		c.parts.doubts[c.parts.numDoubts] = rowDoubt{kind, k, s, other, c.wait}
		c.parts.numDoubts++
	}
}
