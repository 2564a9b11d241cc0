package provider

// anthropic: metric read off responses; it encloses the Envoy time beside it in
// six of six of them, and its dur may be empty.
func anthropic() family {
	return family{name: "anthropic", layer: LayerGateway,
		preset: []string{"upstream=x-originResponse"},
		sign:   hasMetric("x-originResponse"),
		rules: []rule{
			{metric: "x-originResponse", time: tells(Upstream, Exact), evidence: Seen,
				meaning: "how long the edge waited for the origin's answer, the origin's work included",
				caveat:  "an empty dur means not known, which is not zero"},
		}}
}
