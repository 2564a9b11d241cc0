package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Told is something a reader of an arm's table should not miss: what measured times say about
// places, a figure that was reported and not used, or a bound. Kind is the word JSON carries.
type Told struct {
	Kind    string
	Text    string // one or more sentences
	Segment string // the key concerned, "" for none
	Source  string // the header that says it, "" when several or none do
	Site    string
	Near    string
	Time    time.Duration // the figure or time it is about, 0 for none
	KM      float64       // least distance of Site and Near
	Fit     string        // "fits", "implausible", "impossible"; "" without a distance
	N, Of   int           // exchanges
}

// leastRTT is the smallest round trip of an arm's exchanges, 0 when none is known.
func leastRTT(a *reading.Arm) time.Duration {
	if values := a.Column(segment.WaitEdgeRTT).Present(); len(values) > 0 {
		return time.Duration(slices.Min(values))
	}
	return 0
}

// antipodes is as far away as two places on earth can be, in km.
const antipodes = 20_016

// kilometres is a distance that bounds: two digits are all a round trip can tell, rounded up so
// that a bound stays one.
func kilometres(km float64) string {
	if km < 10 {
		return "10 km"
	}
	unit := math.Pow(10, math.Floor(math.Log10(km))-1)
	return Thousands(int64(math.Ceil(km/unit)*unit)) + " km"
}

// upTo words how far away what answers within rtt can be.
func upTo(rtt time.Duration) string {
	km := geo.FarthestInFibre(rtt)
	if km >= antipodes {
		return "any place on earth"
	}
	return "a place up to " + kilometres(km) + " away"
}

// physicsOf are an arm's findings about places.
func physicsOf(a *reading.Arm) []Told {
	var out []Told
	for _, f := range a.Findings {
		t := Told{Kind: f.Kind.String(), Segment: f.Key.String(), Time: f.Time, KM: f.KM, N: f.N, Of: f.Of, Near: siteName(f.Near)}
		if f.Site.Site != "" {
			t.Site, t.Source, t.Fit = siteName(f.Site), f.Site.Source, f.Fit.String()
		}
		t.Text = physicsText(f)
		out = append(out, t)
	}
	return out
}

func siteName(p reading.Place) string { return Clip(p.Site, clipSite) }

// siteWords is a site as prose names it: "NRT (Tokyo, JP)".
func siteWords(p reading.Place) string {
	name := siteName(p)
	if name == "" {
		return "the edge"
	}
	if p.Known && p.At.String() != p.Site {
		return name + " (" + p.At.String() + ")"
	}
	return name
}

func physicsText(f reading.Finding) string {
	switch f.Kind {
	case reading.FoundSign:
		return signText(f)
	case reading.FoundCompute:
		return computeText(f)
	case reading.FoundApart:
		return apartText(f)
	case reading.FoundBefore:
		return longText(f, "it is work, or something the edge waits for is not at ")
	case reading.FoundNetwork:
		return longText(f, "the origin, or where the request is forwarded from, is not at ")
	case reading.FoundStranded:
		return strandedText(f)
	}
	return fmt.Sprintf("The edge sees its peer %s away and this client %s: something between the two ended the connection, "+
		"such as a proxy, a VPN or an accelerator (%s).", InWords(f.Other), InWords(f.Time), Share(f.N, f.Of))
}

// verdict is the strongest word the speed of light allows.
func verdict(fit geo.Fit) string {
	if fit == geo.Impossible {
		return "cannot be"
	}
	return "is implausible"
}

// lightNeeds says what the distance costs in the medium that decides.
func lightNeeds(f reading.Finding) string {
	need, medium := geo.LeastRTTInFibre(f.KM), "fibre"
	if f.Fit == geo.Impossible {
		need, medium = geo.LeastRTTInVacuum(f.KM), "vacuum"
	}
	return fmt.Sprintf("but to a place %s or more away and back light in %s needs %s", kilometresDown(f.KM), medium, InWords(need))
}

// kilometresDown rounds a least distance so that it stays one.
func kilometresDown(km float64) string {
	if km < 10 {
		return Thousands(int64(km)) + " km"
	}
	unit := math.Pow(10, math.Floor(math.Log10(km))-1)
	return Thousands(int64(math.Floor(km/unit)*unit)) + " km"
}

func signText(f reading.Finding) string {
	text := fmt.Sprintf("Accepted at %s %s true: what accepts the connection answers within %s, %s (%s).",
		siteWords(f.Site), verdict(f.Fit), InWords(f.Time), lightNeeds(f), f.Site.Source)
	if f.TLS > 0 && geo.Allows(f.TLS, f.KM) == geo.Fits {
		return text + fmt.Sprintf(" TLS took %s a round trip, which fits: something nearer may end TCP only.", InWords(f.TLS))
	}
	return text
}

func computeText(f reading.Finding) string {
	from, left := siteWords(f.Near), fmt.Sprintf("%s of wait is left for the way there and back", InWords(f.Time))
	if f.From {
		left = fmt.Sprintf("the whole wait is %s", InWords(f.Time))
	}
	return fmt.Sprintf("Work at %s behind %s %s true: %s, %s (%s; %s).",
		siteWords(f.Site), from, verdict(f.Fit), left, lightNeeds(f), f.Site.Source, Share(f.N, f.Of))
}

func apartText(f reading.Finding) string {
	text := fmt.Sprintf("Accepted at %s, worked on at %s (%s): the way there and back needs at least %s in fibre, inside wait.",
		siteWords(f.Near), siteWords(f.Site), Share(f.N, f.Of), InWords(geo.LeastRTTInFibre(f.KM)))
	if f.Site.Stored > 0 {
		return text + fmt.Sprintf(" %s came from a cache and may name where an earlier request was worked on.", Share(f.Site.Stored, f.N))
	}
	return text + fmt.Sprintf(" The %s that wait leaves for it fit.", InWords(f.Time))
}

func longText(f reading.Finding, unless string) string {
	where := siteWords(f.Near)
	if f.Near.Site == "" {
		where = "the place that accepts the connection"
	}
	is := "has a p50 of " // its own; the column "at p50" may have another figure
	if f.N == 1 {
		is = "is "
	}
	return fmt.Sprintf("%s %s and fits a round trip to %s: %s.", f.Key, is+InWords(f.Time), upTo(f.Time), unless+where)
}

func strandedText(f reading.Finding) string {
	text := fmt.Sprintf("State is reported at %s, the work that waits for it at %s: a round trip between them needs at least %s in fibre (%s).",
		siteWords(f.Site), siteWords(f.Near), InWords(geo.LeastRTTInFibre(f.KM)), f.Site.Source)
	switch {
	case f.Time == 0:
		return text
	case f.Fit == geo.Fits:
		return text + fmt.Sprintf(" %s of %s fits that.", f.Key.String(), InWords(f.Time))
	}
	return text + fmt.Sprintf(" %s of %s is too short to have gone there.", f.Key.String(), InWords(f.Time))
}

// roleWords say what a span that is no part of the table speaks of.
var roleWords = map[provider.Role]string{
	provider.Total:    "everything behind whoever reports it",
	provider.Function: "code run by the edge itself, neither before nor behind the forward",
}
