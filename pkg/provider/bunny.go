package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// bunny: bunny.net/docs/scripting/regions; the fields themselves were read off
// responses.
func bunny() family {
	return family{name: "bunny", layer: LayerEdge, server: "bunnycdn",
		sign: anyOf(headerHas("server", "bunnycdn"), hasHeader("cdn-requestid", "cdn-pullzone")),
		rules: []rule{
			{header: "server", places: at(Accepted, geo.Bunny, `^BunnyCDN-([A-Z]{2,3}[0-9]*)-[0-9]+$`), unit: "site code", evidence: Seen,
				meaning: "the Bunny site that answered stands after BunnyCDN-",
				caveat:  "Bunny's own codes, not airports; an edge script may have run at a further site"},
			{header: "cdn-cache", cache: cacheWord, unit: "text", evidence: Seen,
				meaning: "what Bunny's cache did", caveat: "a hit replays the origin's fields of an earlier request"},
			{header: "cdn-requesttime", unit: "unknown", evidence: Seen, meaning: "a number whose unit and meaning are not published",
				caveat: "used for no segment"},
		}}
}
