package provider

import "strings"

// standard holds the fields that belong to nobody in particular. It names no
// provider and tells no time.
func standard() family {
	return family{name: "standard", layer: layerNobody,
		rules: []rule{
			// RFC 9111 section 5.1.
			{header: "age", unit: "s", meaning: "how long ago the stored response was made; above 0 it came from a cache", caveat: "which cache it came from"},
			// RFC 9211.
			{header: "cache-status", cache: cacheStatus, unit: "text", meaning: "what each cache did, the one nearest the origin first",
				caveat: "no time; fwd says why a request went on, not how long that took"},
			// RFC 9209.
			{header: "proxy-status", unit: "text", meaning: "what each proxy met: next hop, errors", caveat: "no time"},
			{header: "x-cache", cache: cacheWord, unit: "text", evidence: Seen, meaning: "what each cache did, often one word for each", caveat: "no time"},
			// RFC 9110 sections 7.6.3 and 10.2.4.
			{header: "via", unit: "text", meaning: "the hops passed; the last is nearest the client", caveat: "hops may leave themselves out; no time"},
			{header: "server", unit: "text", meaning: "the software that answered, or says so", caveat: "an edge in front may pass it through unchanged"},
			// W3C Resource Timing, section on cross-origin resources.
			{header: "timing-allow-origin", unit: "text", meaning: "which pages' scripts may read this response's timing", caveat: "nothing about the time itself; a CDN may send it by default"},
			// OpenAI's API reference, rate limits; others follow it.
			limitReset("x-ratelimit-reset-requests"), limitReset("x-ratelimit-reset-tokens"),
		}}
}

func limitReset(header string) rule {
	return rule{header: header, unit: "a duration as text, such as 8.64s or 6ms",
		meaning: "how long until that limit is full again", caveat: "a limit, not a time of this request"}
}

// cacheStatus reads RFC 9211's list: a member with the parameter hit answered
// from storage; fwd says that it went on, and stale that its copy was old.
func cacheStatus(value string) CacheState {
	state := CacheUnknown
	for _, member := range hops(value) {
		if s := memberState(member); state == CacheUnknown || s.Stored() {
			state = s
		}
	}
	return state
}

func memberState(member string) CacheState {
	for _, p := range split(member, ';')[1:] {
		switch p = strings.ToLower(p); p {
		case "hit":
			return CacheHit
		case "fwd=stale", "fwd=partial":
			return CacheExpired
		case "fwd=bypass", "fwd=method", "fwd=request":
			return CacheBypass
		}
		if strings.HasPrefix(p, "fwd=") {
			return CacheMiss
		}
	}
	return CacheUnknown
}
