package provider

// litellm: headers read off responses and its unit tests; the upstream's own
// headers come again under llm_provider-.
func litellm() family {
	return family{name: "litellm", layer: LayerGateway,
		preset: []string{"pre_forward=header:x-litellm-overhead-duration-ms"},
		sign: anyOf(hasHeader("x-litellm-overhead-duration-ms", "x-litellm-response-duration-ms", "x-litellm-call-id"),
			hasHeader("llm_provider-openai-processing-ms")),
		rules: []rule{
			{header: "x-litellm-response-duration-ms", time: tells(Total, Exact), evidence: Seen,
				meaning: "the gateway's total for the response", caveat: "for a stream not always until its end"},
			{header: "x-litellm-overhead-duration-ms", time: tells(PreForward, AtMost, "x-litellm-response-duration-ms"), evidence: Seen,
				meaning: "the gateway's own part, before and after the forward", caveat: "an upper bound for the wait before the forward"},
			{header: "x-litellm-call-id", unit: "id", evidence: Seen, meaning: "LiteLLM's call id", caveat: "no time and no place"},
		},
		derive: litellmUpstream}
}

// litellmUpstream is what the gateway's own part leaves of its total.
func litellmUpstream(d *draft) {
	whole, ok := d.figure("x-litellm-response-duration-ms")
	own, known := d.figure("x-litellm-overhead-duration-ms")
	if !ok || !known || own.Hi > whole.Hi {
		return
	}
	s := combine(Upstream, Exact, whole.Hi-own.Hi, whole.Hi-own.Hi, whole, own)
	s.Source = whole.Source + " - " + own.Source
	d.addSpan(s, "upstream", []string{"x-litellm-response-duration-ms"})
}
