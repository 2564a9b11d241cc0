package provider

// nginx, OpenResty included, says nothing by default. Sites add headers from
// $upstream_connect_time, $upstream_header_time, $upstream_response_time and
// $request_time (nginx.org ngx_http_upstream_module, ngx_http_core_module):
// seconds with three decimals, connect inside header inside response. The
// preset takes the header with which most recipes send the second one.
func nginx() family {
	return family{name: "nginx", layer: LayerGateway,
		sign:   anyOf(headerHas("server", "nginx"), headerHas("server", "openresty")),
		preset: []string{"upstream=header:x-upstream-header-time@s"}}
}
