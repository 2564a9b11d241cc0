package provider

// caddy says nothing by default. Sites add a header from
// {http.reverse_proxy.upstream.latency_ms}, or without _ms a Go duration
// (caddyserver/caddy modules/caddyhttp/reverseproxy/reverseproxy.go): the time
// to the upstream's response header.
func caddy() family {
	return family{name: "caddy", layer: LayerGateway,
		sign:   anyOf(headerHas("server", "caddy"), headerHas("via", "caddy")),
		preset: []string{"upstream=header:x-caddy-upstream-latency"}}
}
