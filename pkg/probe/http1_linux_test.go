package probe_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// gathered sends what was written in one go.
type gathered struct {
	net.Conn
	out *bufio.Writer
}

func (g gathered) Write(b []byte) (int, error) { return g.out.Write(b) }

// SetWriteDeadline is left out: crypto/tls ends all writing with its goodbye.
func (g gathered) SetWriteDeadline(time.Time) error { return nil }

// What the server sent right behind its answer, in TLS records of the same packet, has come in before the
// next request: it must not be taken for that one's answer, nor fail it.
func TestWhatCameBehindAnAnswerIsSeenBeforeTheNextRequest(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	for name, behind := range map[string]func(*tls.Conn){
		"another answer": func(conn *tls.Conn) { io.WriteString(conn, answer) },
		"goodbye":        func(conn *tls.Conn) { conn.CloseWrite() },
	} {
		t.Run(name, func(t *testing.T) {
			ca := probetest.NewAuthority()
			l := listenTCP()
			defer l.Close()
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					go answerAnd(conn, ca.Issue("127.0.0.1"), answer, behind)
				}
			}()
			target := &probe.Target{URL: &url.URL{Scheme: "https", Host: l.Addr().String()}, Protocol: probe.HTTP11, State: probe.Warm, RootCAs: ca.Roots()}
			var p probe.Prober
			for range 20 {
				got := p.Do(context.Background(), target).Exchange
				if got.Outcome != record.Invalid || !strings.Contains(got.Error.Text, "not warm") {
					t.Fatalf("%s, %+v", got.Outcome, got.Error)
				}
			}
		})
	}
}

// answerAnd answers one request and goes on as told, all in one write.
func answerAnd(conn net.Conn, cert tls.Certificate, answer string, behind func(*tls.Conn)) {
	out := gathered{conn, bufio.NewWriterSize(conn, 16<<10)}
	secured := tls.Server(flushing{out}, &tls.Config{Certificates: []tls.Certificate{cert}})
	defer conn.Close()
	if _, err := http.ReadRequest(bufio.NewReader(secured)); err != nil {
		return
	}
	io.WriteString(secured, answer)
	behind(secured)
	out.out.Flush()
	io.Copy(io.Discard, conn)
}

// flushing sends what is gathered before it waits for the peer.
type flushing struct{ gathered }

func (f flushing) Read(b []byte) (int, error) {
	f.out.Flush()
	return f.Conn.Read(b)
}

// net/http hides the error of a connection that broke under content in a type of its own.
func TestResetDuringTheUploadIsAReset(t *testing.T) {
	l := listenTCP()
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1024))
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		}
	}()
	target := &probe.Target{URL: &url.URL{Scheme: "http", Host: l.Addr().String()}, Method: http.MethodPost, Body: make([]byte, 32<<20)}
	var p probe.Prober
	for range 20 {
		expectError(t, p.Do(context.Background(), target).Exchange, record.ClassReset, segment.Send)
	}
}
