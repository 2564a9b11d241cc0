package provider

import (
	"math"
	"time"
)

// Role is the part of wait a span speaks of.
type Role uint8

// The roles. Aside is a time somebody knows but that is no part of the cut:
// a query inside the application, a gateway's own wait inside upstream.
const (
	Aside           Role = iota
	PreForward           // the edge's wait before it sent the request on
	Upstream             // edge -> origin -> edge
	UpstreamNetwork      // the part of Upstream between edge and origin
	UpstreamOrigin       // the part of Upstream in the origin
	Total                // everything behind whoever reports it; encloses all others
	Function             // code run by the edge itself; neither before nor behind it
)

var roleNames = [...]string{"aside", "pre_forward", "upstream", "upstream.network", "upstream.origin", "total", "function"}

// String returns the role as --map spells it.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "unknown"
}

// Bound is how a span limits the time its role took.
type Bound uint8

// The bounds.
const (
	Exact   Bound = iota // Lo == Hi, up to Step
	AtMost               // 0 .. Hi: the figure holds something else as well
	AtLeast              // Lo .. no limit: something is missing from the figure
	Between              // Lo .. Hi: the provider's figures fit every value in between
)

var boundNames = [...]string{"exact", "at most", "at least", "between"}

// String returns the bound in words.
func (b Bound) String() string {
	if int(b) < len(boundNames) {
		return boundNames[b]
	}
	return "unknown"
}

// NoLimit is the Hi of a span that only bounds from below.
const NoLimit = time.Duration(math.MaxInt64)

// Layer orders the writers of a response from the client inwards.
type Layer uint8

// The layers. Named is who writes this project's own names or what a user's
// mapping picked: whatever layer that is, its author chose the words.
const (
	LayerNamed Layer = iota
	LayerEdge
	LayerGateway
	LayerApp
	layerNobody // standard fields, which belong to no one
)

// Evidence is how well founded a rule is.
type Evidence uint8

// The kinds of evidence, strongest first.
const (
	Documented Evidence = iota // the provider or the project says so
	Seen                       // read off real responses
	Guess                      // a reading nobody confirmed
)

// String returns "documented", "seen" or "guess".
func (e Evidence) String() string {
	return [...]string{"documented", "seen", "guess"}[min(e, Guess)]
}

// Span is what one header or metric says about one part of wait. Lo and Hi are
// nanoseconds and never negative.
type Span struct {
	Role  Role
	Bound Bound
	Lo    time.Duration
	Hi    time.Duration
	// Step is what rounding in the source may hide, summed over the figures
	// the span was made of: 1 ms for each metric in whole milliseconds.
	Step time.Duration
	// Metrics counts those figures; the tolerance of a check grows with it.
	Metrics  int
	Provider string // a provider's name, "mapping" for the user's own
	Layer    Layer
	Source   string // "server-timing: cfEdge", "x-kong-proxy-latency"
	Text     string // the figure as written, at most MaxRaw bytes
	Evidence Evidence
	// FromStorage: written for an earlier request and replayed by a cache.
	FromStorage bool
	// Trailer: it came after the body.
	Trailer bool
	// Parent is the index in Reading.Spans of the span this one lies inside,
	// -1 if no other is known to contain it.
	Parent int
	// Behind names the edge in front of the reporter that reports no times
	// itself, "" if there is none: the figure is true, but not the edge's.
	Behind string
	// Doubt says why the figure must not be used silently; "" if it may.
	Doubt string
}

// Usable reports whether the span speaks of this request without a doubt.
func (s Span) Usable() bool { return !s.FromStorage && s.Doubt == "" }

// Best returns the index of the span to use for a role, -1 if none is usable.
// An exact statement beats a bound; among equals the outermost writer wins,
// this project's own names first.
func (r Reading) Best(role Role) int {
	best := -1
	for i, s := range r.Spans {
		if s.Role != role || !s.Usable() {
			continue
		}
		if best < 0 || (s.Bound == Exact && r.Spans[best].Bound != Exact) {
			best = i
		}
	}
	return best
}

// Inside reports whether span i lies inside span j, directly or not.
func (r Reading) Inside(i, j int) bool {
	for steps := 0; i >= 0 && i < len(r.Spans) && steps <= len(r.Spans); steps++ {
		i = r.Spans[i].Parent
		if i == j {
			return true
		}
	}
	return false
}
