package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// PlaceRole is what was done at a place. The four are never mixed.
type PlaceRole uint8

// The roles of places.
const (
	Accepted PlaceRole = iota // the client's connection ended here
	Tier                      // a cache, shield or second edge behind it
	Compute                   // the function, container or application ran here
	State                     // what it waits for lives here
)

var placeNames = [...]string{"accepted", "tier", "compute", "state"}

// String returns the role as --place spells it.
func (r PlaceRole) String() string {
	if int(r) < len(placeNames) {
		return placeNames[r]
	}
	return "unknown"
}

// Schemes of codes that name no place package geo could look up.
const (
	SchemeIP      geo.Scheme = "ip"      // an address, from Akamai
	SchemeAlibaba geo.Scheme = "alibaba" // country and number, "gb9"
	SchemeUser    geo.Scheme = ""        // from a --place: any spelling
)

// Place is where something was done, as one header says. Nothing here was
// checked against a round trip.
type Place struct {
	Role     PlaceRole
	Code     string     // in the spelling Scheme expects
	Scheme   geo.Scheme // how to look Code up
	Provider string
	Source   string // "cf-ray", "server-timing: cdn-pop"
	Raw      string // the value it was taken from, at most MaxRaw bytes
	Evidence Evidence
	// FromStorage: the response came from a cache, so that a place behind the
	// edge may be that of the request which filled it.
	FromStorage bool
	// Behind names the edge that answered the client in front of this one; a
	// place that would have been Accepted is then a Tier.
	Behind string
}

// PlacesOf returns the places of one role, outermost first.
func (r Reading) PlacesOf(role PlaceRole) []Place {
	var out []Place
	for _, p := range r.Places {
		if p.Role == role {
			out = append(out, p)
		}
	}
	return out
}
