package reading

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
)

// Place is a site that responses of an arm name for one role. Strings come from responses and are
// untrusted.
type Place struct {
	Role     provider.PlaceRole
	Site     string    // the code as the table spells it, else as the header does
	At       geo.Place // where the site is, if Known
	Known    bool
	Source   string // the header that says so
	Evidence provider.Evidence
	Stored   int // exchanges in which a cache may have replayed it
	N        int // exchanges that name it

	MinRTT time.Duration // of Accepted: least edge_rtt of its exchanges, 0 unknown
	MinTLS time.Duration // of Accepted: the least a round trip of TLS took, 0 unknown
}

// Apart reports whether two known places are distinct whatever building their codes mean, and the
// least distance between them in km. Spelling has no say: "iad1" and "us-east-1" are one place.
func (p *Place) Apart(q *Place) (km float64, apart bool) {
	if !p.Known || !q.Known {
		return 0, false
	}
	km = geo.LeastKM(p.At, q.At)
	return km, km > 0
}

// placesOf resolves the places of a response: the outermost of each role, every tier.
func placesOf(r provider.Reading) []Place {
	var out []Place
	for _, p := range r.Places {
		taken := slices.ContainsFunc(out, func(x Place) bool {
			return x.Role == p.Role && (p.Role != provider.Tier || x.Site == siteOf(p).Site)
		})
		if !taken {
			out = append(out, siteOf(p))
		}
	}
	return out
}

func siteOf(p provider.Place) Place {
	out := Place{Role: p.Role, Site: strings.TrimSpace(p.Code), Source: p.Source, Evidence: p.Evidence, N: 1}
	if p.FromStorage {
		out.Stored = 1
	}
	if p.Scheme == provider.SchemeUser {
		out.At, out.Known = freely(out.Site)
		return out
	}
	if site, ok := geo.Lookup(p.Scheme, p.Code); ok {
		out.Site, out.At, out.Known = site.Code, site.Place, true
	}
	return out
}

// freely finds a place in any spelling a user's own header may have: a city, a code, a region, or a
// provider's code with something behind it.
func freely(text string) (geo.Place, bool) {
	if at, err := geo.Find(text); err == nil {
		return at, true
	}
	for _, scheme := range []geo.Scheme{geo.IATA, geo.Cloud, geo.Vercel, geo.CloudFront, geo.Cloudflare} {
		if site, ok := geo.Lookup(scheme, text); ok {
			return site.Place, true
		}
	}
	return geo.Place{}, false
}

// places collects those of an arm.
type places struct{ list []Place }

// add counts p and returns where it is counted, nil when there is no room for a further site.
func (l *places) add(p *Place) *Place {
	for i := range l.list {
		if x := &l.list[i]; x.Role == p.Role && x.Site == p.Site {
			x.N += p.N
			x.Stored += p.Stored
			return x
		}
	}
	if len(l.list) >= maxValues {
		return nil
	}
	l.list = append(l.list, *p)
	return &l.list[len(l.list)-1]
}

// sorted lists the places by role, the most frequent first.
func (l *places) sorted() []Place {
	out := slices.Clone(l.list)
	slices.SortFunc(out, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(b.N, a.N), cmp.Compare(a.Site, b.Site))
	})
	return out
}
