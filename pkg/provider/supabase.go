package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// supabase: its edge functions' region, near the caller unless the request
// pins one with x-region; Cloudflare stands in front.
func supabase() family {
	return family{name: "supabase", layer: LayerGateway,
		sign: hasHeader("x-sb-edge-region", "sb-gateway-version"),
		rules: []rule{
			{header: "x-sb-edge-region", places: at(Compute, geo.AWS, `^([a-z]{2}(?:-[a-z]+)+-[0-9])$`), unit: "AWS region", evidence: Seen,
				meaning: "the region in which the edge function ran", caveat: "not where the database is; no time"},
		}}
}
