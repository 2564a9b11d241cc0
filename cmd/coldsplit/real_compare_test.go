package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// injected is what the tests below put into one segment of the new route: far above what a busy
// machine adds to both.
const injected = 60 * time.Millisecond

// compared is what a test reads of compare's JSON.
type compared struct {
	Sentence string
	Verdict  struct{ Word string }
	Ledger   struct {
		P50 []struct {
			Segment  string
			Change   int64 `json:"change_ns"`
			Standing string
		}
	}
}

// wantLost runs compare on two routes and checks that the delay was found in the one segment it was
// put into, and nowhere else.
func wantLost(t *testing.T, s streams, key string, args ...string) {
	t.Helper()
	out, errs, _ := cliIn(t, s, append([]string{"compare", "-f", "json", "-n", "12", "--interval", "5ms", "--no-save"}, args...)...)
	var c compared
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	found := false
	for _, row := range c.Ledger.P50 {
		lost := row.Standing == "confirmed" && row.Change > int64(injected)/2
		found = found || lost && row.Segment == key
		if lost != (row.Segment == key) {
			t.Errorf("%s is %s, change %v; %v was put into %s", row.Segment, row.Standing, time.Duration(row.Change), injected, key)
		}
	}
	if !found || c.Verdict.Word != "slower" {
		t.Errorf("%v in %s: verdict %s\n%s", injected, key, c.Verdict.Word, c.Sentence)
	}
}

// nginxOverTLS serves a backend, and its address.
func nginxOverTLS(t *testing.T, ca *servertest.CA, backend string) int {
	t.Helper()
	port := servertest.Port(t)
	servertest.Nginx(t, []int{port}, fmt.Sprintf(`server { listen 127.0.0.1:%d ssl http2; ssl_certificate %s; ssl_certificate_key %s;
    location / { proxy_pass http://%s; proxy_buffering off; } }`, port, ca.CertFile, ca.KeyFile, backend))
	return port
}

// reporting answers with Server-Timing for the parts of its wait, and drips its content.
func reporting(t *testing.T, preForward, upstream, drip time.Duration) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(preForward + upstream)
		w.Header().Set("Server-Timing", fmt.Sprintf("pre_forward;dur=%d, upstream;dur=%d", preForward.Milliseconds(), upstream.Milliseconds()))
		io.WriteString(w, strings.Repeat("a", 2048))
		w.(http.Flusher).Flush()
		time.Sleep(drip)
		io.WriteString(w, "b")
	}))
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

func TestCompareFindsADelayInThePartItWasPutInto(t *testing.T) {
	ca := servertest.NewCA(t)
	const base = 5 * time.Millisecond
	before := nginxOverTLS(t, ca, reporting(t, base, base, base))
	for key, backend := range map[string]string{
		"wait.pre_forward": reporting(t, base+injected, base, base),
		"wait.upstream":    reporting(t, base, base+injected, base),
		"transfer":         reporting(t, base, base, base+injected),
	} {
		t.Run(key, func(t *testing.T) {
			after := nginxOverTLS(t, ca, backend)
			wantLost(t, streams{}, key, "--cacert", ca.File, servertest.URL("https", before, "/"), servertest.URL("https", after, "/"))
		})
	}
}

// relay passes TCP connections on; the first bytes from the server are late.
func relay(t *testing.T, to int, late time.Duration) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go relayOne(c, to, late)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

func relayOne(c net.Conn, to int, late time.Duration) {
	defer c.Close()
	back, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", to))
	if err != nil {
		return
	}
	defer back.Close()
	go func() {
		io.Copy(back, c)
		back.(*net.TCPConn).CloseWrite()
	}()
	first := make([]byte, 4096)
	n, err := back.Read(first)
	if err != nil {
		return
	}
	time.Sleep(late)
	c.Write(first[:n])
	io.Copy(c, back)
}

func TestCompareFindsADelayInTheHandshake(t *testing.T) {
	ca := servertest.NewCA(t)
	port := nginxOverTLS(t, ca, reporting(t, 0, 0, 0))
	wantLost(t, streams{}, "tls", "--cacert", ca.File,
		servertest.URL("https", relay(t, port, 0), "/"), servertest.URL("https", relay(t, port, injected), "/"))
}

// lateDial is this machine's network, slow to connect to one port. Its connections do not tell what
// the kernel saw: to the kernel the delay never was.
type lateDial struct {
	probe.System
	port uint16
	late time.Duration
}

func (n lateDial) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	if addr.Port() == n.port {
		time.Sleep(n.late)
	}
	conn, err := n.System.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return struct{ net.Conn }{conn}, nil
}

func TestCompareFindsADelayInTCP(t *testing.T) {
	before, after := slowBackend(t, 0, 0), slowBackend(t, 0, 0)
	port := netip.MustParseAddrPort(after).Port()
	s := streams{world: &world{network: lateDial{port: port, late: injected}}}
	wantLost(t, s, "tcp", "http://"+before+"/", "http://"+after+"/")
}

func TestCompareFindsADelayInDNS(t *testing.T) {
	web := slowBackend(t, 0, 0)
	_, webPort, _ := net.SplitHostPort(web)
	port := servertest.Port(t)
	servertest.Dnsmasq(t, port, "address=/route.test/127.0.0.1")
	resolver := func(late time.Duration) string { return fmt.Sprintf("udp://127.0.0.1:%d", slowly(t, port, late)) }
	wantLost(t, streams{}, "dns", "http://route.test:"+webPort+"/", "--before-resolver", resolver(0), "--after-resolver", resolver(injected))
}
