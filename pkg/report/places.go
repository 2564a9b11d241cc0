package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/reading"
)

// placesOf are an arm's places by role. The roles a request always has are told even when nothing
// reports them, once any place is.
func placesOf(a *reading.Arm) []Place {
	if len(a.Places) == 0 {
		return nil
	}
	var out []Place
	for role := provider.Accepted; role <= provider.State; role++ {
		of := placesOfRole(a, role)
		if len(of) == 0 && role != provider.Tier {
			of = []Place{{Role: role.String(), Evidence: "nothing reports it"}}
		}
		out = append(out, of...)
	}
	return out
}

func placesOfRole(a *reading.Arm, role provider.PlaceRole) []Place {
	var out []Place
	for i := range a.Places {
		if p := &a.Places[i]; p.Role == role {
			out = append(out, Place{
				Role: role.String(), Site: p.Site, Seen: p.N, Of: a.N(), Evidence: evidenceOf(a, p, len(out) == 0),
			})
		}
	}
	return out
}

// evidenceOf says who names the place, what it is, and for the main accepting one how far away it
// can be at all.
func evidenceOf(a *reading.Arm, p *reading.Place, first bool) string {
	text := p.Source
	if p.Known && !isAirport(p.Site) {
		text += ": " + p.At.String()
	}
	if !p.Known {
		text += "; no known place"
	}
	if p.Evidence == provider.Guess {
		text += "; a guess at what the header means"
	}
	if p.Stored > 0 {
		text += fmt.Sprintf("; %s from a cache", Share(p.Stored, p.N))
	}
	if rtt := leastRTT(a); first && !a.Projected && p.Role == provider.Accepted && rtt > 0 {
		text += fmt.Sprintf("; edge_rtt %s ms puts it within %s", trimZero(ScaleFor(rtt).MS(rtt)), kilometres(geo.FarthestInFibre(rtt)))
	}
	return text
}

// isAirport tells a code people know by heart from one that needs its place beside it.
func isAirport(site string) bool {
	if len(site) != 3 {
		return false
	}
	for _, c := range site {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// asideBlocks are where an arm was, what that means, and what its set-up spent.
func asideBlocks(a Arm) []Block {
	return append(append(placeBlocks(a), toldBlocks(a)...), tripBlocks(a)...)
}

// nameOfArm is the route, or the group of it that the arm is.
func nameOfArm(a *reading.Arm) string {
	if a.By == "" {
		return a.Route.Name
	}
	return a.Route.Name + ", " + a.By + " " + Clip(a.Group, clipSite)
}

// armOfSet is an arm with what the set says of it: the group it is, and that it was computed. The
// state of a computed arm says so, and with it the sentence, CSV and JSON, wherever the figures go.
func armOfSet(set *reading.Set, arm Arm, a *reading.Arm) Arm {
	if a.By != "" {
		arm.Notes = append(arm.Notes, "by "+a.By+": "+Clip(a.Group, clipName))
	}
	if set.AtRTT == 0 {
		return arm
	}
	arm.State = strings.TrimSpace("projected " + cmp.Or(arm.State, "cold"))
	if arm.RTTSource != "" {
		arm.RTTSource = "the round trip asked for, projected, not measured"
	}
	return arm
}

// projectedInto says what was computed and how.
func projectedInto(facts *RunFacts, set *reading.Set) {
	if set.AtRTT == 0 {
		return
	}
	facts.Projected = "a round trip of " + InWords(set.AtRTT)
	note := "projected: tcp, tls or quic and wait are longer by the round trips each spends; dns, work and losses stay as measured"
	if set.Slowly > 0 {
		note += fmt.Sprintf("; transfer of %s holds the round trips of slow start from ten segments", Plural(set.Slowly, "exchange", "exchanges"))
	}
	facts.Notes = append(facts.Notes, note)
}
