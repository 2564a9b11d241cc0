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
	stored, found := c.Store.find(r)
	if found {
		c.answer(w, r, stored, "HIT")
		return
	}
	out, err := c.fetch(r)
	if err != nil {
		refuse(w, err)
		return
	}
	var m metrics
	m.add(preForward, out.left.Sub(start))
	m.add(upstream, out.back.Sub(out.left))
	if out.timed {
		m.add(upstreamOrigin, out.origin)
	}
	m.set(w.Header())
	c.answer(w, r, out.reply, c.keep(r, out.reply))
}

// keep stores what may be stored and says what the cache did.
func (c *CDN) keep(r *http.Request, answer reply) string {
	if c.Store == nil {
		return "DYNAMIC"
	}
	c.Store.keep(r, answer)
	return "MISS"
}

// fetch asks the origin, under the terms of the trust between the two.
func (c *CDN) fetch(r *http.Request) (forwarded, error) {
	ctx := r.Context()
	ask := r.Clone(ctx)
	ask.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	if c.OriginHost != "" {
		ask.Host = c.OriginHost
	}
	ask.Header.Del("Accept-Encoding")
	c.vouch(ask.Header, callerOf(r))
	out := forwarded{left: time.Now()}
	res, err := c.Origin.do(ask)
	if err != nil {
		return out, err
	}
	out.back = time.Now()
	out.reply, err = readReply(res)
	return out, err
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
	h := w.Header()
	h.Set("Cf-Cache-Status", cache)
	copyHeader(h, a.header, "Cache-Control", "Vary", "Retry-After")
	body := a.body
	if c.Brotli && offersBrotli(r) && strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		body = squeeze(body)
		h.Set("Content-Encoding", "br")
	}
	if c.Brotli {
		h.Add("Vary", "Accept-Encoding")
	}
	writeContent(w, a.status, a.header.Get("Content-Type"), body)
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
