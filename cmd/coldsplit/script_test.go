package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// settled performs the look-up that must come before the first bubble.
type settled struct{ *testing.M }

func (m settled) Run() int {
	probetest.SettleResolver()
	return m.M.Run()
}

func TestMain(m *testing.M) {
	testscript.Main(settled{m}, map[string]func(){"coldsplit": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Setup: func(env *testscript.Env) error {
			servers := &scriptServers{counts: map[string]*atomic.Int32{}}
			env.Values["servers"] = servers
			env.Defer(servers.close)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("FIXTURES", fixtures(t))
			env.Setenv("CR", "\r")
			env.Setenv("LF", "\n")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": scriptExits, "serve": scriptServe, "requests": scriptRequests,
		},
	})
}

func fixtures(t *testing.T) string {
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// scriptExits runs a program and checks its exit code: exits CODE PROGRAM ARGS...
func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit %d, want %d", code, want)
	}
}

// scriptServers are what a script has started, and what came in there.
type scriptServers struct {
	mu     sync.Mutex
	counts map[string]*atomic.Int32
	stops  []func()
}

func (s *scriptServers) close() {
	for _, stop := range s.stops {
		stop()
	}
}

func (s *scriptServers) count(name string) *atomic.Int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[name] == nil {
		s.counts[name] = new(atomic.Int32)
	}
	return s.counts[name]
}

// scriptServe starts a server on loopback and puts its host and port into a variable: serve VARIABLE
// KIND, where KIND is ok, storm (429 to everything), unavailable (503), hangup (reads a request and
// closes), closed (nobody listens), eager (answers before it is asked), chatty (content after its answer) or mute (takes
// connections and says nothing).
func scriptServe(ts *testscript.TestScript, _ bool, args []string) {
	servers := ts.Value("servers").(*scriptServers)
	name, kind := args[0], args[1]
	n := servers.count(name)
	switch kind {
	case "hangup", "closed", "eager", "chatty", "mute":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		ts.Check(err)
		ts.Setenv(name, l.Addr().String())
		if kind == "closed" {
			l.Close()
			return
		}
		servers.stops = append(servers.stops, func() { l.Close() })
		go acceptEach(l, n, connHandler(kind))
	default:
		server := httptest.NewServer(answerAs(kind, n))
		servers.stops = append(servers.stops, server.Close)
		ts.Setenv(name, server.Listener.Addr().String())
	}
}

func acceptEach(l net.Listener, n *atomic.Int32, handle func(net.Conn)) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		n.Add(1)
		go func() {
			handle(conn)
			conn.Close()
		}()
	}
}

// connHandler is what a server does with a connection, below HTTP.
func connHandler(kind string) func(net.Conn) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
	read := func(c net.Conn) { c.Read(make([]byte, 1<<10)) }
	switch kind {
	case "eager":
		return func(c net.Conn) { io.WriteString(c, answer+"ok"); read(c); read(c) }
	case "mute":
		return func(c net.Conn) { io.Copy(io.Discard, c) }
	case "chatty":
		return func(c net.Conn) { read(c); io.WriteString(c, answer+"okHTTP/1.1 200 OK\r\n\r\nand more"); read(c) }
	}
	return read
}

func answerAs(kind string, n *atomic.Int32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		switch kind {
		case "storm":
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case "unavailable":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			fmt.Fprintf(w, "%s %s\n", r.Method, r.URL)
		}
	})
}

// scriptRequests checks how many requests, or connections, a server got: requests VARIABLE COUNT.
func scriptRequests(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := int(ts.Value("servers").(*scriptServers).count(args[0]).Load()); got != want {
		ts.Fatalf("%s got %d, want %d", args[0], got, want)
	}
}
