package provider

// google: cloud.google.com/spanner/docs/latency-points for gfet4t7;
// cloud.google.com/load-balancing/docs/custom-headers for what a site may add
// under names of its own ({client_rtt_msec}, {cdn_cache_id}), which need a
// mapping.
func google() family {
	return family{name: "google", layer: LayerEdge, via: "google",
		sign: anyOf(hasMetric("gfet4t7"), headerHas("via", "1.1 google")),
		rules: []rule{
			{metric: "gfet4t7", time: tells(Total, Exact),
				meaning: "from the request reaching Google's network to the first byte of the response at Google's front end",
				caveat:  "without TCP and TLS; does not part the front end from the service behind it"},
			{metric: "afe", time: tells(Aside, Exact, "gfet4t7"), evidence: Guess,
				meaning: "time in the service's own front end, taken to lie inside gfet4t7", caveat: "undocumented; used for no segment"},
		}}
}
