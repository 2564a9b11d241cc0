package probe_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const proxyAddr = "192.0.2.8"

// connectProxy answers CONNECT after a pause and splices to the test's origin.
func (w *world) connectProxy(pause time.Duration, wrap func(net.Conn) net.Conn) {
	w.net.Zone["proxy.test"] = probetest.Records{A: []string{proxyAddr}}
	w.stops = append(w.stops, w.net.Raw(proxyAddr+":3128", func(ctx context.Context, raw net.Conn) {
		defer raw.Close()
		conn := wrap(raw)
		r := bufio.NewReader(conn)
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		time.Sleep(pause)
		if req.Method != http.MethodConnect || req.Host != host+":443" {
			fmt.Fprintf(conn, "HTTP/1.1 405 Not Here\r\n\r\n")
			return
		}
		origin, err := w.net.Dial(ctx, "tcp", netip.MustParseAddrPort(origin4+":443"))
		if err != nil {
			fmt.Fprintf(conn, "HTTP/1.1 502 Bad Gateway\r\n\r\n")
			return
		}
		defer origin.Close()
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			io.Copy(origin, r)
			origin.Close()
		}()
		io.Copy(conn, origin)
	}))
}

func plainly(c net.Conn) net.Conn { return c }

func TestProxyIsASegmentOfItsOwn(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.serve(origin4+":443", probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
				wrap, handshake := plainly, time.Duration(0)
				if scheme == "https" {
					config := &tls.Config{Certificates: []tls.Certificate{w.ca.Issue("proxy.test")}}
					wrap = func(c net.Conn) net.Conn { return tls.Server(c, config) }
					handshake = roundTrip
				}
				w.connectProxy(80*ms, wrap)
				target := w.target(probe.HTTP2)
				target.Proxy = &url.URL{Scheme: scheme, Host: "proxy.test:3128", User: url.UserPassword("me", "secret")}
				got := w.do(target)
				// Behind the proxy everything takes its leg to the origin as well.
				expect(t, got, record.OK, split{
					segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Proxy: handshake + roundTrip + 80*ms + roundTrip,
					segment.TLS: 40 * ms, segment.Send: 0, segment.Wait: 90 * ms, segment.Transfer: 7 * ms,
				})
				if got.Protocol != "h2" || got.Remote != proxyAddr+":3128" || (got.ProxyTLS != nil) != (scheme == "https") {
					t.Errorf("protocol %s, remote %s, proxy tls %+v", got.Protocol, got.Remote, got.ProxyTLS)
				}
			})
		})
	}
}

func TestRefusingProxyDiesInProxy(t *testing.T) {
	inBubble(t, func(w *world) {
		w.connectProxy(80*ms, plainly)
		target := w.target(probe.HTTP2)
		target.Proxy = &url.URL{Scheme: "http", Host: "proxy.test:3128"}
		got := w.do(target)
		expect(t, got, record.Failed, split{segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Proxy: 20*ms + 80*ms + 20*ms})
		expectError(t, got, record.ClassProxy, segment.Proxy)
		if !strings.Contains(got.Error.Text, "502") {
			t.Errorf("text %q does not name the proxy's answer", got.Error.Text)
		}
	})
}

func TestProxyFetchesCleartextItself(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Zone["proxy.test"] = probetest.Records{A: []string{proxyAddr}}
		var line, credentials string
		w.serve(proxyAddr+":3128", probetest.Origin{Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			line, credentials = r.RequestURI, r.Header.Get("Proxy-Authorization")
			time.Sleep(50 * ms)
			io.WriteString(rw, "fetched")
		})})
		target := w.plain()
		target.Proxy = &url.URL{Scheme: "http", Host: "proxy.test:3128", User: url.UserPassword("me", "secret")}
		got := w.do(target)
		expect(t, got, record.OK, split{segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 0})
		if line != "http://"+host+"/" || !strings.HasPrefix(credentials, "Basic ") {
			t.Errorf("the proxy was asked for %q with %q", line, credentials)
		}
	})
}
