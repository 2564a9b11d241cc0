package provider

import (
	"fmt"
	"iter"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// facts is a response as the rules ask for it: bounded, the Server-Timing
// lines of headers and trailers already read.
type facts struct {
	book     *library
	headers  map[string][]string
	trailers map[string][]string
	metrics  []servertiming.Metric
	late     int       // those from here on stood in trailers
	there    nameSet   // names that the rules or the signs know
	known    familySet // recognised
	large    bool      // some header is beyond what is read
}

// gather reads a response's fields and recognises the providers by them.
func (f *facts) gather(headers, trailers map[string][]string, r *Reading) {
	f.book, f.headers, f.trailers = book(), headers, trailers
	f.addMetrics(headers["server-timing"], r)
	f.late = len(f.metrics)
	f.addMetrics(trailers["server-timing"], r)
	f.known = f.book.always
	for i := range f.metrics {
		if e := f.book.byMetric[f.metrics[i].Name]; e != nil {
			f.there.add(e.id)
			f.recognise(e, nil)
		}
	}
	for name, values := range headers {
		f.large = f.large || tooLarge(values)
		if e := f.book.byHeader[name]; e != nil && len(values) > 0 {
			f.there.add(e.id)
			f.recognise(e, values)
		}
	}
}

// recognise notes the families known by a name that is there.
func (f *facts) recognise(e *entry, values []string) {
	f.known |= e.plain
	if len(e.texts) > 0 {
		for _, v := range bounded(values) {
			v = strings.ToLower(v)
			for _, s := range e.texts {
				if f.known&s.of == 0 && strings.Contains(v, s.text) {
					f.known |= s.of
				}
			}
		}
	}
	for _, s := range e.tests {
		if f.known&s.of == 0 && s.test(f) {
			f.known |= s.of
		}
	}
}

// recognised goes through the families that are known, by layer.
func (f *facts) recognised() iter.Seq[*family] { return f.book.of(f.known) }

func (f *facts) addMetrics(lines []string, r *Reading) {
	if len(lines) == 0 {
		return
	}
	field := servertiming.Parse(lines...)
	if f.metrics == nil {
		f.metrics = field.Metrics
	} else {
		f.metrics = append(f.metrics, field.Metrics...)
	}
	for _, w := range field.Warnings {
		if w.Kind != servertiming.UnrecognizedParameter && w.Kind != servertiming.TrailingUnit {
			r.warn("server-timing", fieldWarning(w))
		}
	}
}

// named goes through the metrics of one name in order.
func (f *facts) named(name string) iter.Seq[*servertiming.Metric] {
	return func(yield func(*servertiming.Metric) bool) {
		for i := range f.metrics {
			if f.metrics[i].Name == name && !yield(&f.metrics[i]) {
				return
			}
		}
	}
}

// names reports whether there is a metric of that name.
func (f *facts) names(metric string) bool {
	for range f.named(metric) {
		return true
	}
	return false
}

// fieldWarning words a grammar warning with what it is about.
func fieldWarning(w servertiming.Warning) string {
	text := w.Kind.String()
	if w.Text != "" {
		text += fmt.Sprintf(": %q", w.Text)
	}
	if w.Param != "" {
		text = w.Param + ": " + text
	}
	if w.Metric != "" {
		text = w.Metric + ": " + text
	}
	return text
}

// values returns a header's values that are short enough to be interpreted.
func (f *facts) values(name string) []string { return bounded(f.headers[name]) }

// all returns a field's values from headers and then trailers.
func (f *facts) all(name string) []string {
	values, late := f.values(name), bounded(f.trailers[name])
	if len(late) == 0 {
		return values
	}
	return append(values[:len(values):len(values)], late...)
}

func bounded(values []string) []string {
	values = values[:min(len(values), MaxLines)]
	for i, v := range values {
		if len(v) > MaxValue {
			return withoutLong(values, i)
		}
	}
	return values
}

func withoutLong(values []string, from int) []string {
	out := append([]string(nil), values[:from]...)
	for _, v := range values[from:] {
		if len(v) <= MaxValue {
			out = append(out, v)
		}
	}
	return out
}

// tooLarge reports whether any of a header's values is beyond what is read.
func tooLarge(values []string) bool {
	if len(values) > MaxLines {
		return true
	}
	for _, v := range values {
		if len(v) > MaxValue {
			return true
		}
	}
	return false
}

// warnUnread says which of the headers read here were too large.
func (f *facts) warnUnread(name string, r *Reading) {
	values := f.headers[name]
	if len(values) > MaxLines {
		r.warn(name, fmt.Sprintf("%d values, only the first %d are read", len(values), MaxLines))
	}
	for _, v := range values {
		if len(v) > MaxValue {
			r.warn(name, fmt.Sprintf("a value of %d bytes is not read; the limit is %d", len(v), MaxValue))
		}
	}
}
