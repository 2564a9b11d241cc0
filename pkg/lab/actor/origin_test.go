package actor

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

func TestOriginRefusesAnAbsurdHopCount(t *testing.T) {
	for hops, ok := range map[int]bool{-1: false, 0: true, 1: true, 5: true, 6: false, 100: false} {
		if _, err := (&Origin{Hops: hops}).Handler(); (err == nil) != ok {
			t.Errorf("%d trusted hops: error %v, want to start: %t", hops, err, ok)
		}
	}
}

func TestTrueCaller(t *testing.T) {
	key := []byte("key")
	now := time.Now()
	cases := map[string]struct {
		hops  int
		chain string
		edge  string // the edge's word for the caller
		sig   string
		want  string
	}{
		"no proxy":                    {0, "", "", "", "192.0.2.1"},
		"no hops, forged chain":       {0, "203.0.113.9", "", "", "192.0.2.1"},
		"one hop":                     {1, "203.0.113.9", "", "", "203.0.113.9"},
		"one hop, forged front":       {1, "10.0.0.1, 203.0.113.9", "", "", "203.0.113.9"},
		"one hop too many believes":   {2, "10.0.0.1, 203.0.113.9", "", "", "10.0.0.1"},
		"chain too short":             {3, "203.0.113.9", "", "", "192.0.2.1"},
		"no address":                  {1, "me", "", "", "192.0.2.1"},
		"signed by the edge":          {1, "10.0.0.1", "203.0.113.9", Signature(key, "203.0.113.9", now), "203.0.113.9"},
		"signed for another":          {0, "", "203.0.113.9", Signature(key, "203.0.113.8", now), "192.0.2.1"},
		"signed by another":           {0, "", "203.0.113.9", Signature([]byte("other"), "203.0.113.9", now), "192.0.2.1"},
		"signed long ago":             {0, "", "203.0.113.9", Signature(key, "203.0.113.9", now.Add(-time.Hour)), "192.0.2.1"},
		"unsigned text of the caller": {0, "", "203.0.113.9", "", "192.0.2.1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := get("/")
			for h, v := range map[string]string{forwardedFor: c.chain, trueClient: c.edge, edgeSignature: c.sig} {
				if v != "" {
					r.Header.Set(h, v)
				}
			}
			if got := TrueCaller(r, key, c.hops); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// cdnWorld is a client, an edge and an origin behind it.
func cdnWorld(t *testing.T, c *CDN, o *Origin) (client *Peer) {
	t.Helper()
	h := hosts(t, "client", "edge", "origin")
	c.Key, o.Key = []byte("key"), []byte("key")
	c.Origin = peer(t, h[1], h[2])
	handler, err := o.Handler()
	if err != nil {
		t.Fatal(err)
	}
	serve(t, h[2], handler)
	serve(t, h[1], c.Handler())
	return peer(t, h[0], h[1])
}

func send(t *testing.T, p *Peer, header map[string]string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://shop.example/page", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	r.Host = "shop.example"
	res, err := p.do(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestRateLimitIsKeyedByTheTrueCaller(t *testing.T) {
	o := &Origin{Limit: 2, Window: time.Minute, EdgeOnly: true, Home: []byte("home")}
	p := cdnWorld(t, &CDN{}, o)
	var codes []int
	for _, forged := range []string{"203.0.113.1", "203.0.113.2", "203.0.113.3"} {
		res := send(t, p, map[string]string{trueClient: forged, forwardedFor: forged})
		codes = append(codes, res.StatusCode)
		if res.StatusCode == http.StatusTooManyRequests && res.Header.Get("Retry-After") == "" {
			t.Error("throttled without Retry-After")
		}
		drain(t, res)
	}
	if want := [3]int{200, 200, 429}; [3]int(codes) != want {
		t.Errorf("three requests under forged addresses: %v, want %v", codes, want)
	}
}

func TestOnlyTheEdgeMayAsk(t *testing.T) {
	handler, err := (&Origin{EdgeOnly: true, Key: []byte("key")}).Handler()
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(handler, get("/")); w.Code != http.StatusForbidden {
		t.Errorf("a direct request got %d, want 403", w.Code)
	}
}

func TestTenantsLiveByTheHostField(t *testing.T) {
	o := &Origin{Tenants: map[string][]byte{"shop.example": []byte("shop")}, Home: []byte("home")}
	if got := drain(t, send(t, cdnWorld(t, &CDN{}, o), nil)); got != "shop" {
		t.Errorf("through an edge that keeps Host: %q, want the shop", got)
	}
	stripped := &CDN{OriginHost: "origin.internal"}
	if got := drain(t, send(t, cdnWorld(t, stripped, o), nil)); got != "home" {
		t.Errorf("through an edge that strips it: %q, want the home page", got)
	}
}

func TestCacheFollowsVary(t *testing.T) {
	p := cdnWorld(t, &CDN{Store: NewStore()}, &Origin{Home: []byte("page"), Cacheable: true})
	for i, c := range []struct{ language, want string }{
		{"en", "MISS"}, {"en", "HIT"}, {"id", "MISS"}, {"id", "HIT"}, {"en", "HIT"},
	} {
		res := send(t, p, map[string]string{"Accept-Language": c.language})
		if got := res.Header.Get("Cf-Cache-Status"); got != c.want {
			t.Errorf("request %d in %s: %s, want %s", i, c.language, got, c.want)
		}
		drain(t, res)
	}
}

func TestBrotliForThoseWhoOfferIt(t *testing.T) {
	page := strings.Repeat("the same again and again, ", 100)
	p := cdnWorld(t, &CDN{Brotli: true}, &Origin{Home: []byte(page)})
	for offer, want := range map[string]string{"": "", "gzip": "", "br": "br", "gzip, br;q=0": "", "gzip, br;q=0.5": "br"} {
		res := send(t, p, map[string]string{"Accept-Encoding": offer})
		body := drain(t, res)
		if got := res.Header.Get("Content-Encoding"); got != want {
			t.Errorf("offered %q: coded %q, want %q", offer, got, want)
		}
		if want == "br" {
			decoded, err := io.ReadAll(brotli.NewReader(bytes.NewReader([]byte(body))))
			if err != nil || string(decoded) != page || len(body) > len(page)/2 {
				t.Errorf("offered %q: %d bytes decode to %d (%v)", offer, len(body), len(decoded), err)
			}
		}
	}
}
