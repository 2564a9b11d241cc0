package provider

import (
	"regexp"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// slack: its Envoy hosts in Via carry their site; read off responses.
func slack() family {
	return family{name: "slack", layer: LayerGateway,
		sign: anyOf(headerHas("via", "envoy-edge-"), headerHas("via", "slack-prod.")),
		rules: []rule{
			{header: "via", places: slackHosts, unit: "host names", evidence: Seen,
				meaning: "envoy-edge-XXX accepted the connection, envoy-www-XXX stands at the application",
				caveat:  "undocumented host names; no time"},
		}}
}

var slackHost = regexp.MustCompile(`^envoy-(www|edge)-([a-z]{3})-`)

func slackHosts(value string) []site {
	var sites []site
	for _, hop := range slices.Backward(hops(value)) {
		m := slackHost.FindStringSubmatch(hop)
		switch {
		case m == nil:
		case m[1] == "edge":
			sites = append(sites, site{Accepted, strings.ToUpper(m[2]), geo.IATA})
		default:
			sites = append(sites, site{Compute, strings.ToUpper(m[2]), geo.IATA})
		}
	}
	return sites
}
