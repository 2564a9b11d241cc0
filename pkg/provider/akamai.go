package provider

import (
	"net/netip"
	"regexp"
	"strconv"
)

// akamai: developer.akamai.com/blog/2018/11/16, "Using CDN Server-Timing to
// monitor CDN and origin performance" (T. Vereecke); ak_p is undocumented.
func akamai() family {
	return family{name: "akamai", layer: LayerEdge, server: "akamai",
		preset: []string{"pre_forward=edge", "upstream=origin"},
		sign:   anyOf(hasMetric("ak_p", "cdn-cache"), headerHas("server", "akamai"), headerHas("x-cache", "akamai"), hasHeader("x-akamai-transformed")),
		rules: []rule{
			{metric: "cdn-cache", cache: cacheWord, unit: "text",
				meaning: "what Akamai's cache did", caveat: "a hit replays the origin's fields of an earlier request"},
			{metric: "edge", when: akamaiMetrics().hold, time: tells(PreForward, AtMost),
				meaning: "time inside Akamai without the forward to the origin",
				caveat:  "before and after the forward together; the haul between two Akamai servers is in neither metric"},
			{metric: "origin", when: akamaiMetrics().hold, time: tells(Upstream, AtLeast),
				meaning: "from the Akamai server nearest the origin to the origin and back, the origin's work included",
				caveat:  "starts at the last Akamai server: the haul from the edge to that one is missing"},
			// Seen: field 2 decodes to Akamai addresses; the older form has a short number for the time.
			{metric: "ak_p", places: akamaiAddress, unit: "none: dur is always 1", evidence: Seen,
				meaning: "an undocumented trace; its second field is the edge server's IPv4 address as an integer",
				caveat:  "its dur is a constant and no time"},
			{header: "x-akamai-transformed", unit: "text", evidence: Seen, meaning: "Akamai changed the content", caveat: "no time and no place"},
		}}
}

// akamaiMetrics asks for the company in which Akamai writes "edge" and
// "origin"; without it these names are somebody else's.
func akamaiMetrics() signs { return hasMetric("cdn-cache", "ak_p") }

// akPath is the newer form: milliseconds since 1970, then the address.
var akPath = regexp.MustCompile(`^[0-9]{13}_([0-9]{8,10})_`)

func akamaiAddress(desc string) []site {
	m := akPath.FindStringSubmatch(desc)
	if m == nil {
		return nil
	}
	n, err := strconv.ParseUint(m[1], 10, 32)
	if err != nil {
		return nil
	}
	addr := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	return []site{{Accepted, addr.String(), SchemeIP}}
}
