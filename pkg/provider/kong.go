package provider

// kong: developer.konghq.com, headers of the Kong gateway, and its support page
// on a proxy latency beyond the service's time-out.
func kong() family {
	return family{name: "kong", layer: LayerGateway,
		preset: []string{"pre_forward=header:x-kong-proxy-latency", "upstream=header:x-kong-upstream-latency"},
		sign:   anyOf(hasHeader("x-kong-proxy-latency", "x-kong-upstream-latency", "x-kong-response-latency"), headerHas("via", "kong/"), headerHas("server", "kong/")),
		rules: []rule{
			{header: "x-kong-proxy-latency", time: tells(PreForward, Exact),
				meaning: "Kong's own time before it sent the request on", caveat: "after time-outs it holds all retries"},
			{header: "x-kong-upstream-latency", time: tells(Upstream, Exact),
				meaning: "how long Kong waited for the upstream's answer, the upstream's work included",
				caveat:  "does not part the network from the upstream's work"},
			{header: "x-kong-response-latency", time: tells(Total, Exact), evidence: Guess,
				meaning: "Kong's time when it answered itself", caveat: "taken to come only without an upstream"},
		},
		derive: kongRetries}
}

// kongRetries doubts a proxy latency without an upstream latency: nothing was
// forwarded to the end, and all tries may be inside (300007 ms were seen).
func kongRetries(d *draft) {
	if _, ok := d.figure("x-kong-upstream-latency"); !ok {
		d.doubt("x-kong-proxy-latency", "no upstream latency beside it: failed tries may be inside")
	}
}
