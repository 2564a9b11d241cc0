package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// tlsOrigin is nginx with TLS on loopback, under the names given besides localhost.
func tlsOrigin(t *testing.T, names ...string) (ca *servertest.CA, port int) {
	t.Helper()
	ca, port = servertest.NewCA(t, append([]string{"localhost", "127.0.0.1"}, names...)...), servertest.Port(t)
	servertest.Nginx(t, []int{port}, fmt.Sprintf("server { listen 127.0.0.1:%d ssl http2; ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate %s; ssl_certificate_key %s; location / { return 200 hello; } }",
		port, ca.CertFile, ca.KeyFile))
	return ca, port
}

// throughProxy measures a TLS origin through a proxy and holds that the proxy resolves and is one
// segment of its own.
func throughProxy(t *testing.T, ca *servertest.CA, origin int, proxy string) []record.Exchange {
	t.Helper()
	all := wantAllOK(t, 3, "-n", "3", "--http", "2", "--cacert", ca.File, "-x", proxy, servertest.URL("https", origin, "/"))
	for _, ex := range all {
		_, proxied := ex.Segments.Get(segment.Proxy)
		_, resolved := ex.Segments.Get(segment.DNS)
		if !proxied || resolved || ex.Protocol != "h2" || ex.TLS == nil || !ex.TLS.Verified {
			t.Errorf("exchange %d: proxy %v, dns %v, %s, %+v", ex.Seq, proxied, resolved, ex.Protocol, ex.TLS)
		}
	}
	return all
}

func TestConnectThroughTinyproxy(t *testing.T) {
	ca, origin := tlsOrigin(t)
	port := servertest.Port(t)
	servertest.Tinyproxy(t, port, fmt.Sprintf("ConnectPort %d", origin))
	throughProxy(t, ca, origin, fmt.Sprintf("http://127.0.0.1:%d", port))
}

func TestTinyproxyWithCredentials(t *testing.T) {
	ca, origin := tlsOrigin(t)
	port := servertest.Port(t)
	servertest.Tinyproxy(t, port, fmt.Sprintf("ConnectPort %d\nBasicAuth me s3cr3t", origin))
	throughProxy(t, ca, origin, fmt.Sprintf("http://me:s3cr3t@127.0.0.1:%d", port))
	path := filepath.Join(t.TempDir(), "run.jsonl")
	out, errs, code := cli(t, "probe", "--save", path, "--interval", "5ms", "--cacert", ca.File,
		"-x", fmt.Sprintf("http://me:wrong-s3cr3t@127.0.0.1:%d", port), servertest.URL("https", origin, "/"))
	all := exchanges(t, path)
	if code != exitFailed || len(all) != 3 || all[0].Error.Class != record.ClassProxy || all[0].Error.Segment != segment.Proxy {
		t.Errorf("exit %d, %d exchanges, %+v", code, len(all), all[0].Error)
	}
	if text := out + errs + readFile(t, path); strings.Contains(text, "s3cr3t") {
		t.Error("the proxy's password is shown or kept")
	}
}

func TestHTTPSProxyBehindHAProxy(t *testing.T) {
	ca, origin := tlsOrigin(t)
	plain, secured := servertest.Port(t), servertest.Port(t)
	servertest.Tinyproxy(t, plain, fmt.Sprintf("ConnectPort %d", origin))
	servertest.HAProxy(t, []int{secured}, fmt.Sprintf(`defaults
  mode tcp
  timeout client 5s
  timeout server 5s
  timeout connect 5s
listen p
  bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
  server s 127.0.0.1:%d
`, secured, ca.CombinedFile, plain))
	for _, ex := range throughProxy(t, ca, origin, fmt.Sprintf("https://127.0.0.1:%d", secured)) {
		if ex.ProxyTLS == nil || ex.ProxyTLS.ALPN == "h2" {
			t.Errorf("exchange %d: TLS with the proxy %+v; it must never be offered h2", ex.Seq, ex.ProxyTLS)
		}
	}
}

func TestSOCKSThroughMicrosocks(t *testing.T) {
	ca, origin := tlsOrigin(t)
	for _, c := range []struct{ name, user, password, info string }{
		{"open", "", "", ""}, {"with credentials", "me", "s3cr3t", "me:s3cr3t@"},
	} {
		t.Run(c.name, func(t *testing.T) {
			port := servertest.Port(t)
			servertest.Microsocks(t, port, c.user, c.password)
			for _, scheme := range []string{"socks5", "socks5h"} {
				throughProxy(t, ca, origin, fmt.Sprintf("%s://%s127.0.0.1:%d", scheme, c.info, port))
			}
		})
	}
}

// resolverSection is unbound over UDP, TLS and HTTPS on three ports, knowing one name.
const resolverSection = `  interface: 127.0.0.1@%[1]d
  interface: 127.0.0.1@%[2]d
  interface: 127.0.0.1@%[3]d
  tls-port: %[2]d
  https-port: %[3]d
  tls-service-key: %[4]q
  tls-service-pem: %[5]q
  access-control: 127.0.0.0/8 allow
  local-zone: "test." static
  local-data: "route.test. 60 IN A 127.0.0.1"`

func TestResolversOverEveryTransport(t *testing.T) {
	ca, origin := tlsOrigin(t, "route.test")
	udp, dot, doh := servertest.Port(t), servertest.Port(t), servertest.Port(t)
	servertest.Unbound(t, []int{udp, dot, doh}, fmt.Sprintf(resolverSection, udp, dot, doh, ca.KeyFile, ca.CertFile))
	url := fmt.Sprintf("https://route.test:%d/", origin)
	for _, spec := range []string{
		fmt.Sprintf("udp://127.0.0.1:%d", udp), fmt.Sprintf("tcp://127.0.0.1:%d", udp),
		fmt.Sprintf("tls://localhost:%d", dot), fmt.Sprintf("https://localhost:%d/dns-query", doh),
	} {
		t.Run(spec[:3], func(t *testing.T) {
			for _, ex := range wantAllOK(t, 3, "-n", "3", "--cacert", ca.File, "--resolver", spec, url) {
				d := ex.DNS
				if d == nil || !d.HasA || !d.HasAAAA || d.TTL != time.Minute || !strings.Contains(d.Server, "127.0.0.1") {
					t.Errorf("exchange %d: %+v", ex.Seq, d)
				}
			}
		})
	}
}

func TestNginxTicketsMakeResumedTrue(t *testing.T) {
	ca, origin := tlsOrigin(t)
	all := wantAllOK(t, 15, "-n", "3", "--state", "cold", "--state", "resumed", "--state", "warm", "--cacert", ca.File,
		servertest.URL("https", origin, "/"))
	seen := map[string]int{}
	for _, ex := range all {
		if ex.Prime {
			continue
		}
		seen[ex.State]++
		if resumed := ex.TLS != nil && ex.TLS.Resumed; resumed != (ex.State == "resumed") {
			t.Errorf("%s: resumed %v", ex.State, resumed)
		}
	}
	if seen["cold"] != 3 || seen["resumed"] != 3 || seen["warm"] != 3 {
		t.Errorf("seen %v", seen)
	}
}

// logged counts lines of nginx's access log. A line is written after the answer has left, so the
// count is awaited for a while.
func logged(t *testing.T, dir, what string, want int) int {
	t.Helper()
	n := 0
	for range 60 {
		if n = strings.Count(readFile(t, filepath.Join(dir, "access.log")), what); n >= want {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return n
}

func TestNginxLimitEndsTheRunAtTheThird(t *testing.T) {
	port := servertest.Port(t)
	_, dir := servertest.Nginx(t, []int{port}, fmt.Sprintf("limit_req_zone $binary_remote_addr zone=z:1m rate=1r/m; limit_req_status 429; server { listen 127.0.0.1:%d; location / { limit_req zone=z; add_header Retry-After 1 always; root /nowhere; try_files /x =204; } }", port))
	path := filepath.Join(t.TempDir(), "run.jsonl")
	out, _, code := cli(t, "probe", "--save", path, "--interval", "5ms", servertest.URL("http", port, "/"))
	all := exchanges(t, path)
	if code != exitDone || len(all) != 4 {
		t.Fatalf("exit %d, %d exchanges\n%s", code, len(all), out)
	}
	for i, ex := range all {
		want := record.Throttled
		if i == 0 {
			want = record.OK
		}
		if ex.Outcome != want || i > 0 && (ex.Throttle == nil || ex.Throttle.RetryAfter != time.Second) {
			t.Errorf("exchange %d: %s, %+v", i, ex.Outcome, ex.Throttle)
		}
	}
	if n := logged(t, dir, "GET / HTTP", 4); n != 4 {
		t.Errorf("nginx got %d requests, want 4", n)
	}
	if !strings.Contains(out, "stopped at the third") {
		t.Errorf("not told:\n%s", out)
	}
}
