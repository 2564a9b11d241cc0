package provider

import (
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// linkedin: fields read off responses.
func linkedin() family {
	return family{name: "linkedin", layer: LayerGateway,
		sign: hasHeader("x-li-fabric", "x-li-pop"),
		rules: []rule{
			{header: "x-li-fabric", places: at(Compute, geo.LinkedIn, `^(?:prod-)?(l[a-z]{2}[0-9])$`), unit: "data centre code", evidence: Seen,
				meaning: "the data centre that ran the request", caveat: "no time"},
			{header: "x-li-pop", places: linkedinPop, unit: "site code", evidence: Seen,
				meaning: "LinkedIn's own point of presence, behind another CDN if it starts with afd-, azd- or cf-",
				caveat:  "behind another CDN it is not where the connection was accepted"},
		}}
}

// linkedinPop names a place only where LinkedIn's own edge answered.
func linkedinPop(value string) []site {
	for _, outer := range []string{"afd-", "azd-", "cf-"} {
		if strings.HasPrefix(value, outer) {
			return nil
		}
	}
	return at(Accepted, geo.LinkedIn, `^(?:prod-)?(l[a-z]{2}[0-9])(?:-|$)`)(value)
}
