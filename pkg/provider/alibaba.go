package provider

import (
	"regexp"
	"strings"
)

// alibaba is Alibaba Cloud's CDN: its Via was read off responses. The numbers
// in brackets grow toward the client and look like milliseconds for each hop,
// but nothing documents them, so that they are used for no segment.
func alibaba() family {
	return family{name: "alibaba", layer: LayerEdge,
		sign: anyOf(headerShows("via", viaAlibaba), hasHeader("x-swift-cachetime", "x-swift-savetime", "eagleid")),
		rules: []rule{
			{header: "via", places: alibabaPlaces, cache: alibabaCache, unit: "node names; unknown numbers in brackets", evidence: Guess,
				meaning: "the nodes passed, the last one nearest the client; l2 marks the parent tier, H and M hit and miss",
				caveat:  "the numbers in brackets are undocumented and used for no segment; site codes are Alibaba's own"},
		}}
}

// alibabaOSS is the object store often found behind that CDN; its headers were
// read off responses.
func alibabaOSS() family {
	return family{name: "alibaba-oss", layer: LayerApp,
		sign: hasHeader("x-oss-server-time", "x-oss-request-id"),
		rules: []rule{
			{header: "x-oss-server-time", time: tells(UpstreamOrigin, Exact), evidence: Seen,
				meaning: "the object store's own time for the request", caveat: "replayed from storage on a cache hit"},
			{header: "x-oss-request-id", unit: "id", evidence: Seen, meaning: "the object store's request id", caveat: "no time and no place"},
		}}
}

var (
	alibabaNode = regexp.MustCompile(`^(?:ens-)?cache[0-9]+\.((l2)?[a-z]{2}[a-z0-9-]*)\[([^\]]*)\]$`)
	alibabaFlag = regexp.MustCompile(`,([HM])$`)
)

func viaAlibaba(f *facts) bool {
	for _, v := range f.values("via") {
		if !strings.Contains(v, "cache") {
			continue
		}
		for _, hop := range hops(v) {
			if alibabaNode.MatchString(hop) {
				return true
			}
		}
	}
	return false
}

// alibabaPlaces takes the last hop for the accepting one only if it is
// Alibaba's; a private cache in front leaves that unknown.
func alibabaPlaces(value string) []site {
	all := hops(value)
	var sites []site
	for i := len(all) - 1; i >= 0; i-- {
		m := alibabaNode.FindStringSubmatch(all[i])
		if m == nil {
			continue
		}
		s := site{Tier, m[1], SchemeAlibaba}
		if i == len(all)-1 && m[2] == "" {
			s.role = Accepted
		}
		if len(sites) == 0 || sites[len(sites)-1].code != s.code {
			sites = append(sites, s)
		}
	}
	return sites
}

func alibabaCache(value string) CacheState {
	state := CacheUnknown
	for _, hop := range hops(value) {
		m := alibabaNode.FindStringSubmatch(hop)
		if m == nil {
			continue
		}
		switch flag := alibabaFlag.FindStringSubmatch(m[3]); {
		case flag == nil:
		case flag[1] == "H":
			return CacheHit
		default:
			state = CacheMiss
		}
	}
	return state
}
