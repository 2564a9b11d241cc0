package provider

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// family is one provider: how to recognise it and what its fields mean.
type family struct {
	name  string
	layer Layer
	// sign recognises the provider; its rules are asleep without it, so that
	// a generic metric name is read only in its own provider's company. nil is
	// always there.
	sign signs
	// server and via name it as the one who answered the client: the start of
	// Server, a part of the last Via hop. "" if it writes none.
	server, via string
	// secondEdge is the role of its accepted place when another edge stands
	// in front; unset means Tier.
	secondEdge PlaceRole
	rules      []rule
	// derive adds spans that need several metrics at once; nil for most.
	derive func(*draft)
	// preset holds the --map texts that its name stands for.
	preset []string
}

// provides reports whether the family is somebody, not a way of writing.
func (f *family) provides() bool { return f.layer != LayerNamed && f.layer != layerNobody }

// rule says what one header or one Server-Timing metric means. Exactly one of
// header and metric is set.
type rule struct {
	header   string // lower case
	metric   string
	when     condition // nil: always
	time     *timing   // nil: tells no time
	places   func(value string) []site
	cache    func(value string) CacheState
	peer     func(value string) (Peer, bool)
	unit     string // in words; "" is taken from time
	meaning  string // one sentence
	caveat   string // what it does not say
	evidence Evidence
	id       int    // of header or metric in the book
	source   string // name's, made once
}

func (r *rule) name() string {
	switch {
	case r.header != "":
		return r.header
	case r.source != "":
		return r.source
	}
	return metricSource(r.metric)
}

func metricSource(name string) string { return "server-timing: " + name }

// timing is how a rule's figure limits a role.
type timing struct {
	role  Role
	bound Bound
	unit  time.Duration
	// within names the metric or header of the same family whose span encloses
	// this one; the first one present counts.
	within []string
	// accept refuses texts in a form that would mean something else; nil takes
	// every number.
	accept func(text string) bool
	// doubt says why a text it takes must not be used silently; nil never does.
	doubt func(text string) string
}

// tells is a timing in milliseconds.
func tells(role Role, bound Bound, within ...string) *timing {
	return &timing{role: role, bound: bound, unit: time.Millisecond, within: within}
}

// seconds is a timing in seconds.
func seconds(role Role, bound Bound, within ...string) *timing {
	return &timing{role: role, bound: bound, unit: time.Second, within: within}
}

// only returns a copy of t that takes only the texts accept allows.
func (t *timing) only(accept func(string) bool) *timing {
	c := *t
	c.accept = accept
	return &c
}

// site is a place before it is known who stands in front.
type site struct {
	role   PlaceRole
	code   string
	scheme geo.Scheme
}
