package provider

import "strings"

// varnish: varnish-cache.org documentation of X-Varnish: one transaction id,
// and on a hit a second one, of the request that stored the object.
func varnish() family {
	return family{name: "varnish", layer: LayerGateway,
		sign: hasHeader("x-varnish"),
		rules: []rule{
			{header: "x-varnish", cache: varnishIDs, unit: "ids", meaning: "one id: fetched from the origin; two: a hit", caveat: "no time and no place"},
		}}
}

func varnishIDs(value string) CacheState {
	switch len(strings.Fields(value)) {
	case 1:
		return CacheMiss
	case 2:
		return CacheHit
	}
	return CacheUnknown
}
