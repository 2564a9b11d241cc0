package provider

import "strings"

// wix: metrics read off responses. dc names a pool of servers, no site.
func wix() family {
	return family{name: "wix", layer: LayerGateway,
		sign: allOf(hasMetric("varnish"), hasMetric("dc")),
		rules: []rule{
			{metric: "cache", cache: cacheWord, unit: "text", evidence: Seen, meaning: "what Wix's cache did", caveat: "no time"},
			{metric: "varnish", cache: wixVarnish, unit: "text", evidence: Seen, meaning: "what each Varnish did", caveat: "no time"},
			{metric: "dc", unit: "text", evidence: Seen, meaning: "the pool of servers that made the page",
				caveat: "a pool's name, read as no place; the part before _ names the CDN in front"},
		}}
}

// wixVarnish reads one state for each layer; only the first can be a hit of
// the answer that was sent.
func wixVarnish(desc string) CacheState {
	first, _, _ := strings.Cut(desc, "_")
	return cacheWord(first)
}
