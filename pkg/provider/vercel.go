package provider

import (
	"regexp"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// vercel: vercel.com/docs/headers/request-headers, x-vercel-id: the regions the
// request hit and the region the function ran in.
func vercel() family {
	return family{name: "vercel", layer: LayerEdge, server: "vercel",
		sign: anyOf(hasHeader("x-vercel-id", "x-vercel-cache"), headerHas("server", "vercel")),
		rules: []rule{
			{header: "x-vercel-id", places: vercelRegions, unit: "regions and an id joined by ::",
				meaning: "the first region accepted the connection; the last before the id ran the function",
				caveat:  "with one region alone no function region is named; the id is no time"},
			{header: "x-vercel-cache", cache: cacheWord, unit: "text",
				meaning: "what Vercel's cache did", caveat: "a hit replays the fields of an earlier response"},
		}}
}

var vercelRegion = regexp.MustCompile(`^[a-z]{3}[0-9]$`)

// vercelRegions reads the regions up to the id. A part of another shape
// ("cle1iadd", from one gateway) names no place.
func vercelRegions(value string) []site {
	parts := strings.Split(value, "::")
	regions := parts[:len(parts)-1]
	var sites []site
	for i, code := range regions {
		if !vercelRegion.MatchString(code) {
			continue
		}
		sites = append(sites, site{vercelRole(i, len(regions)), code, geo.Vercel})
	}
	return sites
}

func vercelRole(i, n int) PlaceRole {
	switch {
	case i == 0:
		return Accepted
	case i == n-1:
		return Compute
	}
	return Tier
}
