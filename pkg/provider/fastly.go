package provider

import (
	"regexp"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// fastly: fastly.com/documentation/reference/http/http-headers, pages X-Timer,
// X-Served-By, X-Cache, Fastly-Debug-Path and Fastly-Debug-TTL.
func fastly() family {
	return family{name: "fastly", layer: LayerEdge, via: "varnish",
		sign: anyOf(headerHas("x-timer", ",ve"), hasHeader("fastly-debug-path", "fastly-debug-ttl", "x-fastly-request-id"), headerShows("x-served-by", servedByCache)),
		rules: []rule{
			{header: "x-timer", unit: "S in seconds since 1970, VE in ms",
				meaning: "VE is the time from the request's start to the response: near 0 on a hit, the fetch from the origin on a miss",
				caveat:  "does not part Fastly from the origin; with a shield it is the outer node's figure"},
			// Seen: the last entry is the node the client spoke to, the first the shield.
			{header: "x-served-by", places: fastlyServers, unit: "node names ending in a site code", evidence: Seen,
				meaning: "the nodes passed; the last accepted the connection, one before it is the shield",
				caveat:  "Fastly warns against logic on node names; some codes are metropolitan areas, not airports"},
			{header: "fastly-debug-path", places: fastlyPath, unit: "node names with seconds since 1970",
				meaning: "the nodes passed; the first accepted the connection (the opposite order of X-Served-By)",
				caveat:  "only on request (Fastly-Debug: 1); whole seconds are no timing"},
			{header: "fastly-debug-ttl", unit: "s", meaning: "H or M for each node, then remaining lifetimes",
				caveat: "lifetimes are no timing"},
			{header: "x-cache-hits", unit: "count", meaning: "how often each node had served the object", caveat: "no time"},
			{header: "x-fastly-request-id", unit: "id", meaning: "Fastly's request id", caveat: "no time and no place"},
		},
		derive: fastlyTimer}
}

var (
	fastlyNode = regexp.MustCompile(`^cache-[a-z0-9-]*-([A-Z]{3})$`)
	debugNode  = regexp.MustCompile(`\(([DF]) cache-[a-z0-9-]*-([A-Z]{3}) [0-9]+\)`)
	timerVE    = regexp.MustCompile(`(?:^|,)VE([0-9]+)`)
)

func servedByCache(f *facts) bool {
	for _, v := range f.values("x-served-by") {
		if len(fastlyServers(v)) > 0 {
			return true
		}
	}
	return false
}

func fastlyServers(value string) []site {
	var codes []string
	for _, node := range strings.Split(value, ",") {
		if m := fastlyNode.FindStringSubmatch(strings.TrimSpace(node)); m != nil {
			codes = append(codes, m[1])
		}
	}
	return fastlyChain(codes, len(codes)-1)
}

func fastlyPath(value string) []site {
	var codes []string
	for _, m := range debugNode.FindAllStringSubmatch(value, -1) {
		if m[1] == "D" {
			codes = append(codes, m[2])
		}
	}
	return fastlyChain(codes, 0)
}

// fastlyChain makes the code at index accepting the accepted place and the
// others tiers.
func fastlyChain(codes []string, accepting int) []site {
	var sites []site
	for i, code := range codes {
		if i == accepting {
			sites = append([]site{{Accepted, code, geo.Fastly}}, sites...)
		} else {
			sites = append(sites, site{Tier, code, geo.Fastly})
		}
	}
	return sites
}

// fastlyTimer reads VE of X-Timer, which bounds everything behind the node.
func fastlyTimer(d *draft) {
	value := last(d.facts.values("x-timer"))
	m := timerVE.FindStringSubmatch(value)
	if m == nil {
		return
	}
	a, problem := measure(m[1], tells(Total, Exact).unit)
	if problem != "" {
		d.reading.warn("x-timer", problem)
		return
	}
	d.addSpan(Span{Role: Total, Lo: a.d, Hi: a.d, Step: a.step, Metrics: 1, Source: "x-timer VE", Text: clip(value)}, "x-timer", nil)
}
