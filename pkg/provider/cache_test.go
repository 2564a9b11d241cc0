package provider_test

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
)

func TestCacheStates(t *testing.T) {
	for text, want := range map[string]string{
		"cf-cache-status: HIT":                               "hit true",
		"cf-cache-status: STALE":                             "stale true",
		"cf-cache-status: UPDATING":                          "stale true",
		"cf-cache-status: REVALIDATED":                       "revalidated true",
		"cf-cache-status: EXPIRED":                           "expired false",
		"cf-cache-status: DYNAMIC":                           "bypass false",
		"x-cache: Miss from cloudfront":                      "miss false",
		"x-cache: RefreshHit from cloudfront":                "revalidated true",
		"x-cache: Error from cloudfront":                     "unknown false",
		"x-cache: MISS, HIT":                                 "hit true",
		"x-cache: TCP_REMOTE_HIT":                            "hit true",
		"x-cache: CONFIG_NOCACHE":                            "bypass false",
		"server-timing: cdn-cache-hit":                       "hit true",
		"server-timing: cdn-cache-refresh, cdn-rid":          "revalidated true",
		"cache-status: \"Netlify Edge\"; fwd=miss":           "miss false",
		"cache-status: Origin; fwd=miss, Edge; hit; ttl=9":   "hit true",
		"cache-status: Edge; fwd=stale":                      "expired false",
		"cache-status: Edge; detail=\"; hit ;\"; fwd=bypass": "bypass false",
		"x-varnish: 12":                                      "miss false",
		"x-varnish: 12 7":                                    "hit true",
		"age: 0":                                             "unknown false",
		"age: 7\ncf-cache-status: MISS":                      "miss true",
		"x-vercel-cache: PRERENDER":                          "hit true",
		// The outermost cache's word counts unless one of them had it stored.
		"cf-cache-status: DYNAMIC\nx-cache: MISS": "bypass false",
		"cf-cache-status: DYNAMIC\nx-cache: HIT":  "hit true",
	} {
		c := provider.Read(head(text), nil).Cache
		got := c.State.String() + " false"
		if c.Hit {
			got = c.State.String() + " true"
		}
		if got != want {
			t.Errorf("%q reads %s, want %s", text, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	c := provider.Read(head("age: 108"), nil).Cache
	if !c.Aged || c.Age != 108*time.Second {
		t.Errorf("age: 108 reads %v, %v", c.Age, c.Aged)
	}
	for _, text := range []string{"age: -1", "age: 1.5", "age: 1s", "x-none: 1"} {
		if c := provider.Read(head(text), nil).Cache; c.Aged || c.Hit {
			t.Errorf("%q reads %v, %v, want no age", text, c.Age, c.Aged)
		}
	}
}

// What an edge in front of the cache writes is of this request; what was
// written behind it is of the request that filled it.
func TestStorage(t *testing.T) {
	for text, want := range map[string]string{
		"cf-cache-status: HIT\nx-timer: S1,VS0,VE90\nserver-timing: cfEdge;dur=4":                  "pre_forward<=4ms total=90ms(stored)",
		"x-cache: HIT\nx-timer: S1,VS0,VE1\nx-envoy-upstream-service-time: 40":                     "total=1ms upstream=40ms(stored)/total",
		"server: cloudflare\ncf-ray: 8f-NRT\nage: 3\nx-timer: S1,VS0,VE1":                          "total=1ms(stored)",
		"server-timing: cdn-cache-refresh, cdn-upstream-fbl;dur=50\nopenai-processing-ms: 40":      "aside=50ms upstream=50ms upstream.origin=40ms(stored)/upstream",
		"cf-cache-status: MISS\nserver-timing: cfOrigin;dur=50\nx-envoy-upstream-service-time: 40": "upstream=50ms upstream.origin=40ms/upstream",
	} {
		if got := spanText(provider.Read(head(text), nil)); got != want {
			t.Errorf("%q reads\ngot  %s\nwant %s", text, got, want)
		}
	}
}
