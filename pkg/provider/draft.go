package provider

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// draft is a reading under construction.
type draft struct {
	reading Reading
	facts   facts
	order   []*family // recognised, outermost first
	rank    int       // index in order of the family being applied
	family  *family
	mapped  roleSet    // roles that this project's own names do not speak for
	notes   []spanNote // one for each span
	roomFor struct {
		order [8]*family
		notes [8]spanNote
	}
}

// fewSpans is how many spans most responses have at most.
const fewSpans = 4

// spanNote remembers where a span came from until its parent is known.
type spanNote struct {
	rank   int
	key    string // the header's or metric's name
	within []string
	fresh  bool // written by an edge, whatever its layer here
}

// apply reads everything one family says.
func (d *draft) apply(rank int, times bool) {
	d.rank, d.family = rank, d.order[rank]
	for i := range d.family.rules {
		r := &d.family.rules[i]
		if !d.facts.there.has(r.id) || d.speaksFor(r) || r.when != nil && !r.when(&d.facts) {
			continue
		}
		if r.header != "" {
			d.applyHeader(r, times)
		} else {
			d.applyMetric(r, times)
		}
	}
	if times && d.family.derive != nil {
		d.family.derive(d)
	}
}

// speaksFor reports whether the mapping says what one of this project's own
// names would.
func (d *draft) speaksFor(r *rule) bool {
	return d.rank == 0 && r.time != nil && d.mapped.has(r.time.role)
}

func (d *draft) applyHeader(r *rule, times bool) {
	values := d.facts.values(r.header)
	for _, v := range values {
		d.applyText(r, v)
	}
	if r.time == nil || !times {
		return
	}
	var sum total
	for _, v := range values {
		if r.time.accept != nil && !r.time.accept(v) {
			continue
		}
		a, problem := measure(v, r.time.unit)
		if problem != "" {
			d.reading.warn(r.header, fmt.Sprintf("%s: %q", problem, clip(v)))
			continue
		}
		sum.add(a)
	}
	d.addTotal(r, sum, false)
}

// takeDur adds one metric's figure to a rule's sum, or warns why not.
func (d *draft) takeDur(r *rule, m *servertiming.Metric, sum *total) {
	a, problem, ok := measureDur(m.Dur, r.time.unit)
	if problem != "" {
		d.reading.warn(r.name(), problem)
	}
	if !ok || (r.time.accept != nil && !r.time.accept(m.Dur.Text)) {
		return
	}
	if a.doubt == "" && r.time.doubt != nil {
		a.doubt = r.time.doubt(m.Dur.Text)
	}
	sum.add(a)
}

func (d *draft) applyMetric(r *rule, times bool) {
	var sum total
	trailer := false
	for i := range d.facts.metrics {
		m := &d.facts.metrics[i]
		if m.Name != r.metric {
			continue
		}
		if m.Described {
			d.applyText(r, m.Desc)
		} else if r.cache != nil {
			d.applyText(r, r.metric)
		}
		if r.time != nil && times {
			d.takeDur(r, m, &sum)
			trailer = trailer || i >= d.facts.late
		}
	}
	if r.time != nil {
		d.addTotal(r, sum, trailer)
	}
}

// applyText reads what is no time: places, cache states, the peer.
func (d *draft) applyText(r *rule, value string) {
	if r.cache != nil && d.reading.room(r.name(), len(d.reading.Cache.Signs)) {
		d.reading.Cache.add(CacheSign{State: r.cache(value), Provider: d.family.name, Source: r.name(), Raw: clip(value)})
	}
	if r.peer != nil {
		if p, ok := r.peer(value); ok && d.reading.room(r.name(), len(d.reading.Peers)) {
			p.Provider, p.Source, p.Evidence = d.family.name, r.name(), r.evidence
			d.reading.Peers = append(d.reading.Peers, p)
		}
	}
	if r.places != nil {
		for _, s := range r.places(value) {
			d.addPlace(r, s, value)
		}
	}
}

func (d *draft) addPlace(r *rule, s site, raw string) {
	p := Place{
		Role: s.role, Code: clip(s.code), Scheme: s.scheme, Provider: d.family.name,
		Source: r.name(), Raw: clip(raw), Evidence: r.evidence,
	}
	if d.rank > 0 && d.family.layer != LayerNamed && d.frontEdge() >= 0 && d.frontEdge() < d.rank && p.Role == Accepted {
		p.Behind = d.order[d.frontEdge()].name
		p.Role = Tier
		if d.family.secondEdge != Accepted {
			p.Role = d.family.secondEdge
		}
	}
	if !slices.Contains(d.reading.Places, p) && d.reading.room(r.name(), len(d.reading.Places)) {
		d.reading.Places = append(d.reading.Places, p)
	}
}

// frontEdge is the rank of the edge that answered the client, -1 if none of
// the recognised providers is one.
func (d *draft) frontEdge() int {
	return slices.IndexFunc(d.order, func(f *family) bool { return f.layer == LayerEdge })
}

// addTotal turns the figures of one rule into a span. One name given several
// times may be nested or consecutive, so that an exact figure becomes an
// interval.
func (d *draft) addTotal(r *rule, t total, trailer bool) {
	if t.n == 0 {
		return
	}
	s := Span{
		Role: r.time.role, Bound: r.time.bound, Lo: t.largest.d, Hi: t.sum.d, Step: t.sum.step, Metrics: t.n,
		Source: r.name(), Text: t.sum.text, Evidence: r.evidence, Trailer: trailer, Doubt: t.sum.doubt,
	}
	if t.n > 1 && s.Bound == Exact {
		s.Bound = Between
		d.reading.warn(r.name(), fmt.Sprintf("given %d times: between the largest and the sum", t.n))
	}
	d.addSpan(s, r.key(), r.time.within)
}

func (r *rule) key() string {
	if r.header != "" {
		return r.header
	}
	return r.metric
}

func (d *draft) addSpan(s Span, key string, within []string) {
	s.Provider, s.Layer, s.Parent = d.family.name, d.family.layer, -1
	switch s.Bound {
	case AtMost:
		s.Lo = 0
	case AtLeast:
		s.Hi = NoLimit
	}
	if d.notes == nil {
		d.reading.Spans, d.notes = make([]Span, 0, fewSpans), d.roomFor.notes[:0]
	}
	d.reading.Spans = append(d.reading.Spans, s)
	d.notes = append(d.notes, spanNote{rank: d.rank, key: key, within: within})
}

// figure returns the span the current family's rule key gave, if exact.
func (d *draft) figure(key string) (Span, bool) {
	for i, n := range d.notes {
		if n.rank == d.rank && n.key == key {
			return d.reading.Spans[i], d.reading.Spans[i].Doubt == ""
		}
	}
	return Span{}, false
}

// combine makes a span out of figures, named after all of them.
func combine(role Role, bound Bound, lo, hi time.Duration, parts ...Span) Span {
	s := Span{Role: role, Bound: bound, Lo: max(lo, 0), Hi: max(hi, 0)}
	var names, texts []string
	for _, p := range parts {
		s.Step += p.Step
		s.Metrics += p.Metrics
		s.Evidence = max(s.Evidence, p.Evidence)
		s.Trailer = s.Trailer || p.Trailer
		names, texts = append(names, p.Source), append(texts, p.Text)
	}
	s.Source, s.Text = strings.Join(names, " + "), clip(strings.Join(texts, ", "))
	return s
}

// metricDesc returns the description of the first metric of that name.
func (d *draft) metricDesc(name string) string {
	for m := range d.facts.named(name) {
		return m.Desc
	}
	return ""
}

// doubt marks the current family's span of that key.
func (d *draft) doubt(key, why string) {
	for i, n := range d.notes {
		if n.rank == d.rank && n.key == key && d.reading.Spans[i].Doubt == "" {
			d.reading.Spans[i].Doubt = why
		}
	}
}
