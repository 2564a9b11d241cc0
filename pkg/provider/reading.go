package provider

import (
	"slices"
	"time"
)

// Limits on what is read of one response. Values beyond them are left unread
// with a warning; none is shortened into another meaning.
const (
	MaxValue = 16 << 10 // bytes of one header value that are interpreted
	MaxLines = 100      // values of one header that are interpreted
	MaxRaw   = 256      // bytes of a value that a result repeats
	MaxKept  = 100      // places, peers and cache signs kept, of each
	// MaxWarnings is how many warnings are kept; one more says that there were more.
	MaxWarnings = 200
)

// Peer is the edge's own measurement of the connection that reached it. A
// minimum far below the client's own round trip means that something between
// the two ended the connection.
type Peer struct {
	Provider string
	Source   string
	Proto    string        // "TCP", "QUIC", "" if not said
	RTT      time.Duration // 0 if not said
	MinRTT   time.Duration // 0 if not said
	Evidence Evidence
}

// Warning is something in a response that should not pass silently.
type Warning struct {
	Source string // header, "server-timing: name", or "" for the response
	Text   string
}

// Reading is what one response says. The zero value says nothing.
type Reading struct {
	Spans     []Span    // outermost writer first
	Places    []Place   // outermost first
	Cache     Cache     // whether anything behind the edge is history
	Peers     []Peer    // usually none or one
	Providers []string  // recognised, outermost first
	Warnings  []Warning // in the order met
}

// Read interprets a response's headers and trailers by the providers' rules.
// Names must be in lower case, values one per field line in the order
// received. The maps are only read.
func Read(headers, trailers map[string][]string) Reading {
	return Mapping{}.Read(headers, trailers)
}

func (r *Reading) warn(source, text string) {
	w := Warning{Source: clip(source), Text: text}
	switch {
	case len(r.Warnings) > MaxWarnings || slices.Contains(r.Warnings, w):
	case len(r.Warnings) == MaxWarnings:
		r.Warnings = append(r.Warnings, Warning{Text: "more warnings were left out"})
	default:
		r.Warnings = append(r.Warnings, w)
	}
}

// room reports whether a list may grow, and warns once when it may not.
func (r *Reading) room(source string, n int) bool {
	if n < MaxKept {
		return true
	}
	r.warn(source, "names too much; the rest was left out")
	return false
}

func clip(s string) string { return s[:min(len(s), MaxRaw)] }
