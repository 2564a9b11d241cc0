package reading

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// FindingKind says what measured times say about places.
type FindingKind uint8

// The kinds of finding. A time bounds a distance from above and never proves a place; what a header
// says is a sign, and a measured time overrules it.
const (
	FoundSign     FindingKind = iota // the accepting site is farther away than a round trip to it allows
	FoundCompute                     // the work cannot have been done where the sign says
	FoundApart                       // the work was done elsewhere than the request was accepted
	FoundBefore                      // a wait before the forward long enough to cross an ocean and back
	FoundNetwork                     // a way between edge and origin long enough for the same
	FoundStranded                    // what is waited for is reported to live elsewhere
	FoundEnded                       // the edge sees a nearer peer than this client: something ended the connection between
)

var foundNames = [...]string{"sign_contradicted", "compute_contradicted", "compute_apart", "long_pre_forward", "long_network",
	"state_apart", "connection_ended_between"}

// String is the word JSON carries.
func (k FindingKind) String() string { return foundNames[k] }

// Finding holds a distance against a measured time. It is numbers and untrusted site names; the
// wording is the report's.
type Finding struct {
	Kind  FindingKind
	Key   segment.Key // what Time is: wait.edge_rtt, wait.pre_forward, ...; Wait for what is left of it
	Time  time.Duration
	TLS   time.Duration // of FoundSign: least round trip to the end of TLS, 0 unknown
	Other time.Duration // of FoundEnded: the edge's own minimum
	Site  Place         // the site the sign names
	Near  Place         // the place it is held against; Role Accepted or a vantage without Role's meaning
	From  bool          // Near is where the client stands
	KM    float64       // least distance between the two
	Fit   geo.Fit       // of Time and KM
	N, Of int           // exchanges
}

// overseas is a wait that is worth asking where it went: half of it is light's way across the
// Atlantic, and few things an edge does by itself take as long.
const overseas = 50 * time.Millisecond

// haul is what is known of requests accepted at one site and worked on at another.
type haul struct {
	accepted, compute Place
	least             time.Duration // smallest wait less the round trip to the edge, of those not stored
	timed             bool          // least is known
	n, stored         int
}

// signs collects what the physics of an arm needs while exchanges come in.
type signs struct {
	hauls  []haul
	peers  int // exchanges in which the edge saw a nearer peer
	peer   time.Duration
	client time.Duration
}

// add keeps the least times seen with each pair of sites. A site replayed from a cache is where an
// earlier request was worked on: it is told, and this request's times are not held against it.
func (s *signs) add(ex *record.Exchange, parts *Parts) {
	rtt, direct := parts.Get(segment.WaitEdgeRTT)
	if direct {
		s.addPeer(parts.told.peer, rtt)
	}
	accepted, compute := parts.told.first(provider.Accepted), parts.told.first(provider.Compute)
	wait, waited := ex.Segments.Get(segment.Wait)
	if compute == nil || !waited || ex.Segments.Has(segment.Proxy) {
		return
	}
	if accepted == nil {
		accepted, rtt = &Place{}, 0
	}
	i := slices.IndexFunc(s.hauls, func(h haul) bool { return h.accepted.Site == accepted.Site && h.compute.Site == compute.Site })
	if i < 0 {
		if len(s.hauls) >= maxValues {
			return
		}
		i = len(s.hauls)
		s.hauls = append(s.hauls, haul{accepted: *accepted, compute: *compute})
	}
	s.hauls[i].add(wait-rtt, compute.Stored > 0)
}

func (h *haul) add(left time.Duration, stored bool) {
	h.n++
	switch {
	case stored:
		h.stored++
	case !h.timed || left < h.least:
		h.least, h.timed = left, true
	}
}

// addPeer counts an edge whose own least round trip to its peer is far below the client's: half, and
// more than a city's width.
func (s *signs) addPeer(peer, client time.Duration) {
	const city = 10 * time.Millisecond
	if peer <= 0 || peer > client/2 || client-peer < city {
		return
	}
	if s.peers++; s.peer == 0 || peer < s.peer {
		s.peer, s.client = peer, client
	}
}

// nearer keeps the least round trips of a place that accepts connections.
func (p *Place) nearer(ex *record.Exchange, parts *Parts) {
	if rtt, ok := parts.Get(segment.WaitEdgeRTT); ok && rtt > 0 {
		p.MinRTT = least(p.MinRTT, rtt)
	}
	if tls, ok := ex.Segments.Get(segment.TLS); ok && ex.TLS != nil && !ex.Segments.Has(segment.Proxy) {
		p.MinTLS = least(p.MinTLS, tls/time.Duration(tlsTrips(ex.TLS)))
	}
}

// least is the smaller of two durations of which 0 is none.
func least(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// vantage is where the client stands: what the reader was told, else what the run says.
func vantage(o *geo.Place, v record.Vantage) *geo.Place {
	if o != nil || !v.Located {
		return o
	}
	p := geo.At(geo.Point{Lat: v.Lat, Lon: v.Lon})
	if found, err := geo.Find(v.From); err == nil {
		p = found
	}
	return &p
}

// findings holds the places of the arm against its times; from may be nil.
func (a *Arm) findings(from *geo.Place) []Finding {
	var out []Finding
	for i := range a.Places {
		if f, ok := contradicted(&a.Places[i], from); ok {
			f.Of = a.N()
			out = append(out, f)
		}
	}
	for _, h := range a.signs.hauls {
		out = append(out, h.findings(from, a.N())...)
	}
	for _, find := range []func() (Finding, bool){a.before, a.network, a.stranded, a.ended} {
		if f, ok := find(); ok {
			f.Of = a.N()
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(x, y Finding) int { return int(x.Kind) - int(y.Kind) })
	return out
}

// contradicted holds an accepting site against the client's place. Requests that a header attributes
// to a site did end there as far as TCP and TLS go, so either round trip bounds the way; the smaller
// one contradicts first.
func contradicted(p *Place, from *geo.Place) (Finding, bool) {
	if p.Role != provider.Accepted || !p.Known || from == nil || p.MinRTT == 0 {
		return Finding{}, false
	}
	f := Finding{
		Kind: FoundSign, Key: segment.WaitEdgeRTT, Time: p.MinRTT, TLS: p.MinTLS, Site: *p,
		Near: Place{At: *from, Known: true, Site: from.String()}, From: true, KM: geo.LeastKM(*from, p.At), N: p.N,
	}
	f.Fit = geo.Allows(f.Time, f.KM)
	return f, f.Fit != geo.Fits
}

// findings tell that compute is apart from where requests are accepted, and whether the time left
// of wait allows the way there and back. Without an accepting site the whole wait must allow the way
// from the client.
func (h *haul) findings(from *geo.Place, of int) []Finding {
	f := Finding{Kind: FoundApart, Key: segment.Wait, Time: h.least, Site: h.compute, Near: h.accepted, N: h.n, Of: of}
	if !h.accepted.Known {
		if from == nil || !h.compute.Known {
			return nil
		}
		f.Near, f.From = Place{At: *from, Known: true, Site: from.String()}, true
	}
	km, apart := f.Site.Apart(&f.Near)
	if !apart {
		return nil
	}
	f.KM, f.Site.Stored = km, h.stored
	if h.timed {
		f.Fit = geo.Allows(h.least, km)
	}
	if f.Fit != geo.Fits {
		f.Kind = FoundCompute
	}
	if f.From && f.Kind == FoundApart {
		return nil
	}
	return []Finding{f}
}

// at is where an edge is taken to wait: where the work is said to run, else where requests are
// accepted.
func (a *Arm) at() Place {
	for _, role := range []provider.PlaceRole{provider.Compute, provider.Accepted} {
		for i := range a.Places {
			if a.Places[i].Role == role {
				return a.Places[i]
			}
		}
	}
	return Place{}
}

// before tells of a pre-forward wait that fits a round trip across an ocean.
func (a *Arm) before() (Finding, bool) {
	f := Finding{Kind: FoundBefore, Key: segment.WaitPreForward, Time: a.median(segment.WaitPreForward), Near: a.at()}
	f.N = len(a.Column(segment.WaitPreForward).Present())
	return f, f.Time >= overseas
}

// network tells the same of the way between edge and origin.
func (a *Arm) network() (Finding, bool) {
	f := Finding{Kind: FoundNetwork, Key: segment.WaitUpstreamNetwork, Time: a.median(segment.WaitUpstreamNetwork), Near: a.at()}
	f.N = len(a.Column(segment.WaitUpstreamNetwork).Present())
	return f, f.Time >= overseas
}

// stranded tells that the state lives away from the work that waits for it.
func (a *Arm) stranded() (Finding, bool) {
	f := Finding{Kind: FoundStranded, Key: segment.WaitPreForward, Time: a.median(segment.WaitPreForward), Near: a.at()}
	for i := range a.Places {
		if p := &a.Places[i]; p.Role == provider.State && f.N == 0 {
			f.Site, f.N = *p, p.N
		}
	}
	km, apart := f.Site.Apart(&f.Near)
	f.KM, f.Fit = km, geo.Allows(f.Time, km)
	return f, apart
}

func (a *Arm) ended() (Finding, bool) {
	s := &a.signs
	return Finding{Kind: FoundEnded, Key: segment.WaitEdgeRTT, Time: s.client, Other: s.peer, Near: a.at(), N: s.peers}, s.peers > 0
}

// median is the nearest-rank p50 of a column, 0 when nobody has it.
func (a *Arm) median(k segment.Key) time.Duration {
	values := a.Column(k).Present()
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return time.Duration(values[(len(values)+1)/2-1])
}
