package provider

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// cloudflare: developers.cloudflare.com, rules language fields
// cf.timings.edge_msec and cf.timings.origin_ttfb_msec; that cfEdge and
// cfOrigin carry the same numbers fits every sample but is nowhere stated.
func cloudflare() family {
	return family{name: "cloudflare", layer: LayerEdge, server: "cloudflare",
		preset: []string{"pre_forward=cfEdge", "upstream=cfOrigin"},
		sign: anyOf(hasHeader("cf-ray", "cf-cache-status", "cf-placement"), headerHas("server", "cloudflare"),
			hasMetric("cfEdge", "cfOrigin", "cfWorker", "cfL4", "cfCacheStatus", "cfExtPri", "cfSpeedEdge")),
		rules: append(cloudflareTimes(), cloudflarePlaces()...)}
}

func cloudflareTimes() []rule {
	return []rule{
		// Field edge_msec: headers accepted .. response headers ready, minus forwarding.
		{metric: "cfEdge", time: tells(PreForward, AtMost), evidence: Guess,
			meaning: "Cloudflare's own time, before and after the request was forwarded, without the origin",
			caveat:  "not the wait before forwarding: only an upper bound for it"},
		// Field origin_ttfb_msec: round trip plus origin work, 0 when served from cache.
		{metric: "cfOrigin", time: tells(Upstream, Exact), evidence: Guess,
			meaning: "from Cloudflare to the origin and back, the origin's work included; 0: the origin was not asked",
			caveat:  "does not part the network from the origin's work"},
		// Seen: with cfOrigin;dur=0 beside it, and not part of cfEdge (205 + 272 of one request).
		{metric: "cfWorker", time: tells(Function, Exact), evidence: Seen,
			meaning: "a Worker ran for so long, whatever it fetched included; with cfOrigin 0 the Worker is the origin",
			caveat:  "does not say where it ran nor how much of it was waiting"},
		{metric: "cfSpeedEdge", unit: "ms", evidence: Guess, meaning: "speed test: time at the edge",
			caveat: "undocumented, used for no segment"},
		{metric: "cfSpeedWorker", unit: "ms", evidence: Guess, meaning: "speed test: time in the Worker",
			caveat: "undocumented, used for no segment"},
		{metric: "cfExtPri", unit: "none", evidence: Seen, meaning: "marks the use of extensible priorities",
			caveat: "no time and no place"},
		// Values of 9,580 to 142,225 match Workers' clientTcpRtt only as microseconds.
		{metric: "cfL4", peer: cloudflarePeer, unit: "rtt, min_rtt and rtt_var in microseconds", evidence: Seen,
			meaning: "the edge's own measurement of the TCP or QUIC connection that reached it",
			caveat:  "its peer may be a proxy in front of the client; sent=1 and recv=3 mean only the handshake was seen"},
	}
}

func cloudflarePlaces() []rule {
	return []rule{
		{metric: "cfCacheStatus", cache: cacheWord, unit: "text", evidence: Seen,
			meaning: "what Cloudflare's cache did", caveat: "a hit replays the origin's fields of an earlier request"},
		{header: "cf-cache-status", cache: cacheWord, unit: "text",
			meaning: "what Cloudflare's cache did", caveat: "a hit replays the origin's fields of an earlier request"},
		{header: "cf-ray", places: after('-', 3, 'A', 'Z', Accepted, geo.Cloudflare), unit: "id and site code",
			meaning: "the Cloudflare site that accepted the connection stands after the last hyphen",
			caveat:  "not where a Worker or the origin ran"},
		// Called beta in Cloudflare's published material; the product pages are silent.
		{header: "cf-placement", places: at(Compute, geo.Cloudflare, `^(?i:local|remote)-([A-Z]{3})$`), unit: "site code", evidence: Seen,
			meaning: "where the Worker ran: local at the accepting site, remote elsewhere",
			caveat:  "may change from request to request; on a cache hit it may belong to an earlier one"},
	}
}

// cloudflarePeer reads cfL4's description, a query string after an optional
// "?"; keys come and go between responses.
func cloudflarePeer(desc string) (Peer, bool) {
	get, ok := query(strings.TrimPrefix(desc, "?"))
	if !ok {
		return Peer{}, false
	}
	p := Peer{Proto: get("proto"), RTT: micros(get("rtt")), MinRTT: micros(get("min_rtt"))}
	return p, p.RTT > 0 || p.MinRTT > 0
}

// query returns what reads a query string. A short one without escapes needs
// no map.
func query(text string) (get func(key string) string, ok bool) {
	if len(text) > MaxRaw || strings.ContainsAny(text, "%+;") {
		q, err := url.ParseQuery(text)
		return q.Get, err == nil
	}
	return func(key string) string {
		for pair := range strings.SplitSeq(text, "&") {
			if k, v, _ := strings.Cut(pair, "="); k == key {
				return v
			}
		}
		return ""
	}, true
}

// micros reads whole microseconds up to an hour, 0 if the text is none.
func micros(text string) time.Duration {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > uint64(time.Hour/time.Microsecond) {
		return 0
	}
	return time.Duration(n) * time.Microsecond
}
