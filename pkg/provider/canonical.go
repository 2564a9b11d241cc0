package provider

import "strings"

// canonical is this project's own vocabulary: whoever writes these names has
// said what they mean, so that they need no mapping. Both "_" and "-" are
// taken because header tooling often allows only one of them.
func canonical() family {
	return family{name: "named", layer: LayerNamed, rules: []rule{
		named("pre_forward", PreForward), named("pre-forward", PreForward),
		named("upstream", Upstream),
		named("upstream.network", UpstreamNetwork), named("upstream-network", UpstreamNetwork),
		named("upstream.origin", UpstreamOrigin), named("upstream-origin", UpstreamOrigin),
		akamaiAside(named("origin", UpstreamOrigin)),
	}}
}

var namedMeaning = map[Role]string{
	PreForward:      "the edge's wait before it sent the request on, under this project's own name",
	Upstream:        "the time from the edge to the origin and back, under this project's own name",
	UpstreamNetwork: "the part of upstream between edge and origin, under this project's own name",
	UpstreamOrigin:  "the origin's own work, under this project's own name",
}

func named(metric string, role Role) rule {
	t := tells(role, Exact)
	t.doubt = gluedSeconds
	return rule{metric: metric, time: t, meaning: namedMeaning[role],
		caveat: "the author chose the name; nothing here proves where the clock stood"}
}

// akamaiAside gives the name "origin" to Akamai where Akamai writes it.
func akamaiAside(r rule) rule {
	r.when = not(akamaiMetrics().hold)
	return r
}

// threeAndZeros tells a seconds value with three decimals as nginx prints it and
// the literal 000 a known recipe appends to turn it into milliseconds, which
// it does not ("0.123" becomes "0.123000").
func threeAndZeros(text string) bool {
	return strings.HasSuffix(text, "000") && hasDecimals(text, 6)
}

func gluedSeconds(text string) string {
	if threeAndZeros(text) {
		return "looks like seconds with 000 appended, the mark of a known nginx recipe"
	}
	return ""
}
