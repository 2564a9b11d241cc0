package tunnel

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// Options are how the proxy is spoken to. The zero value is useful.
type Options struct {
	// TLSConfig is for an https proxy; nil takes the system's roots. It is cloned; an empty
	// ServerName becomes the proxy's host, and HTTP/1.1 is the only protocol offered.
	TLSConfig *tls.Config
	// UserAgent of the CONNECT request; "" sends none.
	UserAgent string
	// Header is sent with the CONNECT request, after Host, User-Agent and Proxy-Authorization.
	Header http.Header
}

// Open makes conn, connected to proxy, a connection to target ("host:port"), and returns it with
// the state of the TLS connection to an https proxy, nil for any other. Bytes the target sent
// right behind the proxy's reply are read first from what is returned; when there are none and the
// proxy is no https one, that is conn itself, otherwise a wrapper whose NetConn method leads to
// it. Every failure is an *Error; the TLS state is returned with it when the handshake was done.
// The context bounds the negotiation only: deadlines set on conn before stay as they are.
func Open(ctx context.Context, conn net.Conn, proxy *url.URL, target string, opts Options) (net.Conn, *tls.ConnectionState, error) {
	fail := &Error{Proxy: Name(proxy), Target: target}
	host, port, err := splitTarget(target)
	if err != nil {
		return nil, nil, fail.because(OpRequest, err)
	}
	conn, state, err := Secure(ctx, conn, proxy, opts.TLSConfig)
	if err != nil {
		return nil, nil, fail.because(OpTLS, err)
	}
	release := interruptible(ctx, conn)
	var opened net.Conn
	switch proxy.Scheme {
	case HTTP, HTTPS:
		opened, err = connect(conn, proxy, target, opts)
	case SOCKS5, SOCKS5H:
		opened, err = conn, socks(conn, proxy.User, host, port)
	default:
		err = fmt.Errorf("unknown scheme %q", proxy.Scheme)
	}
	if ctxErr := release(); ctxErr != nil {
		err = ctxErr
	}
	if err != nil {
		return nil, state, fail.because(OpRequest, err)
	}
	return opened, state, nil
}

// Secure completes TLS with an https proxy and returns the connection to speak over, with its
// state; conn itself and nil for any other proxy. It is the first part of Open, for requests that
// go to the proxy itself, in absolute form (RFC 9112 section 3.2.2).
func Secure(ctx context.Context, conn net.Conn, proxy *url.URL, config *tls.Config) (net.Conn, *tls.ConnectionState, error) {
	if proxy.Scheme != HTTPS {
		return conn, nil, nil
	}
	if config == nil {
		config = &tls.Config{}
	}
	config = config.Clone()
	if config.ServerName == "" {
		config.ServerName = proxy.Hostname()
	}
	config.NextProtos = []string{"http/1.1"}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, nil, err
	}
	state := secure.ConnectionState()
	return secure, &state, nil
}

func splitTarget(target string) (string, uint16, error) {
	host, port, err := net.SplitHostPort(target)
	if err != nil || host == "" || !validPort(port) || !plainText(host) {
		return "", 0, fmt.Errorf("target %q: want host:port", target)
	}
	var n uint16
	for _, digit := range []byte(port) {
		n = n*10 + uint16(digit-'0')
	}
	return host, n, nil
}

// plainText keeps a host from smuggling a line into the request.
func plainText(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// interruptible ends whatever conn is blocked in when ctx ends. The function returned stops that
// and tells whether ctx ended before.
func interruptible(ctx context.Context, conn net.Conn) func() error {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	return func() error {
		if !stop() {
			return ctx.Err()
		}
		return nil
	}
}

// literal returns host as an address when it is one.
func literal(host string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(host)
	return addr.Unmap().WithZone(""), err == nil
}
