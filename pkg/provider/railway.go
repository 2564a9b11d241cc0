package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// railway: railwayapp/docs networking/edge-networking: X-Railway-Edge does not
// tell where the deployment runs; X-Railway-Upstream-Zone comes on request
// (X-Railway-Debug: 1).
func railway() family {
	const zone = `^(?:railway/)?([a-z0-9-]+)$`
	return family{name: "railway", layer: LayerEdge, server: "railway",
		sign: hasHeader("x-railway-edge", "x-railway-upstream-zone", "x-railway-request-id"),
		rules: []rule{
			{header: "x-railway-edge", places: at(Accepted, geo.Railway, zone), unit: "site or region code",
				meaning: "the Railway edge that accepted the connection", caveat: "not where the deployment runs"},
			{header: "x-railway-upstream-zone", places: at(Compute, geo.Railway, zone), unit: "region code",
				meaning: "where the deployment that answered runs", caveat: "only on request (X-Railway-Debug: 1)"},
			{header: "x-railway-request-id", unit: "id", meaning: "Railway's request id", caveat: "no time and no place"},
		}}
}
