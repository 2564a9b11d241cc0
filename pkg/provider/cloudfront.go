package provider

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// cloudfront: Amazon CloudFront developer guide, "understanding response
// headers policies", Server-Timing section; x-amz-cf-pop and x-cache from the
// same guide's pages on viewing and troubleshooting responses.
func cloudfront() family {
	return family{name: "cloudfront", layer: LayerEdge, server: "cloudfront", via: "cloudfront",
		sign: anyOf(hasHeader("x-amz-cf-pop", "x-amz-cf-id"), headerHas("via", "cloudfront"), headerHas("x-cache", "cloudfront"),
			hasMetric("cdn-upstream-fbl", "cdn-downstream-fbl", "cdn-pop", "cdn-rid", "cdn-upstream-layer",
				"cdn-cache-hit", "cdn-cache-miss", "cdn-cache-refresh")),
		rules:  append(cloudfrontTimes(), cloudfrontPlaces()...),
		derive: cloudfrontSplit}
}

func cloudfrontTimes() []rule {
	return []rule{
		{metric: "cdn-upstream-dns", time: tells(Aside, Exact, "cdn-downstream-fbl"),
			meaning: "the edge's DNS lookup of the origin", caveat: "0 also when an open connection was reused"},
		{metric: "cdn-upstream-connect", time: tells(Aside, Exact, "cdn-downstream-fbl"),
			meaning: "the edge's connection set-up to the origin",
			caveat:  "documented as before cdn-upstream-fbl; two samples fit only if it lies inside"},
		{metric: "cdn-upstream-fbl", time: tells(Aside, Exact, "cdn-downstream-fbl"),
			meaning: "from the request to the origin to its first byte, the origin's work included",
			caveat:  "does not part the network from the origin's work"},
		{metric: "cdn-downstream-fbl", time: tells(Total, Exact),
			meaning: "from the request read at the edge to the first byte of the answer going out",
			caveat:  "not the client's round trip to the edge"},
	}
}

func cloudfrontPlaces() []rule {
	return []rule{
		{metric: "cdn-upstream-layer", unit: "text",
			meaning: "who contacted the origin: EDGE, REC (regional edge cache) or Origin Shield",
			caveat:  "through REC or Origin Shield the haul between the two is in no metric"},
		{metric: "cdn-cache-hit", cache: always(CacheHit), unit: "none", meaning: "answered from the cache", caveat: "the origin's value of the field is dropped"},
		{metric: "cdn-cache-miss", cache: always(CacheMiss), unit: "none", meaning: "not in the cache; the origin answered", caveat: "not how long that took"},
		{metric: "cdn-cache-refresh", cache: always(CacheRevalidated), unit: "none", meaning: "the cache asked the origin whether its copy still holds", caveat: "the fields may be of an earlier request"},
		{metric: "cdn-hit-layer", unit: "text", meaning: "which layer had it: EDGE, REC or Origin Shield", caveat: "not where that layer is"},
		{metric: "cdn-rid", unit: "id", meaning: "CloudFront's request id", caveat: "no time and no place; take it out of shared reports"},
		{metric: "cdn-pop", places: at(Accepted, geo.CloudFront, `^([A-Z]{3}[0-9]+(?:-[A-Z][0-9]+)?)$`), unit: "site code",
			meaning: "the CloudFront site that accepted the connection", caveat: "not where the origin or a Lambda@Edge function ran"},
		{header: "x-amz-cf-pop", places: at(Accepted, geo.CloudFront, `^([A-Z]{3}[0-9]+(?:-[A-Z][0-9]+)?)$`), unit: "site code",
			meaning: "the CloudFront site that accepted the connection",
			caveat:  "not where the origin ran; another edge may have copied it from its own fetch"},
		{header: "x-amz-cf-id", unit: "id", meaning: "CloudFront's request id", caveat: "no time and no place"},
	}
}

// cloudfrontSplit parts the edge's total on a miss. By the documentation dns,
// connect and fbl follow one another; samples (connect 180, fbl 404 of 410)
// fit only if fbl contains connect. Both readings bound the truth.
func cloudfrontSplit(d *draft) {
	fbl, ok := d.figure("cdn-upstream-fbl")
	if !ok {
		return
	}
	parts := []Span{fbl}
	before := fbl.Hi
	for _, key := range []string{"cdn-upstream-dns", "cdn-upstream-connect"} {
		if s, ok := d.figure(key); ok {
			parts, before = append(parts, s), saturate(before, s.Hi)
		}
	}
	whole, known := d.figure("cdn-downstream-fbl")
	upstream := combine(Upstream, Between, fbl.Lo, before, parts...)
	if known {
		upstream.Hi = max(min(upstream.Hi, whole.Hi), fbl.Lo)
	}
	if upstream.Lo == upstream.Hi {
		upstream.Bound = Exact
	}
	d.addSpan(upstream, "upstream", []string{"cdn-downstream-fbl"})
	if known {
		d.addSpan(cloudfrontOwn(d, whole, fbl, before, parts), "pre_forward", []string{"cdn-downstream-fbl"})
	}
}

// cloudfrontOwn is the edge's time outside upstream. Through a second layer it
// also holds the haul to that layer, so that nothing bounds it from below.
func cloudfrontOwn(d *draft, whole, fbl Span, before time.Duration, parts []Span) Span {
	own := combine(PreForward, Between, whole.Lo-before, whole.Hi-fbl.Lo, append(parts, whole)...)
	if d.metricDesc("cdn-upstream-layer") != "EDGE" {
		own.Bound = AtMost
	}
	return own
}
