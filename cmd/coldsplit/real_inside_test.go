package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// pod is an origin that works for a while and notes when it began and ended each request for "/".
type pod struct {
	addr string

	mu           sync.Mutex
	began, ended []time.Time
}

const podWork, holdWork = 40 * time.Millisecond, 50 * time.Millisecond

func newPod(t *testing.T) *pod {
	t.Helper()
	p := &pod{}
	srv := httptest.NewServer(p)
	t.Cleanup(srv.Close)
	p.addr = strings.TrimPrefix(srv.URL, "http://")
	return p
}

func (p *pod) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		time.Sleep(holdWork)
		return
	}
	began := time.Now()
	time.Sleep(podWork)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began, p.ended = append(p.began, began), append(p.ended, time.Now())
	io.WriteString(w, "done")
}

// front is a front end that reports the times of what is behind it, in its own words or in ours.
type front struct {
	name    string
	flags   []string // how the table is told to read them
	start   func(t *testing.T, upstream string) (url string)
	integer int  // metrics in whole milliseconds
	pre     bool // it reports the wait before it forwards
	queue   bool // something else keeps the pod busy, so that requests wait
}

// gateWait is what the front ends that run code wait for before they forward.
const gateWait = 25 * time.Millisecond

func fronts(t *testing.T) []front {
	own := func(name string) string {
		text, err := snippet(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	return []front{
		{name: "nginx's own variables", flags: []string{"--map", "nginx"}, integer: 1,
			start: nginxFront("add_header X-Upstream-Header-Time $upstream_header_time;")},
		{name: "nginx, snippet", integer: 1, start: nginxFront(own("nginx"))},
		{name: "haproxy's own variables", flags: []string{"--map", "haproxy"}, integer: 3, pre: true, queue: true,
			start: haproxyFront("http-response set-header X-Haproxy-Tw %Tw\n  http-response set-header X-Haproxy-Tc %Tc\n  http-response set-header X-Haproxy-Tr %Tr")},
		{name: "haproxy, snippet", integer: 3, pre: true, queue: true, start: haproxyFront(own("haproxy"))},
		{name: "caddy's own placeholder", flags: []string{"--map", "caddy"},
			start: caddyFront("header_down X-Caddy-Upstream-Latency {http.reverse_proxy.upstream.latency}")},
		{name: "caddy, snippet", start: caddyFront(own("caddy"))},
		{name: "envoy-style header", integer: 1, start: envoyStyle},
		{name: "go, snippet", pre: true, start: goFront(own("go"))},
		{name: "node, snippet", pre: true, start: nodeFront(own("node"))},
	}
}

func nginxFront(lines string) func(*testing.T, string) string {
	return func(t *testing.T, upstream string) string {
		port := servertest.Port(t)
		servertest.Nginx(t, []int{port}, fmt.Sprintf("%s\nserver { listen 127.0.0.1:%d; location / { proxy_pass http://%s; } }", lines, port, upstream))
		return servertest.URL("http", port, "/")
	}
}

func haproxyFront(lines string) func(*testing.T, string) string {
	return func(t *testing.T, upstream string) string {
		port := servertest.Port(t)
		servertest.HAProxy(t, []int{port}, fmt.Sprintf(`defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend f
  bind 127.0.0.1:%d
  default_backend b
backend b
  %s
  server s %s maxconn 1
`, port, strings.ReplaceAll(lines, "\n", "\n  "), upstream))
		return servertest.URL("http", port, "/")
	}
}

func caddyFront(lines string) func(*testing.T, string) string {
	return func(t *testing.T, upstream string) string {
		port := servertest.Port(t)
		servertest.Caddy(t, []int{port}, fmt.Sprintf("http://localhost:%d {\n\treverse_proxy %s {\n%s\n\t}\n}\n", port, upstream, lines))
		return servertest.URL("http", port, "/")
	}
}

// envoyStyle is a proxy that writes what Envoy writes: whole milliseconds of the upstream.
func envoyStyle(t *testing.T, upstream string) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		answer, err := http.Get("http://" + upstream + r.URL.Path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		w.Header().Set("Server", "envoy")
		w.Header().Set("X-Envoy-Upstream-Service-Time", fmt.Sprint(time.Since(start).Milliseconds()))
		io.Copy(w, answer.Body)
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

// goFront builds and runs the snippet as a program of its own.
func goFront(lines string) func(*testing.T, string) string {
	return func(t *testing.T, upstream string) string {
		tool, dir, port := servertest.Require(t, "go"), t.TempDir(), servertest.Port(t)
		servertest.Write(t, dir, "go.mod", "module front\n\ngo 1.24\n")
		servertest.Write(t, dir, "main.go", fmt.Sprintf(`package main

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

func main() {
	upstream, err := url.Parse("http://%s")
	if err != nil {
		panic(err)
	}
	fmt.Println(http.ListenAndServe("127.0.0.1:%d", timed(upstream, func(*http.Request) { time.Sleep(%d) })))
}

%s`, upstream, port, gateWait, lines))
		build := exec.Command(tool, "build", "-o", "front", ".")
		build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("the snippet does not build: %v\n%s", err, out)
		}
		servertest.Start(t, []int{port}, filepath.Join(dir, "front"))
		return servertest.URL("http", port, "/")
	}
}

func nodeFront(lines string) func(*testing.T, string) string {
	return func(t *testing.T, upstream string) string {
		port := servertest.Port(t)
		script := servertest.Write(t, t.TempDir(), "front.js", fmt.Sprintf("const http = require(\"node:http\");\n%s\n"+
			"http.createServer(timed(\"http://%s\", () => new Promise((done) => setTimeout(done, %d)))).listen(%d, \"127.0.0.1\");\n",
			lines, upstream, gateWait.Milliseconds(), port))
		servertest.Start(t, []int{port}, servertest.Require(t, "node"), script)
		return servertest.URL("http", port, "/")
	}
}

// TestFrontEndsTimesAreReadRight sends requests through real front ends and holds the table's
// pre-forward wait and upstream against what happened behind them. What happened is taken from the
// pod's own clock, so that a busy machine delays both alike; medians decide, and a machine that was
// busy through one run is given four more. Beside other tests the figures are told, not held.
func TestFrontEndsTimesAreReadRight(t *testing.T) {
	for _, f := range fronts(t) {
		t.Run(f.name, func(t *testing.T) {
			p := newPod(t)
			url := f.start(t, p.addr)
			if f.queue {
				defer occupy(url + "hold")()
			}
			var errs []error
			for range 5 {
				if errs = f.errors(t, p, url); errs == nil {
					return
				}
			}
			for _, err := range errs {
				if servertest.HoldFigures() {
					t.Error(err)
				} else {
					t.Log(err)
				}
			}
		})
	}
}

// occupy keeps a request under way until stop is called.
func occupy(url string) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
			}
			if answer, err := http.Get(url); err == nil {
				answer.Body.Close()
			}
		}
	}()
	return func() { close(done); <-ended }
}

// errors measures once and says what does not agree.
func (f front) errors(t *testing.T, p *pod, url string) []error {
	t.Helper()
	const n = 9
	p.mu.Lock()
	p.began, p.ended = nil, nil
	p.mu.Unlock()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	flags := append([]string{"probe", "-n", fmt.Sprint(n), "--interval", "7ms", "--save", path, url}, f.flags...)
	if out, errs, code := cli(t, flags...); code != exitDone {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	arm := f.read(t, path)
	if len(p.began) != n || arm.N() != n {
		t.Fatalf("the pod saw %d requests, %d are ok, want %d", len(p.began), arm.N(), n)
	}
	tolerance := 2*time.Millisecond + time.Duration(f.integer)*time.Millisecond
	var work, before, upstream, waited []time.Duration
	for i, ex := range exchanges(t, path) {
		if !f.complete(arm, i) {
			continue
		}
		took, queued := p.ended[i].Sub(p.began[i]), p.began[i].Sub(sentAt(&ex))
		work, before = append(work, took), append(before, queued)
		upstream = append(upstream, partAt(arm, segment.WaitUpstream, i)-took)
		waited = append(waited, partAt(arm, segment.WaitPreForward, i)-queued)
	}
	if len(work) < n*2/3 {
		t.Fatalf("the table has the parts of %d of %d exchanges\nfields %v\ndoubts %+v", len(work), n, arm.Example().Headers, arm.Doubts)
	}
	var out []error
	if off := median(upstream); off.Abs() > tolerance {
		out = append(out, fmt.Errorf("upstream is %v off what the pod took (%v), more than %v", off, median(work), tolerance))
	}
	if !f.pre {
		return out
	}
	if off := median(waited); off.Abs() > tolerance {
		out = append(out, fmt.Errorf("pre_forward is %v off what passed before the pod began (%v), more than %v", off, median(before), tolerance))
	}
	if median(before) < 5*time.Millisecond {
		out = append(out, fmt.Errorf("nothing waited before the forward: %v", median(before)))
	}
	return out
}

// read reads the run as the table does.
func (f front) read(t *testing.T, path string) *reading.Arm {
	t.Helper()
	var flags readFlags
	if len(f.flags) > 0 {
		flags.maps = f.flags[1:]
	}
	opt, err := flags.options()
	if err != nil {
		t.Fatal(err)
	}
	set, err := readRun(path, streams{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return set.Arms[0]
}

// complete reports whether the table has the parts of a row; a busy machine may make one exceed its
// wait by more than rounding, and then it is left out.
func (f front) complete(a *reading.Arm, row int) bool {
	has := func(k segment.Key) bool { return a.Column(k) != nil && a.Column(k)[row] != reading.Absent }
	return has(segment.WaitUpstream) && (!f.pre || has(segment.WaitPreForward))
}

// sentAt is when the last byte of the request had been handed over.
func sentAt(ex *record.Exchange) time.Time {
	wait, _ := ex.Segments.Get(segment.Wait)
	transfer, _ := ex.Segments.Get(segment.Transfer)
	return ex.Started.Add(ex.Total - wait - transfer)
}

func partAt(a *reading.Arm, k segment.Key, row int) time.Duration {
	if a.Column(k) == nil {
		return 0
	}
	return time.Duration(a.Column(k)[row])
}

func median(values []time.Duration) time.Duration {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, cmp.Compare[time.Duration])
	return sorted[len(sorted)/2]
}

func TestEverySnippetIsPrinted(t *testing.T) {
	for _, name := range snippetNames() {
		out, errs, code := cli(t, "explain", "--snippet", name)
		if code != exitDone || errs != "" || !strings.Contains(out, "upstream;dur=") {
			t.Errorf("%s: exit %d, %q\n%s", name, code, errs, out)
		}
	}
	if _, errs, code := cli(t, "explain", "--snippet", "apache"); code != exitUsage || !strings.Contains(errs, "nginx") {
		t.Errorf("an unknown name: exit %d, %q", code, errs)
	}
}
