package provider

import (
	"regexp"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// wikimedia: wikimedia/operations-puppet modules/varnish (the cache and host
// metrics); the first digit of a host's number is its data centre.
func wikimedia() family {
	return family{name: "wikimedia", layer: LayerEdge,
		sign: anyOf(headerShows("x-cache", wikimediaCache), metricShows("host", wikimediaHostMetric)),
		rules: []rule{
			{metric: "cache", cache: cacheWord, unit: "text", meaning: "what Wikimedia's caches did", caveat: "no time"},
			{metric: "host", places: at(Accepted, geo.Wikimedia, `^(cp[1-7][0-9]{3})$`), unit: "host name",
				meaning: "the cache host that accepted the connection; its first digit is the data centre", caveat: "no time"},
			{header: "x-cache", places: wikimediaHops, cache: cacheWord, unit: "hosts and states", evidence: Seen,
				meaning: "the cache hosts passed; the last accepted the connection", caveat: "no time"},
		}}
}

var (
	wikimediaHop  = regexp.MustCompile(`^(cp[1-7][0-9]{3}) `)
	wikimediaName = regexp.MustCompile(`^cp[1-7][0-9]{3}$`)
)

func wikimediaCache(f *facts) bool { return wikimediaHop.MatchString(last(f.values("x-cache"))) }

func wikimediaHostMetric(f *facts) bool {
	for m := range f.named("host") {
		if wikimediaName.MatchString(m.Desc) {
			return true
		}
	}
	return false
}

func wikimediaHops(value string) []site {
	var sites []site
	all := hops(value)
	for i := len(all) - 1; i >= 0; i-- {
		m := wikimediaHop.FindStringSubmatch(all[i] + " ")
		if m == nil {
			continue
		}
		role := Tier
		if i == len(all)-1 {
			role = Accepted
		}
		sites = append(sites, site{role, m[1], geo.Wikimedia})
	}
	return sites
}
