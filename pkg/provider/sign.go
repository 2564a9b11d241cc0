package provider

import "strings"

// sign is one mark that a provider is known by: a header or a metric that is
// there, with something that must hold besides. Exactly one of header and
// metric is set.
type sign struct {
	header string // lower case
	metric string
	text   string    // lower case: some value of the header has it in it, whatever its case
	test   condition // nil: nothing more is asked
}

// signs are alternatives.
type signs []sign

// condition asks something of the whole response.
type condition func(*facts) bool

// hold reports whether any of the signs is there.
func (all signs) hold(f *facts) bool {
	for i := range all {
		if all[i].holds(f) {
			return true
		}
	}
	return false
}

func (s *sign) holds(f *facts) bool {
	switch {
	case s.header != "" && len(f.headers[s.header]) == 0, s.metric != "" && !f.names(s.metric):
		return false
	case s.text != "":
		return f.contains(s.header, s.text)
	}
	return s.test == nil || s.test(f)
}

func anyOf(alternatives ...signs) signs {
	var all signs
	for _, a := range alternatives {
		all = append(all, a...)
	}
	return all
}

// allOf asks for one of each of the groups.
func allOf(first signs, others ...signs) signs {
	all := make(signs, len(first))
	for i, s := range first {
		all[i] = sign{header: s.header, metric: s.metric, test: func(f *facts) bool {
			holds := s.holds(f)
			for _, o := range others {
				holds = holds && o.hold(f)
			}
			return holds
		}}
	}
	return all
}

func not(c condition) condition { return func(f *facts) bool { return !c(f) } }

// hasHeader asks for any of the names.
func hasHeader(names ...string) signs {
	var all signs
	for _, n := range names {
		all = append(all, sign{header: n})
	}
	return all
}

// headerHas asks for text, in lower case, in any value of a header, whatever
// its case.
func headerHas(name, text string) signs { return signs{{header: name, text: text}} }

// headerShows asks for a header of which something holds.
func headerShows(name string, test condition) signs { return signs{{header: name, test: test}} }

// hasMetric asks for any of the names.
func hasMetric(names ...string) signs {
	var all signs
	for _, n := range names {
		all = append(all, sign{metric: n})
	}
	return all
}

// metricShows asks for a metric of which something holds.
func metricShows(name string, test condition) signs { return signs{{metric: name, test: test}} }

// recognised asks for another provider.
func recognised(name string) condition {
	return func(f *facts) bool {
		for fam := range f.recognised() {
			if fam.name == name {
				return true
			}
		}
		return false
	}
}

// contains reports whether any value of a header has text in it.
func (f *facts) contains(header, text string) bool {
	for _, v := range f.values(header) {
		if strings.Contains(strings.ToLower(v), text) {
			return true
		}
	}
	return false
}
