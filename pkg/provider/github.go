package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// github is GitHub Pages behind Fastly.
func github() family {
	return family{name: "github-pages", layer: LayerGateway,
		sign: anyOf(hasHeader("x-github-edge-region"), headerHas("server", "github.com")),
		rules: []rule{
			{header: "x-github-edge-region", places: at(Compute, geo.Azure, `^([a-z]+[0-9]?)$`), unit: "Azure region", evidence: Guess,
				meaning: "taken to be the region on the origin's side", caveat: "undocumented; Fastly accepted the connection, at the end of X-Served-By"},
		}}
}
