package provider

// haproxy says nothing by default. Sites add headers from req.timer.queue (Tw),
// bc.timer.connect (Tc) and res.timer.hdr (Tr) (haproxy/haproxy
// doc/configuration.txt 8.4): milliseconds, -1 if it never happened. Tw is the
// wait before the forward; Tc and Tr follow one another and make the upstream.
func haproxy() family {
	return family{name: "haproxy", layer: LayerGateway,
		sign: headerHas("server", "haproxy"),
		preset: []string{"pre_forward=header:x-haproxy-tw",
			"upstream=header:x-haproxy-tc", "upstream=header:x-haproxy-tr"}}
}
