package provider

import (
	"regexp"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// deno is Deno Deploy, which runs code where it accepts connections. It may
// pass on the place fields of what its code fetched, x-amz-cf-pop among them.
func deno() family {
	return family{name: "deno", layer: LayerEdge, server: "deno/",
		sign: headerHas("server", "deno/"),
		rules: []rule{
			{header: "server", places: denoRegion, unit: "cloud region", evidence: Seen,
				meaning: "the cloud region that accepted the connection and ran the code",
				caveat:  "place fields of other providers beside it may be copied from what the code fetched"},
		}}
}

var denoServer = regexp.MustCompile(`^deno/(gcp|aws|azure)-([a-z0-9-]+)$`)

func denoRegion(value string) []site {
	m := denoServer.FindStringSubmatch(value)
	if m == nil {
		return nil
	}
	scheme := map[string]geo.Scheme{"gcp": geo.GCP, "aws": geo.AWS, "azure": geo.Azure}[m[1]]
	return []site{{Accepted, m[2], scheme}, {Compute, m[2], scheme}}
}
