package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// cli runs the program as a shell would and returns what it printed and its exit code.
func cli(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return cliIn(t, streams{}, args...)
}

// cliIn is cli with the network of s.
func cliIn(t *testing.T, s streams, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	env := map[string]string{"XDG_STATE_HOME": t.TempDir()}
	s.in, s.out, s.err, s.getenv = strings.NewReader(""), &out, &errs, func(k string) string { return env[k] }
	code = run(t.Context(), args, s)
	return out.String(), errs.String(), code
}

// exchanges reads a saved run back and holds every line against the tiling law.
func exchanges(t *testing.T, path string) []record.Exchange {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := record.NewReader(f, record.ReadOptions{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []record.Exchange
	for {
		var ex record.Exchange
		err := r.Next(&ex)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := ex.Segments.Check(ex.Total); err != nil {
			t.Errorf("exchange %d: %v", ex.Seq, err)
		}
		all = append(all, ex)
	}
}

// wantAllOK runs probe and returns its exchanges, all of which must be ok.
func wantAllOK(t *testing.T, n int, args ...string) []record.Exchange {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	out, errs, code := cli(t, append([]string{"probe", "--save", path, "--interval", "5ms"}, args...)...)
	if code != exitDone {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	all := exchanges(t, path)
	if len(all) != n {
		t.Fatalf("%d exchanges, want %d\n%s", len(all), n, out)
	}
	for _, ex := range all {
		if ex.Outcome != record.OK {
			t.Errorf("exchange %d: %s %+v", ex.Seq, ex.Outcome, ex.Error)
		}
	}
	return all
}

// atLeast checks that neighbouring segments together hold what was injected into them, in every
// exchange. A boundary this process sees late, because it was not scheduled, moves time from one
// segment into the one before it; their sum cannot fall short.
func atLeast(t *testing.T, all []record.Exchange, d time.Duration, keys ...segment.Key) {
	t.Helper()
	for _, ex := range all {
		var sum time.Duration
		for _, k := range keys {
			got, _ := ex.Segments.Get(k)
			sum += got
		}
		if sum < d {
			t.Errorf("exchange %d: %v together are %v, %v was injected", ex.Seq, keys, sum, d)
		}
	}
}

// slowBackend answers after a delay and drips its content over another.
func slowBackend(t *testing.T, wait, drip time.Duration) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(wait)
		io.WriteString(w, strings.Repeat("a", 64))
		w.(http.Flusher).Flush()
		time.Sleep(drip)
		io.WriteString(w, strings.Repeat("b", 64))
	}))
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

func TestCaddyOverEveryProtocol(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	const wait, drip = 30 * time.Millisecond, 20 * time.Millisecond
	servertest.Caddy(t, []int{port}, fmt.Sprintf("https://localhost:%d {\n\ttls %s %s\n\treverse_proxy %s {\n\t\tflush_interval -1\n\t}\n}\n",
		port, ca.CertFile, ca.KeyFile, slowBackend(t, wait, drip)))
	url := servertest.URL("https", port, "/")
	all := wantAllOK(t, 15, "-n", "5", "--http", "1.1", "--http", "2", "--http", "3", "--cacert", ca.File, url)
	atLeast(t, all, wait, segment.Send, segment.Wait)
	atLeast(t, all, wait+drip, segment.Send, segment.Wait, segment.Transfer)
	seen := map[string]int{}
	for _, ex := range all {
		seen[ex.Protocol]++
		_, quic := ex.Segments.Get(segment.QUIC)
		if quic != (ex.Protocol == "h3") {
			t.Errorf("exchange %d over %s: quic segment %v", ex.Seq, ex.Protocol, quic)
		}
		if ex.Bytes.Decoded != 128 {
			t.Errorf("exchange %d: %d bytes of content, want 128", ex.Seq, ex.Bytes.Decoded)
		}
	}
	for _, p := range []string{"http/1.1", "h2", "h3"} {
		if seen[p] != 5 {
			t.Errorf("%d exchanges over %s, want 5", seen[p], p)
		}
	}
}

func TestNginxBehindHAProxy(t *testing.T) {
	ca, port, inner := servertest.NewCA(t), servertest.Port(t), servertest.Port(t)
	const wait = 25 * time.Millisecond
	servertest.Nginx(t, []int{inner}, fmt.Sprintf("server { listen 127.0.0.1:%d; location / { proxy_pass http://%s; proxy_buffering off; } }",
		inner, slowBackend(t, wait, 0)))
	servertest.HAProxy(t, []int{port}, fmt.Sprintf(`defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend f
  bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
  default_backend b
backend b
  server s 127.0.0.1:%d
`, port, ca.CombinedFile, inner))
	all := wantAllOK(t, 10, "-n", "5", "--http", "1.1", "--http", "2", "--cacert", ca.File, servertest.URL("https", port, "/"))
	atLeast(t, all, wait, segment.Send, segment.Wait)
}

func TestNginxOverTLS12TellsTwoRoundTrips(t *testing.T) {
	ca, port := servertest.NewCA(t), servertest.Port(t)
	servertest.Nginx(t, []int{port}, fmt.Sprintf("server { listen 127.0.0.1:%d ssl http2; ssl_protocols TLSv1.2; ssl_certificate %s; ssl_certificate_key %s; location / { return 200 hello; } }",
		port, ca.CertFile, ca.KeyFile))
	for _, ex := range wantAllOK(t, 3, "-n", "3", "--cacert", ca.File, servertest.URL("https", port, "/")) {
		if ex.TLS == nil || ex.TLS.Version != "1.2" || ex.TLS.Resumed {
			t.Errorf("exchange %d: TLS facts %+v", ex.Seq, ex.TLS)
		}
	}
}

// slowly forwards UDP datagrams to a resolver, each answer late by delay.
func slowly(t *testing.T, resolver int, delay time.Duration) int {
	t.Helper()
	front, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { front.Close() })
	go func() {
		for {
			buf := make([]byte, 4096)
			n, from, err := front.ReadFrom(buf)
			if err != nil {
				return
			}
			go forward(front, from, buf[:n], resolver, delay)
		}
	}()
	return front.LocalAddr().(*net.UDPAddr).Port
}

func forward(front net.PacketConn, from net.Addr, query []byte, resolver int, delay time.Duration) {
	back, err := net.Dial("udp4", fmt.Sprintf("127.0.0.1:%d", resolver))
	if err != nil {
		return
	}
	defer back.Close()
	back.SetDeadline(time.Now().Add(5 * time.Second))
	back.Write(query)
	buf := make([]byte, 4096)
	if n, err := back.Read(buf); err == nil {
		time.Sleep(delay)
		front.WriteTo(buf[:n], from)
	}
}

func TestARealResolversDelayIsInDNSAndNowhereElse(t *testing.T) {
	const delay = 40 * time.Millisecond
	web := slowBackend(t, 0, 0)
	_, webPort, _ := net.SplitHostPort(web)
	for name, start := range map[string]func(t *testing.T, port int){
		"dnsmasq": func(t *testing.T, port int) {
			servertest.Dnsmasq(t, port, "address=/route.test/127.0.0.1\nlocal-ttl=60")
		},
		"unbound": func(t *testing.T, port int) {
			servertest.Unbound(t, []int{port}, fmt.Sprintf("  interface: 127.0.0.1@%d\n  access-control: 127.0.0.0/8 allow\n  local-zone: \"test.\" static\n  local-data: \"route.test. 60 IN A 127.0.0.1\"", port))
		},
	} {
		t.Run(name, func(t *testing.T) {
			port := servertest.Port(t)
			start(t, port)
			all := wantAllOK(t, 5, "-n", "5", "--resolver", fmt.Sprintf("udp://127.0.0.1:%d", slowly(t, port, delay)), "http://route.test:"+webPort+"/")
			atLeast(t, all, delay, segment.DNS)
			for _, ex := range all {
				if ex.DNS == nil || !ex.DNS.HasTTL || ex.DNS.TTL != time.Minute {
					t.Errorf("exchange %d: DNS facts %+v", ex.Seq, ex.DNS)
				}
				if tcp, _ := ex.Segments.Get(segment.TCP); tcp >= delay {
					t.Errorf("exchange %d: tcp is %v, the delay was in dns", ex.Seq, tcp)
				}
			}
		})
	}
}

func TestCtrlCLeavesACompleteFileAndATable(t *testing.T) {
	web := slowBackend(t, 10*time.Millisecond, 0)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(400*time.Millisecond, cancel)
	var out bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &out, err: io.Discard, getenv: func(string) string { return "" }}
	code := run(ctx, []string{"probe", "-n", "1000", "--interval", "20ms", "--save", path, "-f", "json", "http://" + web + "/"}, s)
	if code != exitDone {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	var doc struct {
		Arms []struct{ Counts record.Counts }
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	c := doc.Arms[0].Counts
	if c.OK == 0 || c.Asked != 1000 || c.NotSent != 1000-c.Done() {
		t.Errorf("counts %+v", c)
	}
	if n := len(exchanges(t, path)); n != c.Done() {
		t.Errorf("%d exchanges in the file, %d counted", n, c.Done())
	}
}
