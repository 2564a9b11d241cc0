package provider

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// mappingName is the Provider of what a user mapped.
const mappingName = "mapping"

// roleSet is a set of roles.
type roleSet uint8

func (s roleSet) has(r Role) bool { return s>>r&1 != 0 }

// roles are those the mapping speaks for, which this project's own names then
// do not.
func (m Mapping) roles() roleSet {
	var all roleSet
	for _, t := range m.timings {
		all |= 1 << t.role
	}
	return all
}

// addTimings makes one span of each key the mapping names.
func (m Mapping) addTimings(d *draft) {
	if !m.Timed() {
		return
	}
	d.rank, d.family = 0, d.facts.book.mapped
	for _, role := range [...]Role{PreForward, Upstream, UpstreamNetwork, UpstreamOrigin} {
		m.addRole(d, role)
	}
}

// addRole adds up the sources of one key. A sum with a part missing is not the
// sum, so that it is left out; that all are missing needs no words.
func (m Mapping) addRole(d *draft, role Role) {
	var found []Span
	var missing []string
	fresh := true
	for _, t := range m.timings {
		if t.role != role {
			continue
		}
		s, ok := d.sourceSpan(t.source)
		if !ok {
			missing = append(missing, t.source.String())
			continue
		}
		found = append(found, s)
		fresh = fresh && d.edgeWrites(t.source)
	}
	if len(found) == 0 {
		return
	}
	if len(missing) > 0 {
		d.reading.warn(strings.Join(missing, ", "), fmt.Sprintf("missing here, so that the sum mapped to %s is not known", role))
		return
	}
	d.insertSpan(sumSpans(role, found), fresh)
}

// sumSpans adds figures that follow one another.
func sumSpans(role Role, parts []Span) Span {
	var lo, hi time.Duration
	bound := Exact
	doubt := ""
	for _, p := range parts {
		lo, hi = saturate(lo, p.Lo), saturate(hi, p.Hi)
		bound = looser(bound, p.Bound)
		if doubt == "" {
			doubt = p.Doubt
		}
	}
	s := combine(role, bound, lo, hi, parts...)
	s.Doubt = doubt
	return s
}

// looser is the bound of a sum of two figures, each exact, at least or between.
func looser(a, b Bound) Bound {
	if a == AtLeast || b == AtLeast {
		return AtLeast
	}
	return max(a, b)
}

// Present tells of each of Maps, then of each of PlaceTexts, whether a response
// has what it is read from. Arguments are as for Read.
func (m Mapping) Present(headers, trailers map[string][]string) []bool {
	if len(m.timings)+len(m.places) == 0 {
		return nil
	}
	f := &facts{}
	f.gather(headers, trailers, &Reading{})
	var out []bool
	for _, t := range m.timings {
		out = append(out, f.has(t.source))
	}
	for _, p := range m.places {
		out = append(out, f.has(p.source))
	}
	return out
}

func (f *facts) has(src source) bool {
	if src.metric != "" {
		return f.names(src.metric)
	}
	return slices.ContainsFunc(f.all(src.header), func(value string) bool {
		if src.sub == "" {
			return true
		}
		_, ok := subPart(value, src.sub)
		return ok
	})
}

// insertSpan puts a mapped span in front of the others, in the order added.
func (d *draft) insertSpan(s Span, fresh bool) {
	s.Provider, s.Layer, s.Parent = mappingName, LayerNamed, -1
	at := slices.IndexFunc(d.reading.Spans, func(o Span) bool { return o.Provider != mappingName })
	if at < 0 {
		at = len(d.reading.Spans)
	}
	d.reading.Spans = slices.Insert(d.reading.Spans, at, s)
	d.notes = slices.Insert(d.notes, at, spanNote{fresh: fresh})
}

// sourceSpan reads one source as a span without a role.
func (d *draft) sourceSpan(src source) (Span, bool) {
	var sum total
	trailer := false
	if src.metric != "" {
		for i := range d.facts.metrics {
			m := &d.facts.metrics[i]
			if m.Name != src.metric {
				continue
			}
			a, problem, ok := measureDur(m.Dur, src.unit)
			d.complain(src, problem)
			if !ok {
				continue
			}
			if a.doubt == "" && src.unit == time.Millisecond {
				a.doubt = gluedSeconds(m.Dur.Text)
			}
			sum.add(a)
			trailer = trailer || i >= d.facts.late
		}
	} else {
		for _, v := range d.facts.all(src.header) {
			for _, a := range d.headerAmounts(src, v) {
				sum.add(a)
			}
		}
		trailer = len(d.facts.headers[src.header]) == 0
	}
	return d.totalSpan(src, sum, trailer)
}

func (d *draft) totalSpan(src source, sum total, trailer bool) (Span, bool) {
	s := Span{Lo: sum.largest.d, Hi: sum.sum.d, Step: sum.sum.step, Metrics: sum.n,
		Source: src.String(), Text: sum.sum.text, Trailer: trailer, Doubt: sum.sum.doubt}
	if sum.n > 1 {
		s.Bound = Between
		d.reading.warn(src.String(), fmt.Sprintf("given %d times: between the largest and the sum", sum.n))
	}
	if sum.sum.least {
		s.Bound, s.Hi = AtLeast, NoLimit
	}
	return s, sum.n > 0
}

func (d *draft) complain(src source, problem string) {
	if problem != "" {
		d.reading.warn(src.String(), problem)
	}
}

// headerAmounts reads the figures of one value, or of the part of it.
func (d *draft) headerAmounts(src source, value string) []amount {
	if src.sub != "" {
		part, ok := subPart(value, src.sub)
		if !ok {
			return nil
		}
		value = part
	}
	all, problem := measureList(value, src.unit)
	d.complain(src, problem)
	return all
}

// measureList reads figures joined by commas or by nginx's " : ". Those in the
// form nginx writes are the servers it tried one after another, which add up
// (ngx_http_upstream_module, $upstream_response_time); others may be nested.
// nginx's "-" and HAProxy's -1 mean that it never happened (HAProxy
// configuration manual, 8.4): no amount and no problem. A "-" beside figures
// is a try that failed before it had one, so that the sum is a lower bound.
func measureList(value string, unit time.Duration) ([]amount, string) {
	var all []amount
	tries := unit == time.Second
	failed := false
	for _, text := range strings.Split(strings.ReplaceAll(value, " : ", ","), ",") {
		text = strings.TrimSpace(text)
		if text == "-" || text == "-1" {
			failed = true
			continue
		}
		a, problem := measure(text, unit)
		if problem != "" {
			return nil, fmt.Sprintf("%s: %q", problem, clip(value))
		}
		tries = tries && hasDecimals(text, 3)
		all = append(all, a)
	}
	if len(all) == 0 || !tries {
		return all, ""
	}
	return []amount{addTries(all, value, failed)}, ""
}

func addTries(all []amount, value string, failed bool) amount {
	sum := amount{text: clip(strings.TrimSpace(value)), least: failed}
	for _, a := range all {
		sum.d, sum.step = saturate(sum.d, a.d), saturate(sum.step, a.step)
	}
	return sum
}

// edgeWrites reports whether a recognised edge is known to write the source,
// which makes it this request's own even when the body came from storage.
func (d *draft) edgeWrites(src source) bool {
	for _, f := range d.order {
		if f.layer != LayerEdge {
			continue
		}
		for _, r := range f.rules {
			if r.time != nil && r.key() == src.key() {
				return true
			}
		}
	}
	return false
}

// replacePlaces puts the user's places in front of everything and drops the
// providers' places of the same roles, whether or not this response has one.
func (m Mapping) replacePlaces(d *draft) {
	if len(m.places) == 0 {
		return
	}
	var own []Place
	for _, e := range m.places {
		taken := slices.ContainsFunc(own, func(p Place) bool { return p.Role == e.role })
		if text, ok := d.placeText(e.source); ok && !taken {
			own = append(own, Place{Role: e.role, Code: clip(text), Scheme: SchemeUser, Provider: mappingName,
				Source: e.source.String(), Raw: clip(text)})
		}
	}
	for _, p := range d.reading.Places {
		if !slices.ContainsFunc(m.places, func(e placeEntry) bool { return e.role == p.Role }) {
			own = append(own, p)
		}
	}
	d.reading.Places = own
}

// placeText reads a place's source: the first value that gives any text.
func (d *draft) placeText(src source) (string, bool) {
	if src.metric != "" {
		for m := range d.facts.named(src.metric) {
			if desc := strings.TrimSpace(m.Desc); desc != "" {
				return desc, true
			}
		}
		return "", false
	}
	for _, v := range d.facts.all(src.header) {
		text, ok := v, true
		if src.sub != "" {
			text, ok = subPart(v, src.sub)
		}
		if text = strings.TrimSpace(text); ok && text != "" {
			return text, true
		}
	}
	return "", false
}
