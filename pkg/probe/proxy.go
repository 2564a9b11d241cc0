package probe

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// plainProxied reports whether an HTTP proxy is to fetch a cleartext target itself: there is no
// tunnel then, and the wait holds the proxy's own fetch (RFC 9112 section 3.2.2).
func (x *exchange) plainProxied() bool { return x.t.plainProxied() }

func (t *Target) plainProxied() bool {
	p := t.Proxy
	return p != nil && t.URL.Scheme == "http" && (p.Scheme == tunnel.HTTP || p.Scheme == tunnel.HTTPS)
}

// proxySecured reports whether the connection is one over TLS to a proxy.
func (x *exchange) proxySecured() bool { return x.t.Proxy != nil && x.t.Proxy.Scheme == tunnel.HTTPS }

// forwardProxy is the proxy that requests are for, in absolute form; nil when they are for the origin.
func (x *exchange) forwardProxy() *url.URL {
	if x.plainProxied() {
		return x.t.Proxy
	}
	return nil
}

// tunnel gets from the proxy to the origin and ends segment proxy; without a proxy, and where a plain
// one fetches by itself, there is nothing to do.
func (x *exchange) tunnel(ctx context.Context, w *wire) (net.Conn, bool) {
	proxy := x.t.Proxy
	if proxy == nil || x.plainProxied() && proxy.Scheme == tunnel.HTTP {
		return w, true
	}
	conn, state, err := x.enterProxy(ctx, w)
	if state != nil {
		x.rec.ProxyTLS = tlsFacts(*state)
		x.rec.ProxyTLS.ServerName = asciiHost(proxy.Hostname())
		x.rec.ProxyTLS.Verified = err == nil
	}
	if err != nil {
		x.fail(ctx, segment.Proxy, err, x.now())
		x.rec.TCP = w.tcp()
		return nil, false
	}
	x.tl.End(segment.Proxy, x.now())
	return conn, true
}

func (x *exchange) enterProxy(ctx context.Context, w *wire) (net.Conn, *tls.ConnectionState, error) {
	if x.proxySecured() {
		w.startTLS()
	}
	config := &tls.Config{RootCAs: x.t.RootCAs, ServerName: asciiHost(x.t.Proxy.Hostname())}
	if x.plainProxied() {
		return tunnel.Secure(ctx, w, x.t.Proxy, config)
	}
	host, port, err := x.t.origin()
	if err != nil {
		return nil, nil, err
	}
	return tunnel.Open(ctx, w, x.t.Proxy, net.JoinHostPort(host, port),
		tunnel.Options{TLSConfig: config, UserAgent: orElse(x.t.UserAgent, defaultUserAgent)})
}
