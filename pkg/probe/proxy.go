package probe

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// plainProxied reports whether an HTTP proxy is to fetch a cleartext target itself: there is no
// tunnel then, and the wait holds the proxy's own fetch (RFC 9112 section 3.2.2).
func (x *exchange) plainProxied() bool {
	p := x.t.Proxy
	return p != nil && x.t.URL.Scheme == "http" && (p.Scheme == "http" || p.Scheme == "https")
}

// forwardProxy makes the transport write requests in absolute form, with the proxy's credentials.
// The connection is open already, so the scheme only keeps the transport from a handshake of its own.
func (x *exchange) forwardProxy() func(*http.Request) (*url.URL, error) {
	return func(*http.Request) (*url.URL, error) {
		return &url.URL{Scheme: "http", Host: x.t.Proxy.Host, User: x.t.Proxy.User}, nil
	}
}

// tunnel gets from the proxy to the origin and ends segment proxy; without a proxy it does nothing.
func (x *exchange) tunnel(ctx context.Context, w *wire) (net.Conn, bool) {
	if x.t.Proxy == nil {
		return w, true
	}
	x.fail(ctx, segment.Proxy, errors.New("proxies are not supported"), x.now())
	return nil, false
}
