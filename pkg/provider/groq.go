package provider

import "github.com/coldsplit/coldsplit/pkg/geo"

// groq: header read off responses; dls means Dallas there.
func groq() family {
	return family{name: "groq", layer: LayerApp,
		sign: hasHeader("x-groq-region"),
		rules: []rule{
			{header: "x-groq-region", places: at(Compute, geo.Groq, `^([a-z]{3})$`), unit: "site code", evidence: Seen,
				meaning: "where the model ran", caveat: "Groq's own codes: dls is Dallas, not The Dalles"},
		}}
}
