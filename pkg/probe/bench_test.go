//go:build unix

package probe_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// benchServer is the environment variable that turns this test binary into the benchmarks' server, so
// that its work is not counted as the client's.
const benchServer = "COLDSPLIT_BENCH_SERVER"

// serveIfAsked serves when this process is the benchmarks' server.
func serveIfAsked() bool {
	if os.Getenv(benchServer) == "" {
		return false
	}
	serveBench()
	return true
}

// serveBench prints the root certificate and the two addresses, and serves until its input ends.
func serveBench() {
	ca := probetest.NewAuthority()
	config := &tls.Config{Certificates: []tls.Certificate{ca.Issue("127.0.0.1")}}
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello world") })
	secure, plain := listenTCP(), listenTCP()
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		panic(err)
	}
	go (&http.Server{Handler: handler, TLSConfig: config}).ServeTLS(secure, "", "")
	go http.Serve(plain, handler)
	go (&http3.Server{Handler: handler, TLSConfig: config.Clone()}).Serve(socket)
	fmt.Println(secure.Addr(), plain.Addr(), socket.LocalAddr())
	pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: config.Certificates[0].Certificate[1]})
	os.Stdout.Close()
	io.Copy(io.Discard, os.Stdin)
}

func listenTCP() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}

// bench is the client's view of the server process.
type bench struct {
	secure, plain, quic string
	roots               *x509.CertPool
}

func startBench(b *testing.B) *bench {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), benchServer+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	r := bufio.NewReader(stdout)
	line, err := r.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	root, err := io.ReadAll(r)
	if err != nil {
		b.Fatal(err)
	}
	addrs := strings.Fields(line)
	s := &bench{secure: addrs[0], plain: addrs[1], quic: addrs[2], roots: x509.NewCertPool()}
	s.roots.AppendCertsFromPEM(root)
	return s
}

// target returns where a protocol is served.
func (s *bench) target(protocol probe.Protocol, scheme string) *probe.Target {
	at := s.secure
	switch {
	case scheme == "http":
		at = s.plain
	case protocol == probe.HTTP3:
		at = s.quic
	}
	return &probe.Target{URL: &url.URL{Scheme: scheme, Host: at, Path: "/"}, Protocol: protocol, RootCAs: s.roots}
}

// cpu is the processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkColdExchange compares an exchange of ours with a bare request of the libraries below it: the
// ratio of the cpu-ns/op of "probe" to those of "bare" is what recording costs.
func BenchmarkColdExchange(b *testing.B) {
	s := startBench(b)
	for _, c := range []struct {
		name     string
		protocol probe.Protocol
		scheme   string
	}{
		{"plain", probe.HTTP11, "http"}, {"http1.1", probe.HTTP11, "https"}, {"h2", probe.HTTP2, "https"}, {"h3", probe.HTTP3, "https"},
	} {
		target := s.target(c.protocol, c.scheme)
		measure(b, c.name+"/bare", func() error { return bareRequest(target) })
		prober := &probe.Prober{}
		measure(b, c.name+"/probe", func() error {
			if e := prober.Do(context.Background(), target).Exchange; e.Outcome != record.OK {
				return fmt.Errorf("%s: %s", e.Outcome, e.Error.Text)
			}
			return nil
		})
	}
}

func measure(b *testing.B, name string, once func() error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		before := cpu()
		for b.Loop() {
			if err := once(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
	})
}

// bareRequest is one request on a new connection as the libraries do it, reading the content to its end.
func bareRequest(t *probe.Target) error {
	var trip http.RoundTripper
	config := &tls.Config{RootCAs: t.RootCAs}
	if t.Protocol == probe.HTTP3 {
		transport := &http3.Transport{TLSClientConfig: config, QUICConfig: &quic.Config{}, DisableCompression: true}
		defer transport.Close()
		trip = transport
	} else {
		transport := &http.Transport{TLSClientConfig: config, DisableCompression: true, ForceAttemptHTTP2: t.Protocol == probe.HTTP2}
		defer transport.CloseIdleConnections()
		trip = transport
	}
	req, err := http.NewRequest(http.MethodGet, t.URL.String(), nil)
	if err != nil {
		return err
	}
	resp, err := trip.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
