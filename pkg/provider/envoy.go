package provider

import (
	"strconv"
	"strings"
)

// envoy is Envoy, and Istio on it: envoyproxy/envoy
// docs/root/configuration/http/http_filters/router_filter.rst.
func envoy() family {
	return family{name: "envoy", layer: LayerGateway,
		preset: []string{"upstream=header:x-envoy-upstream-service-time"},
		sign:   anyOf(hasHeader("x-envoy-upstream-service-time", "x-envoy-attempt-count"), headerHas("server", "envoy")),
		rules: []rule{
			{header: "x-envoy-upstream-service-time", time: tells(Upstream, Exact),
				meaning: "the upstream host's work and the network between Envoy and that host",
				caveat:  "not Envoy's own wait before it sent the request on"},
			{header: "x-envoy-attempt-count", unit: "count", meaning: "how often Envoy tried; above 1 retries are inside its time", caveat: "no time"},
		},
		derive: envoyRetries}
}

func envoyRetries(d *draft) {
	n, err := strconv.Atoi(strings.TrimSpace(last(d.facts.values("x-envoy-attempt-count"))))
	if err == nil && n > 1 {
		d.reading.warn("x-envoy-attempt-count", strconv.Itoa(n)+" attempts: the upstream time holds retries")
	}
}
