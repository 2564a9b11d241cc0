package servertest_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/servertest"
)

func get(t *testing.T, ca *servertest.CA, url string) *http.Response {
	t.Helper()
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: ca.Pool}, ForceAttemptHTTP2: true}}
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	client.CloseIdleConnections()
	return resp
}

func TestNginxAnswersOverH2(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	servertest.Nginx(t, []int{port}, fmt.Sprintf(`server { listen 127.0.0.1:%d ssl http2; ssl_certificate %s; ssl_certificate_key %s;
    location / { return 204; } }`, port, ca.CertFile, ca.KeyFile))
	if resp := get(t, ca, servertest.URL("https", port, "/")); resp.StatusCode != 204 || resp.ProtoMajor != 2 {
		t.Errorf("got %s over %s", resp.Status, resp.Proto)
	}
}

func TestCaddyAnswersOverH2(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	servertest.Caddy(t, []int{port}, fmt.Sprintf("https://localhost:%d {\n\ttls %s %s\n\trespond 204\n}\n", port, ca.CertFile, ca.KeyFile))
	if resp := get(t, ca, servertest.URL("https", port, "/")); resp.StatusCode != 204 || resp.ProtoMajor != 2 {
		t.Errorf("got %s over %s", resp.Status, resp.Proto)
	}
}

func TestHAProxyAnswers(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	servertest.HAProxy(t, []int{port}, fmt.Sprintf(`defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend f
  bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
  http-request return status 204
`, port, ca.CombinedFile))
	if resp := get(t, ca, servertest.URL("https", port, "/")); resp.StatusCode != 204 {
		t.Errorf("got %s", resp.Status)
	}
}

func TestResolversAndProxiesStart(t *testing.T) {
	for name, start := range map[string]func(t *testing.T, port int){
		"dnsmasq": func(t *testing.T, port int) { servertest.Dnsmasq(t, port, "address=/x.test/127.0.0.1") },
		"unbound": func(t *testing.T, port int) {
			servertest.Unbound(t, []int{port}, fmt.Sprintf("  interface: 127.0.0.1@%d\n  access-control: 127.0.0.0/8 allow\n  local-data: \"x.test. A 127.0.0.1\"", port))
		},
		"tinyproxy":  func(t *testing.T, port int) { servertest.Tinyproxy(t, port, "") },
		"microsocks": func(t *testing.T, port int) { servertest.Microsocks(t, port, "", "") },
	} {
		t.Run(name, func(t *testing.T) { start(t, servertest.Port(t)) })
	}
}
