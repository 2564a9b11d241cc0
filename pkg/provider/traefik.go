package provider

// traefik says nothing by default: its times are in metrics and access logs
// only, and it adds no field of its own to a response.
func traefik() family {
	return family{name: "traefik", layer: LayerGateway, sign: headerHas("server", "traefik")}
}
