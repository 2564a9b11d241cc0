package provider

import (
	"regexp"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// keycdn: fields read off responses. Other hosts send an X-Edge-Location of
// another shape, which is not read as KeyCDN's.
func keycdn() family {
	return family{name: "keycdn", layer: LayerEdge, server: "keycdn",
		sign: anyOf(headerHas("server", "keycdn"), headerShows("x-edge-location", keycdnLocation)),
		rules: []rule{
			{header: "x-edge-location", places: at(Accepted, geo.KeyCDN, `^([a-z]{4})$`), unit: "country and city, two letters each", evidence: Seen,
				meaning: "the KeyCDN site that accepted the connection", caveat: "not an airport code"},
			{header: "x-shield", unit: "text", evidence: Seen, meaning: "whether a shield stands between the edge and the origin",
				caveat: "not where the shield is"},
		}}
}

var fourLetters = regexp.MustCompile(`^[a-z]{4}$`)

func keycdnLocation(f *facts) bool { return fourLetters.MatchString(last(f.values("x-edge-location"))) }
