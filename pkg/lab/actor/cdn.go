package actor

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
)

// CDN is an edge that ends the client's TCP, TLS and QUIC and asks an origin over a
// pool of warm connections. It writes the true caller's address over whatever the
// caller sent, and signs it.
type CDN struct {
	// Origin is asked for what is not stored.
	Origin *Peer
	// OriginHost replaces the Host of a request on its way to the origin, as a layer
	// does that cleans what it does not know; "" leaves the client's.
	OriginHost string
	// Key signs the caller's address; see Signature.
	Key []byte
	// Store keeps answers; nil caches nothing.
	Store *Store
	// Brotli compresses text for clients that offer br (RFC 7932).
	Brotli bool
	// Signs are the places written on every answer; nil writes none.
	Signs *Signs
}

// Handler returns the edge as a handler.
func (c *CDN) Handler() http.Handler { return answersWarm(http.HandlerFunc(c.serve)) }

func (c *CDN) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	if c.Signs != nil {
		c.Signs.write(w.Header())
	}
	if stored, found := c.Store.find(r); found {
		c.answer(w, r, stored, "HIT")
		return
	}
	left := time.Now()
	res, err := c.fetch(r)
	if err != nil {
		refuse(w, err)
		return
	}
	defer res.Body.Close()
	report(w.Header(), res.Header, left.Sub(start), time.Since(left))
	if c.Store == nil && !c.squeezes(r, res.Header) {
		c.stream(w, res)
		return
	}
	answer, err := readReply(res)
	if err != nil {
		refuse(w, err)
		return
	}
	c.answer(w, r, answer, c.keep(r, answer))
}

// report writes what the edge knows of its own time and of the origin's.
func report(h, origin http.Header, before, up time.Duration) {
	var m metrics
	m.add(preForward, before)
	m.add(upstream, up)
	if own, ok := reportedOrigin(origin); ok {
		m.add(upstreamOrigin, own)
	}
	m.set(h)
}

// keep stores what may be stored and says what the cache did.
func (c *CDN) keep(r *http.Request, answer reply) string {
	if c.Store == nil {
		return dynamic
	}
	c.Store.keep(r, answer)
	return "MISS"
}

// dynamic is what a cache that is off says.
const dynamic = "DYNAMIC"

// fetch asks the origin, under the terms of the trust between the two.
func (c *CDN) fetch(r *http.Request) (*http.Response, error) {
	ask := r.Clone(r.Context())
	ask.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	if c.OriginHost != "" {
		ask.Host = c.OriginHost
	}
	ask.Header.Del("Accept-Encoding")
	c.vouch(ask.Header, callerOf(r))
	return c.Origin.do(ask)
}

// stream hands an answer on as it comes.
func (c *CDN) stream(w http.ResponseWriter, res *http.Response) {
	c.describe(w.Header(), res.Header, dynamic)
	copyHeader(w.Header(), res.Header, "Content-Type", "Content-Length")
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}

// vouch writes who called, over whatever the caller wrote, and adds the caller to
// the chain of X-Forwarded-For as every proxy does.
func (c *CDN) vouch(h http.Header, caller string) {
	chain := append(slices.Clone(h.Values(forwardedFor)), caller)
	h.Set(forwardedFor, strings.Join(chain, ", "))
	h.Set(trueClient, caller)
	h.Set(edgeSignature, Signature(c.Key, caller, time.Now()))
}

func (c *CDN) answer(w http.ResponseWriter, r *http.Request, a reply, cache string) {
	c.describe(w.Header(), a.header, cache)
	body := a.body
	if c.squeezes(r, a.header) {
		body = squeeze(body)
		w.Header().Set("Content-Encoding", "br")
	}
	writeContent(w, a.status, a.header.Get("Content-Type"), body)
}

// describe writes what an answer says beside its content.
func (c *CDN) describe(h, origin http.Header, cache string) {
	h.Set("Cf-Cache-Status", cache)
	copyHeader(h, origin, "Cache-Control", "Vary", "Retry-After")
	if c.Brotli {
		h.Add("Vary", "Accept-Encoding")
	}
}

// squeezes reports whether an answer is compressed for this client.
func (c *CDN) squeezes(r *http.Request, origin http.Header) bool {
	return c.Brotli && offersBrotli(r) && strings.HasPrefix(origin.Get("Content-Type"), "application/json")
}

// offersBrotli reads Accept-Encoding without weights but for a refusal, which is
// all that clients send for br.
func offersBrotli(r *http.Request) bool {
	for _, coding := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name == "br" {
			return strings.ReplaceAll(weight, " ", "") != "q=0"
		}
	}
	return false
}

// onTheFly is the quality edges use for what they compress per request.
const onTheFly = 5

func squeeze(body []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, onTheFly)
	_, _ = io.Copy(w, bytes.NewReader(body))
	_ = w.Close()
	return out.Bytes()
}
