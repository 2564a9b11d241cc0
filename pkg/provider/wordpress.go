package provider

import (
	"regexp"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// wordpressCom is WordPress.com's own edge; its fields were read off responses.
func wordpressCom() family {
	return family{name: "wordpress.com", layer: LayerEdge,
		sign: anyOf(hasMetric("a8c-cdn"), hasHeader("x-ac")),
		rules: []rule{
			{metric: "a8c-cdn", unit: "none", evidence: Seen, meaning: "WordPress.com's edge answered", caveat: "no time and no place"},
			{metric: "dc", places: at(Accepted, geo.IATA, `^([a-z]{3})$`), unit: "site code", evidence: Seen,
				meaning: "the data centre that accepted the connection", caveat: "a place in a field for times; not where the site's code ran"},
			{metric: "cache", time: tells(Total, Exact), cache: cacheWord, evidence: Seen,
				meaning: "what the edge's cache did, and how long the edge waited for the answer, the origin included",
				caveat:  "does not part the edge from the origin"},
			{header: "x-ac", places: wordpressPlaces, cache: cacheWord, unit: "site codes and cache state", evidence: Seen,
				meaning: "the accepting data centre after the first dot; after _atomic_ the one that ran the site's code",
				caveat:  "undocumented; no time"},
		}}
}

var (
	acEdge    = regexp.MustCompile(`^[0-9]+\.([a-z]{3}) `)
	acCompute = regexp.MustCompile(` _atomic_([a-z]{3})(?: |$)`)
)

func wordpressPlaces(value string) []site {
	var sites []site
	if m := acEdge.FindStringSubmatch(value); m != nil {
		sites = append(sites, site{Accepted, m[1], geo.IATA})
	}
	if m := acCompute.FindStringSubmatch(value); m != nil {
		sites = append(sites, site{Compute, m[1], geo.IATA})
	}
	return sites
}

// performanceLab is WordPress's Performance Lab plugin:
// WordPress/performance plugins/performance-lab/includes/server-timing. It puts
// bytes and counts into dur, so that only names known to be times are times.
func performanceLab() family {
	return family{name: "wordpress-performance-lab", layer: LayerApp,
		sign: hasMetric("wp-total", "wp-before-template", "wp-template", "wp-bootstrap"),
		rules: []rule{
			{metric: "wp-total", time: &timing{role: UpstreamOrigin, unit: time.Millisecond},
				meaning: "WordPress's time until the page was made", caveat: "not the web server in front of PHP"},
			wordpressPart("wp-before-template", "time before the template, inside wp-total"),
			wordpressPart("wp-template", "time in the template, inside wp-total"),
			wordpressPart("wp-bootstrap", "time to load WordPress, inside wp-total"),
			wordpressCount("wp-memory-usage", "bytes", "memory in use"),
			wordpressCount("wp-memory-peak", "bytes", "most memory in use"),
			wordpressCount("wp-db-queries", "count", "database queries"),
			wordpressCount("wp-files-loaded", "count", "PHP files loaded"),
			wordpressCount("wp-cache-hits", "count", "object cache hits"),
			wordpressCount("wp-cache-misses", "count", "object cache misses"),
			wordpressCount("wp-ext-obj-cache", "0 or 1", "whether an external object cache is used"),
		}}
}

func wordpressPart(metric, meaning string) rule {
	return rule{metric: metric, time: tells(Aside, Exact, "wp-total"), meaning: meaning, caveat: "part of wp-total, never added to it"}
}

func wordpressCount(metric, unit, meaning string) rule {
	return rule{metric: metric, unit: unit, meaning: meaning, caveat: "stands in dur but is no time"}
}
