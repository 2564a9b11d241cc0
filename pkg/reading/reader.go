package reading

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// reader reads exchanges by one set of options. It remembers what equal fields said: in a run most
// responses differ in ids and figures only.
type reader struct {
	mapping provider.Mapping
	from    *geo.Place
	by      By
	group   map[string]string
	project *projection         // nil when nothing is projected
	stated  [numLeaves]bool     // leaves whose unit the user wrote
	cares   map[string]struct{} // names of the fields that say anything
	known   map[string]*told
	all     []string // names of the fields of the exchange before
	names   []string // those of them that say anything, in order
	last    Parts    // scratch, as the next
	key     []byte
}

// maxKnown bounds what is remembered; beyond it everything is forgotten, since a run with that many
// different responses repeats few of them.
const maxKnown = 1024

func newReader(o Options) *reader {
	r := &reader{mapping: o.Mapping, from: o.From, by: o.By, group: o.Group, cares: map[string]struct{}{}, known: map[string]*told{}}
	if o.AtRTT > 0 {
		r.project = &projection{rtt: o.AtRTT, last: map[string]time.Duration{}}
	}
	for _, names := range [][]string{provider.Headers(), o.Mapping.Headers()} {
		for _, n := range names {
			r.cares[n] = struct{}{}
		}
	}
	for _, text := range o.Mapping.Maps() {
		key, source, _ := strings.Cut(text, "=")
		for i, l := range leaves {
			name := strings.TrimPrefix(strings.TrimSpace(key), "wait.")
			if name == l.role.String() || name == "origin" && l.role == provider.UpstreamOrigin {
				r.stated[i] = r.stated[i] || strings.Contains(source, "@")
			}
		}
	}
	return r
}

// parts takes one exchange's wait apart by what its fields told; the result holds until the next call.
func (r *reader) parts(ex *record.Exchange, told *told) *Parts {
	p := &r.last
	*p = Parts{}
	if rtt, source := edgeRTT(ex); source != "" {
		p.set(segment.WaitEdgeRTT, rtt)
		p.EdgeSrc = source
	}
	if p.told = told; told == nil {
		return p
	}
	if wait, ok := ex.Segments.Get(segment.Wait); ok {
		cutting := cut{told: p.told, wait: wait, stated: &r.stated, parts: p}
		cutting.run()
	}
	return p
}

// told is what the fields of ex say, nil when none of them says anything.
func (r *reader) told(ex *record.Exchange) *told {
	r.learnNames(ex.Headers)
	if len(r.names) == 0 && len(ex.Trailers) == 0 {
		return nil
	}
	r.keyOf(ex)
	if t, ok := r.known[string(r.key)]; ok {
		return t
	}
	if len(r.known) >= maxKnown {
		clear(r.known)
	}
	t := tell(r.mapping.Read(ex.Headers, ex.Trailers))
	t.has = r.mapping.Present(ex.Headers, ex.Trailers)
	r.known[string(r.key)] = t
	return t
}

// learnNames finds the names that say anything, in order. Most exchanges have the fields of the one
// before: looking those up costs less than going through a map.
func (r *reader) learnNames(header record.Fields) {
	if len(header) == len(r.all) && !slices.ContainsFunc(r.all, func(name string) bool { _, ok := header[name]; return !ok }) {
		return
	}
	r.all, r.names = r.all[:0], r.names[:0]
	for name := range header {
		r.all = append(r.all, name)
		if _, ok := r.cares[name]; ok {
			r.names = append(r.names, name)
		}
	}
	slices.Sort(r.names)
}

// keyOf spells everything the rules may look at.
func (r *reader) keyOf(ex *record.Exchange) {
	r.key = r.key[:0]
	for _, name := range r.names {
		r.field(name, ex.Headers[name])
	}
	if len(ex.Trailers) == 0 {
		return
	}
	r.key = append(r.key, 1)
	for _, name := range slices.Sorted(maps.Keys(ex.Trailers)) {
		r.field(name, ex.Trailers[name])
	}
}

func (r *reader) field(name string, values []string) {
	r.key = append(r.key, name...)
	for _, v := range values {
		r.key = append(append(r.key, 0), telling(name, v)...)
	}
	r.key = append(r.key, 2)
}

// telling cuts the id off a value that names a place beside it, so that requests which differ in
// their ids alone are read once.
func telling(name, value string) string {
	switch name {
	case "cf-ray", "fly-request-id":
		return value[strings.LastIndexByte(value, '-')+1:]
	case "x-vercel-id":
		if i := strings.LastIndex(value, "::"); i >= 0 {
			return value[:i]
		}
	}
	return value
}
