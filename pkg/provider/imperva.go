package provider

// imperva: X-Iinfo is undocumented; its numbers change with the connection but
// nothing says what they count.
func imperva() family {
	return family{name: "imperva", layer: LayerEdge,
		sign: anyOf(hasHeader("x-iinfo"), headerHas("x-cdn", "imperva"), headerHas("x-cdn", "incapsula")),
		rules: []rule{
			{header: "x-iinfo", unit: "unknown", evidence: Seen, meaning: "an undocumented trace of the request",
				caveat: "its CT and RT numbers are used for no segment"},
			{header: "x-cdn", unit: "text", evidence: Seen, meaning: "Imperva stands in front", caveat: "no time and no place"},
		}}
}
