// Package servertest starts real servers from Debian's packages on loopback for tests: nginx,
// Caddy, HAProxy, dnsmasq, unbound, tinyproxy, microsocks.
//
// It knows how to start, await and stop a process and which certificate to hand it. It refuses to
// know what is measured. The rule a caller must hold: on a developer's machine a missing server
// skips the test with a reason; where [RequireEnv] is set, as in CI, it fails.
package servertest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// RequireEnv names the environment variable that makes a missing server a failure.
const RequireEnv = "COLDSPLIT_REQUIRE_SERVERS"

// Require returns the path of a program, or ends the test: skipped with a reason, failed where
// RequireEnv is set.
func Require(t testing.TB, program string) string {
	t.Helper()
	for _, name := range []string{program, "/usr/sbin/" + program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv(RequireEnv) != "" {
		t.Fatalf("%s is not installed, and %s is set", program, RequireEnv)
	}
	t.Skipf("%s is not installed", program)
	return ""
}

// HoldFigures reports whether measured times are to be held to tolerances: where RequireEnv is set
// and packages are tested one at a time. Beside other tests a machine's own delays would be measured.
func HoldFigures() bool { return os.Getenv(RequireEnv) != "" }

// RequireRoot ends a test that needs root, in the way Require does.
func RequireRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv(RequireEnv) != "" {
		t.Fatalf("this test needs root, and %s is set", RequireEnv)
	}
	t.Skip("this test needs root")
}

// Port returns a TCP port of 127.0.0.1 that was free, for UDP too, a moment ago.
func Port(t testing.TB) int {
	t.Helper()
	for range 50 {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		u, err := net.ListenPacket("udp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		l.Close()
		if err == nil {
			u.Close()
			return port
		}
	}
	t.Fatal("no port is free for TCP and UDP")
	return 0
}

// Write puts a file into the test's folder and returns its path; nested folders are made.
func Write(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Process is a server under test.
type Process struct {
	Cmd *exec.Cmd
	out *buffer
}

// Start runs a program until the test ends and waits until something accepts TCP connections on
// every port named. A program that ends early or does not answer in 15 s fails the test with what
// it printed.
func Start(t testing.TB, ports []int, path string, args ...string) *Process {
	t.Helper()
	p := &Process{Cmd: exec.Command(path, args...), out: &buffer{}}
	p.Cmd.Stdout, p.Cmd.Stderr = p.out, p.out
	p.Cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	ownGroup(p.Cmd)
	if err := p.Cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Cmd.Wait() }()
	t.Cleanup(func() { p.stop(ended) })
	for _, port := range ports {
		p.await(t, ended, port)
	}
	return p
}

// stop asks the process group to end and kills what does not within 3 s.
func (p *Process) stop(ended <-chan error) {
	endGroup(p.Cmd)
	select {
	case <-ended:
	case <-time.After(3 * time.Second):
		killGroup(p.Cmd)
		<-ended
	}
}

func (p *Process) await(t testing.TB, ended chan error, port int) {
	t.Helper()
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", p.Cmd.Path, err, p.out)
		default:
		}
		if conn, err := net.DialTimeout("tcp", addr, time.Second); err == nil {
			conn.Close()
			return
		}
	}
	t.Fatalf("%s does not accept connections on %s\n%s", p.Cmd.Path, addr, p.out)
}

// Output is what the process has printed so far.
func (p *Process) Output() string { return p.out.String() }

// buffer is a bytes.Buffer two goroutines may use.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// URL is an address on loopback under the name localhost, which every machine resolves.
func URL(scheme string, port int, path string) string {
	return fmt.Sprintf("%s://localhost:%d%s", scheme, port, path)
}
