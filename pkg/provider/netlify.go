package provider

// netlify: fields read off responses; its Cache-Status follows RFC 9211 and is
// read by the standard rules. Neither field names a site.
func netlify() family {
	return family{name: "netlify", layer: LayerEdge, server: "netlify",
		sign: anyOf(hasHeader("x-nf-request-id"), headerHas("server", "netlify"), headerHas("cache-status", "netlify edge")),
		rules: []rule{
			{header: "x-nf-request-id", unit: "id", evidence: Seen, meaning: "Netlify's request id",
				caveat: "no time and no place: Netlify names neither its edge nor where a function ran"},
		}}
}
