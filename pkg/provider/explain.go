package provider

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// MaxExplanations is how many explanations of one response Explain gives.
const MaxExplanations = 2000

// Line is one field line of a response head, its name in any case.
type Line struct {
	Name  string
	Value string
}

// Explanation is what is known about one field line, or about one metric of a
// Server-Timing line. Strings from the response are untrusted and at most
// MaxRaw bytes.
type Explanation struct {
	Line   int    // index of the line explained
	Header string // lower case
	Metric string // "" unless the line is Server-Timing
	Value  string // the value or the metric's parameters, as they came
	// Known: a rule speaks of it. All that follows is empty without one, but
	// for Notes.
	Known    bool
	Provider string // "" for a standard field or this project's own names
	Meaning  string // what it says
	Unit     string // of its figure; "text", "count", "none" where it is no time
	Caveat   string // what it does not say
	Evidence Evidence
	Spans    []Span  // what it tells of the wait, if anything
	Places   []Place // what it tells of places, if anything
	// Notes are warnings about this line: grammar, a figure that could not be
	// read, a name that looks like a time but has no rule.
	Notes []string
}

// Explain says, line by line, what a response head tells: one Explanation for
// each line, and one for each metric of a Server-Timing line, in the order
// given. What goes beyond MaxExplanations is left out, and the last one says so.
func Explain(lines []Line) []Explanation {
	headers := map[string][]string{}
	for _, l := range lines {
		name := strings.ToLower(l.Name)
		headers[name] = append(headers[name], l.Value)
	}
	e := explainer{}
	e.reading = Read(headers, nil)
	e.facts.gather(headers, nil, &Reading{})
	e.arrange()
	var out []Explanation
	for i, l := range lines {
		if len(out) >= MaxExplanations {
			break
		}
		if name := strings.ToLower(l.Name); name == "server-timing" {
			out = append(out, e.metrics(i, l.Value)...)
		} else {
			out = append(out, e.header(i, name, l.Value))
		}
	}
	return cutExplanations(out, len(lines))
}

// cutExplanations keeps the first ones and says that there were more.
func cutExplanations(all []Explanation, lines int) []Explanation {
	if len(all) <= MaxExplanations && (len(all) == 0 || all[len(all)-1].Line == lines-1) {
		return all
	}
	all = all[:min(len(all), MaxExplanations)]
	return append(all, Explanation{Line: all[len(all)-1].Line, Notes: []string{"the response goes on; the rest was left out"}})
}

// explainer holds what the whole response says while its lines are explained.
type explainer struct {
	draft
}

func (e *explainer) header(line int, name, value string) Explanation {
	x := Explanation{Line: line, Header: clip(name), Value: clip(value)}
	e.describe(&x, func(r *rule) bool { return r.header == name })
	x.Notes = append(x.Notes, e.notes(name)...)
	if !x.Known && speaksOfTime(name) {
		x.Notes = append(x.Notes, "looks like a time, but no rule says whose or in which unit; not used without a mapping")
	}
	return x
}

func (e *explainer) metrics(line int, value string) []Explanation {
	field := servertiming.Parse(value)
	var out []Explanation
	for _, m := range field.Metrics {
		x := Explanation{Line: line, Header: "server-timing", Metric: clip(m.Name), Value: parameters(m)}
		e.describe(&x, func(r *rule) bool { return r.metric == m.Name })
		x.Notes = append(e.notes(metricSource(m.Name)), metricNotes(field, m.Name)...)
		if !x.Known && m.Dur.State != servertiming.DurAbsent {
			x.Notes = append(x.Notes, "no rule knows this name; not used without a mapping")
		}
		out = append(out, x)
	}
	rest := Explanation{Line: line, Header: "server-timing", Value: clip(value), Notes: metricNotes(field, "")}
	if len(out) == 0 {
		rest.Notes = append(rest.Notes, "no metric in it")
	}
	if len(rest.Notes) > 0 {
		out = append(out, rest)
	}
	return out
}

// describe takes the rule of the outermost provider that has one; a provider's
// own word goes before that of the standard fields.
func (e *explainer) describe(x *Explanation, match func(*rule) bool) {
	for _, standardToo := range []bool{false, true} {
		for _, f := range e.order {
			i := slices.IndexFunc(f.rules, func(r rule) bool { return match(&r) && (r.when == nil || r.when(&e.facts)) })
			if i >= 0 && (f.layer == layerNobody) == standardToo && e.fits(&f.rules[i], x.Value) {
				e.fill(x, f, &f.rules[i])
				return
			}
		}
	}
}

// fits keeps a provider from explaining a value it does not read: a Server
// field of another's, say.
func (*explainer) fits(r *rule, value string) bool {
	if r.places == nil || r.cache != nil || (r.header != "server" && r.header != "via") {
		return true
	}
	return len(r.places(value)) > 0
}

func (e *explainer) fill(x *Explanation, f *family, r *rule) {
	x.Known, x.Meaning, x.Caveat, x.Unit, x.Evidence = true, r.meaning, r.caveat, r.unitWords(), r.evidence
	if f.provides() {
		x.Provider = f.name
	}
	for _, s := range e.reading.Spans {
		if s.Source == r.name() || strings.HasPrefix(s.Source, r.name()+" ") {
			x.Spans = append(x.Spans, s)
		}
	}
	for _, p := range e.reading.Places {
		if p.Source == r.name() {
			x.Places = append(x.Places, p)
		}
	}
}

// unitWords names the unit of the rule's figure.
func (r *rule) unitWords() string {
	switch {
	case r.unit != "":
		return r.unit
	case r.time == nil:
		return "text"
	case r.time.unit == time.Second:
		return "s"
	case r.time.unit == time.Microsecond:
		return "us"
	}
	return "ms"
}

// notes are the reading's warnings about one source.
func (e *explainer) notes(source string) []string {
	var out []string
	for _, w := range e.reading.Warnings {
		if w.Source == source {
			out = append(out, w.Text)
		}
	}
	return out
}

// metricNotes are the grammar's warnings about one metric; "" asks for those
// about none.
func metricNotes(field servertiming.Field, name string) []string {
	var out []string
	for _, w := range field.Warnings {
		if w.Metric == name {
			w.Metric = ""
			out = append(out, fieldWarning(w))
		}
	}
	return out
}

// parameters writes a metric's parameters as one text.
func parameters(m servertiming.Metric) string {
	var parts []string
	if m.Dur.State != servertiming.DurAbsent {
		parts = append(parts, "dur="+m.Dur.Text)
	}
	if m.Described {
		parts = append(parts, fmt.Sprintf("desc=%q", m.Desc))
	}
	return clip(strings.Join(parts, ";"))
}

// speaksOfTime finds names that a reader would take for a time.
func speaksOfTime(name string) bool {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' }) {
		switch word {
		case "time", "duration", "latency", "ms", "elapsed", "runtime", "took", "timer", "timing":
			return true
		}
	}
	return false
}
