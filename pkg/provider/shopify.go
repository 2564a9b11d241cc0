package provider

import (
	"regexp"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// shopify: metrics and x-dc read off responses behind Cloudflare.
// cfRequestDuration minus processing (52-14, 130-54, 101-65) is the haul
// between edge and region, and waiting.
func shopify() family {
	return family{name: "shopify", layer: LayerApp,
		sign: anyOf(hasHeader("x-shopid", "x-shopify-stage"), headerHas("x-dc", "gcp-"), hasMetric("cfRequestDuration"),
			allOf(hasMetric("edge"), hasMetric("servedBy", "country", "pageType"))),
		rules: append(shopifyTimes(), shopifyPlaces()...)}
}

func shopifyTimes() []rule {
	part := func(metric, meaning string) rule {
		return rule{metric: metric, time: tells(Aside, Exact, "processing"), evidence: Seen, meaning: meaning, caveat: "inside processing, never added to it"}
	}
	return []rule{
		{metric: "cfRequestDuration", time: tells(Total, Exact), evidence: Seen,
			meaning: "the request as the edge saw it, the haul to the region included", caveat: "undocumented; not the client's round trip to the edge"},
		{metric: "processing", time: tells(UpstreamOrigin, Exact, "cfRequestDuration"), evidence: Seen,
			meaning: "the application's work", caveat: "not the haul between edge and region"},
		part("db", "the application's database time"), part("db_async", "database time beside other work"),
		part("render", "time to render"), part("fetch", "time spent fetching"),
	}
}

func shopifyPlaces() []rule {
	return []rule{
		{metric: "edge", when: not(hasHeader("cf-ray").hold), places: at(Accepted, geo.Cloudflare, `^([A-Z]{3})$`), unit: "site code", evidence: Seen,
			meaning: "the edge site that accepted the connection", caveat: "a place in a field for times"},
		{header: "x-dc", places: shopifyRegions, unit: "cloud regions", evidence: Seen,
			meaning: "the regions that worked on the request", caveat: "which did what is not documented; no time"},
		{metric: "country", unit: "text", evidence: Seen, meaning: "the country the client is taken to be in", caveat: "no place of a server"},
	}
}

var shopifyRegion = regexp.MustCompile(`^gcp-([a-z]+-[a-z]+[0-9]+)$`)

func shopifyRegions(value string) []site {
	var sites []site
	for _, region := range strings.Split(value, ",") {
		m := shopifyRegion.FindStringSubmatch(strings.TrimSpace(region))
		if m == nil {
			continue
		}
		if s := (site{Compute, m[1], geo.GCP}); !slices.Contains(sites, s) {
			sites = append(sites, s)
		}
	}
	return sites
}
