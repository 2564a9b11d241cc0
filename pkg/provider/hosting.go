package provider

// hosting is Render and Heroku, which name neither a time nor a place.
func hosting() family {
	return family{name: "hosting", layer: LayerGateway,
		sign: anyOf(hasHeader("x-render-origin-server", "rndr-id"), headerHas("via", "heroku-router"), headerHas("via", "vegur")),
		rules: []rule{
			{header: "x-render-origin-server", unit: "text", evidence: Seen, meaning: "the server software behind Render", caveat: "no time and no place"},
			{header: "rndr-id", unit: "id", evidence: Seen, meaning: "Render's request id", caveat: "no time and no place"},
		}}
}
