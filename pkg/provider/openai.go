package provider

// openai: headers read off responses of OpenAI and of services in its style.
func openai() family {
	return family{name: "openai", layer: LayerApp,
		preset: []string{"upstream.origin=header:openai-processing-ms"},
		sign:   hasHeader("openai-processing-ms", "llm_provider-openai-processing-ms"),
		rules:  []rule{processing("openai-processing-ms"), processing("llm_provider-openai-processing-ms")}}
}

func processing(header string) rule {
	return rule{header: header, time: tells(UpstreamOrigin, Exact), evidence: Seen,
		meaning: "the service's own work: for a stream until about the first byte, else the whole generation",
		caveat:  "not the network in front of the service"}
}
