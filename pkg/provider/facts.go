package provider

import (
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/servertiming"
)

// facts is a response as the rules ask for it: bounded, the Server-Timing
// lines of headers and trailers already read.
type facts struct {
	headers  map[string][]string
	trailers map[string][]string
	metrics  []metric
	byName   map[string][]int // indexes into metrics
	known    map[string]bool  // names of recognised families
}

// metric is a Server-Timing entry and where it stood.
type metric struct {
	servertiming.Metric
	trailer bool
}

func gather(headers, trailers map[string][]string, r *Reading) *facts {
	f := &facts{headers: headers, trailers: trailers, byName: map[string][]int{}, known: map[string]bool{}}
	f.addMetrics(headers["server-timing"], false, r)
	f.addMetrics(trailers["server-timing"], true, r)
	return f
}

func (f *facts) addMetrics(lines []string, trailer bool, r *Reading) {
	if len(lines) == 0 {
		return
	}
	field := servertiming.Parse(lines...)
	for _, m := range field.Metrics {
		f.byName[m.Name] = append(f.byName[m.Name], len(f.metrics))
		f.metrics = append(f.metrics, metric{m, trailer})
	}
	for _, w := range field.Warnings {
		if w.Kind != servertiming.UnrecognizedParameter && w.Kind != servertiming.TrailingUnit {
			r.warn("server-timing", fieldWarning(w))
		}
	}
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

// large reports whether any header is beyond what is read.
func (f *facts) large() bool {
	for _, values := range f.headers {
		if len(values) > MaxLines {
			return true
		}
		for _, v := range values {
			if len(v) > MaxValue {
				return true
			}
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

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
