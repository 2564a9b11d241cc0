package provider

// dropbox: header read off responses.
func dropbox() family {
	return family{name: "dropbox", layer: LayerApp,
		sign: hasHeader("x-dropbox-response-origin"),
		rules: []rule{
			{header: "x-dropbox-response-origin", unit: "local, remote or far_remote", evidence: Seen,
				meaning: "how far the answering servers are from the edge", caveat: "a class of distance, no place and no time"},
		}}
}
