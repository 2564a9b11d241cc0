package provider

import (
	"encoding/json"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// fly: superfly/docs networking/request-headers and machines/runtime-environment,
// which warn twice that the edge's region is not the machine's; flyio-debug was
// read off responses.
func fly() family {
	return family{name: "fly", layer: LayerEdge, server: "fly/", via: "fly.io",
		sign: anyOf(hasHeader("fly-request-id", "flyio-debug"), headerHas("server", "fly/"), headerHas("via", "fly.io")),
		rules: []rule{
			{header: "fly-request-id", places: after('-', 3, 'a', 'z', Accepted, geo.Fly), unit: "id and region",
				meaning: "the Fly region that accepted the connection stands at the end",
				caveat:  "not where the machine ran: the machine's own FLY_REGION is, and the app must send it"},
			{header: "flyio-debug", places: flyDebug, unit: "JSON", evidence: Seen,
				meaning: "nr is the region that accepted the connection, sr the one that served it, sid the machine",
				caveat:  "only on request (flyio-debug: doit); no time"},
		}}
}

func flyDebug(value string) []site {
	var debug struct {
		NR string `json:"nr"`
		SR string `json:"sr"`
	}
	if json.Unmarshal([]byte(value), &debug) != nil {
		return nil
	}
	var sites []site
	if debug.NR != "" {
		sites = append(sites, site{Accepted, debug.NR, geo.Fly})
	}
	if debug.SR != "" {
		sites = append(sites, site{Compute, debug.SR, geo.Fly})
	}
	return sites
}
