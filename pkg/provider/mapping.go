package provider

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Mapping is what a user says about headers and metrics of their own. The zero
// value says nothing and leaves everything to the providers' rules. A Mapping
// may be copied; it must not be added to while it reads.
type Mapping struct {
	timings []timingEntry
	places  []placeEntry
}

// timingEntry is one KEY=SOURCE.
type timingEntry struct {
	role   Role
	source source
	text   string // as the user wrote it
}

type placeEntry struct {
	role   PlaceRole
	source source
	text   string
}

// source is a Server-Timing metric, or a header or a part of one.
type source struct {
	metric string
	header string // lower case
	sub    string
	unit   time.Duration
}

func (s source) String() string {
	switch {
	case s.metric != "":
		return metricSource(s.metric)
	case s.sub != "":
		return s.header + "#" + s.sub
	}
	return s.header
}

// key is how the rules name the same thing.
func (s source) key() string {
	if s.metric != "" {
		return s.metric
	}
	return s.header
}

var mapKeys = map[string]Role{
	"pre_forward": PreForward, "upstream": Upstream,
	"upstream.network": UpstreamNetwork, "upstream.origin": UpstreamOrigin, "origin": UpstreamOrigin,
}

// ParseMapping reads --map and --place texts, as Map and Place do.
func ParseMapping(maps, places []string) (Mapping, error) {
	var m Mapping
	for _, text := range maps {
		if err := m.Map(text); err != nil {
			return Mapping{}, err
		}
	}
	for _, text := range places {
		if err := m.Place(text); err != nil {
			return Mapping{}, err
		}
	}
	return m, nil
}

// Map adds one --map text: KEY=METRIC, KEY=header:NAME or
// KEY=header:NAME#SUB, each with an optional unit @ms, @s or @us, or the name
// of a preset. KEY is pre_forward, upstream, upstream.network, upstream.origin
// or its short form origin, with or without "wait." in front. A KEY given
// again adds up; two figures of which one is known to contain the other are
// refused. A part SUB of a value is a JSON path, a NAME=VALUE or NAME: VALUE,
// the dur of a metric NAME, or the number of an element, -1 for the last. A
// unit written in the value itself ("12.5ms") wins over the one given. Errors
// quote what was written and say what was expected.
func (m *Mapping) Map(text string) error {
	key, rest, assigned := strings.Cut(text, "=")
	if !assigned {
		return m.addPreset(text)
	}
	role, known := mapKeys[strings.TrimPrefix(strings.TrimSpace(key), "wait.")]
	if !known {
		return fmt.Errorf("map %q: unknown key %q: expected pre_forward, upstream, upstream.network or upstream.origin", text, key)
	}
	src, err := parseSource(strings.TrimSpace(rest))
	if err != nil {
		return fmt.Errorf("map %q: %w", text, err)
	}
	for _, t := range m.timings {
		if err := addable(t, role, src); err != nil {
			return fmt.Errorf("map %q: %w", text, err)
		}
	}
	m.timings = append(slices.Clip(m.timings), timingEntry{role, src, text})
	return nil
}

// addable refuses to add a figure to itself or to one that contains it.
func addable(t timingEntry, role Role, src source) error {
	if t.role != role {
		return nil
	}
	if t.source == src {
		return fmt.Errorf("%s was given already; a key given twice adds up", src)
	}
	if inner, outer, ok := nested(t.source.key(), src.key()); ok {
		return fmt.Errorf("%s lies inside %s: adding them would count it twice; keep one", inner, outer)
	}
	return nil
}

// Place adds one --place text: ROLE=header:NAME, ROLE=header:NAME#SUB or
// ROLE=METRIC, whose description is the place. ROLE is accepted, tier, compute
// or state. A ROLE given again is asked when the first gives nothing. Errors
// quote what was written and say what was expected.
func (m *Mapping) Place(text string) error {
	name, rest, assigned := strings.Cut(text, "=")
	role := slices.Index(placeNames[:], strings.TrimSpace(name))
	if !assigned || role < 0 {
		return fmt.Errorf("place %q: expected ROLE=header:NAME with ROLE accepted, tier, compute or state", text)
	}
	src, err := parseSource(strings.TrimSpace(rest))
	if err != nil {
		return fmt.Errorf("place %q: %w", text, err)
	}
	if strings.Contains(rest, "@") {
		return fmt.Errorf("place %q: a place has no unit", text)
	}
	m.places = append(slices.Clip(m.places), placeEntry{PlaceRole(role), src, text})
	return nil
}

// parseSource reads what stands right of the "=".
func parseSource(text string) (source, error) {
	body, unit, err := cutUnit(text)
	if err != nil {
		return source{}, err
	}
	rest, isHeader := strings.CutPrefix(body, "header:")
	if !isHeader {
		if !isToken(body) {
			return source{}, fmt.Errorf("bad metric name %q: expected METRIC or header:NAME[#SUB]", body)
		}
		return source{metric: body, unit: unit}, nil
	}
	name, sub, hasSub := strings.Cut(rest, "#")
	if !isToken(name) || (hasSub && sub == "") {
		return source{}, fmt.Errorf("bad header %q: expected header:NAME or header:NAME#SUB", rest)
	}
	if strings.EqualFold(name, "server-timing") {
		return source{}, fmt.Errorf("header %q holds metrics: expected a metric's name alone", name)
	}
	return source{header: strings.ToLower(name), sub: sub, unit: unit}, nil
}

// cutUnit takes the unit off the end; "@" is in no token.
func cutUnit(text string) (string, time.Duration, error) {
	body, unit, given := strings.Cut(text, "@")
	if !given {
		return text, time.Millisecond, nil
	}
	switch unit {
	case "ms":
		return body, time.Millisecond, nil
	case "s":
		return body, time.Second, nil
	case "us":
		return body, time.Microsecond, nil
	}
	return "", 0, fmt.Errorf("unknown unit %q: expected @ms, @s or @us", unit)
}

func isToken(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	}) < 0
}

// Headers returns the lower-case names of the headers m reads, sorted, without
// duplicates: whoever stores responses keeps these beside the function Headers.
func (m Mapping) Headers() []string {
	var names []string
	for _, t := range m.timings {
		names = append(names, t.source.header)
	}
	for _, p := range m.places {
		names = append(names, p.source.header)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == "" })
}

// Maps returns the --map texts m was made of, presets resolved, in order.
func (m Mapping) Maps() []string {
	var out []string
	for _, t := range m.timings {
		out = append(out, t.text)
	}
	return out
}

// PlaceTexts returns the --place texts m was made of, in order.
func (m Mapping) PlaceTexts() []string {
	var out []string
	for _, p := range m.places {
		out = append(out, p.text)
	}
	return out
}

// Timed reports whether m maps any time, which turns the providers' timing
// rules off.
func (m Mapping) Timed() bool { return len(m.timings) > 0 }

// Or returns m with other's timings where m has none, and other's places where
// m has none.
func (m Mapping) Or(other Mapping) Mapping {
	if len(m.timings) == 0 {
		m.timings = other.timings
	}
	if len(m.places) == 0 {
		m.places = other.places
	}
	return m
}

// nested tells which of two figures of one provider lies inside the other.
func nested(a, b string) (inner, outer string, ok bool) {
	for _, f := range book().families {
		if f.holds(b, a) {
			return a, b, true
		}
		if f.holds(a, b) {
			return b, a, true
		}
	}
	return "", "", false
}

// holds reports whether outer contains inner by the family's rules.
func (f *family) holds(outer, inner string) bool {
	for i := range f.rules {
		r := &f.rules[i]
		if r.key() != inner || r.time == nil {
			continue
		}
		for _, w := range r.time.within {
			if w == outer || f.holds(outer, w) {
				return true
			}
		}
	}
	return false
}
