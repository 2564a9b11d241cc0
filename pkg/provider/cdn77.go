package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// cdn77: fields read off responses.
func cdn77() family {
	return family{name: "cdn77", layer: LayerEdge, server: "cdn77",
		sign: anyOf(hasHeader("x-77-pop"), headerHas("server", "cdn77")),
		rules: []rule{
			{header: "x-77-pop", places: at(Accepted, geo.CDN77, `^([a-z]+[A-Z]{2,5})$`), unit: "city, country and in the US the state", evidence: Seen,
				meaning: "the CDN77 site that accepted the connection", caveat: "not an airport code"},
			{header: "x-77-cache", cache: cacheWord, unit: "text", evidence: Seen,
				meaning: "what CDN77's cache did", caveat: "a hit replays the origin's fields of an earlier request"},
		}}
}
