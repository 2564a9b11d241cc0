package probe_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// eachProtocol runs a test over TLS or QUIC under every protocol. setup is what precedes send.
func eachProtocol(t *testing.T, handler http.Handler, test func(w *world, target *probe.Target, setup split)) {
	t.Helper()
	for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.HTTP3} {
		t.Run(string(protocol), func(t *testing.T) {
			inBubble(t, func(w *world) {
				o := probetest.Origin{Handler: handler, TLS: w.serverTLS()}
				setup := split{segment.DNS: 20 * ms}
				if protocol == probe.HTTP3 {
					w.serveQUIC(o)
					setup[segment.QUIC] = 20 * ms
				} else {
					w.serve(origin4+":443", o)
					setup[segment.TCP], setup[segment.TLS] = 20*ms, 20*ms
				}
				test(w, w.target(protocol), setup)
			})
		})
	}
}

// with returns s extended by send, wait and transfer.
func (s split) with(send, wait, transfer time.Duration) split {
	s[segment.Send], s[segment.Wait], s[segment.Transfer] = send, wait, transfer
	return s
}

func TestInterimResponsesDoNotEndTheWait(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		time.Sleep(80 * ms)
		io.WriteString(w, "page")
		w.(http.Flusher).Flush()
		time.Sleep(5 * ms)
	})
	eachProtocol(t, handler, func(w *world, target *probe.Target, setup split) {
		got := w.do(target)
		expect(w.t, got, record.OK, setup.with(0, 100*ms, 5*ms))
		ready := got.Total - 105*ms
		if len(got.Interim) != 1 || got.Interim[0] != (record.Interim{Status: 103, At: ready + 20*ms}) {
			w.t.Errorf("interim %+v, want 103 at %v", got.Interim, ready+20*ms)
		}
	})
}

func TestAnswersWithoutContent(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
	}{{"HEAD", 200}, {"GET", 204}, {"GET", 304}} {
		t.Run(c.method+" "+http.StatusText(c.status), func(t *testing.T) {
			handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(30 * ms)
				w.WriteHeader(c.status)
			})
			eachProtocol(t, handler, func(w *world, target *probe.Target, setup split) {
				target.Method = c.method
				got := w.do(target)
				expect(w.t, got, record.OK, setup.with(0, 50*ms, 0))
				if got.Status != c.status || got.Bytes.Wire != 0 {
					w.t.Errorf("status %d, bytes %+v", got.Status, got.Bytes)
				}
			})
		})
	}
}

// A server that answers 413 and keeps the connection open without reading: net/http would hold back
// the end of its answer for 50 ms.
func TestEarlyResponseEndsSendAtItsFirstByte(t *testing.T) {
	for name, answer := range map[string]string{
		"with content": "HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge",
		"empty":        "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.net.Window = 16 << 10
				w.stops = append(w.stops, w.net.Raw(origin4+":80", func(ctx context.Context, conn net.Conn) {
					defer conn.Close()
					readHead(conn)
					time.Sleep(30 * ms)
					io.WriteString(conn, answer)
					<-ctx.Done()
				}))
				target := w.plain()
				target.Method, target.Body = "POST", make([]byte, 1<<20)
				got := w.do(target)
				expect(t, got, record.Failed, split{
					segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 50 * ms, segment.Wait: 0, segment.Transfer: 0,
				})
				expectError(t, got, record.ClassStatus, segment.Wait)
				expectNote(t, got, "early response")
			})
		})
	}
}

func readHead(conn net.Conn) {
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadString('\n')
		if err != nil || line == "\r\n" {
			return
		}
	}
}

func expectNote(t *testing.T, e record.Exchange, prefix string) {
	t.Helper()
	for _, n := range e.Notes {
		if strings.HasPrefix(n, prefix) {
			return
		}
	}
	t.Errorf("notes %q lack %q", e.Notes, prefix)
}

func TestEarlyResponseOverHTTP2(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(30 * ms)
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		w.(http.Flusher).Flush()
		time.Sleep(10 * ms)
	})
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{Handler: handler, TLS: w.serverTLS()})
		target := w.target(probe.HTTP2)
		target.Method, target.Body = "POST", make([]byte, 4<<20)
		got := w.do(target)
		expect(t, got, record.Failed, split{
			segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.TLS: 20 * ms, segment.Send: 50 * ms, segment.Wait: 0, segment.Transfer: 10 * ms,
		})
		expectNote(t, got, "early response")
	})
}

// A server that talks before it was asked: the answer is told as unsolicited. Whether the transport
// looked before or after the request left must not decide about the outcome, nor its words be the reason.
func TestUnsolicitedResponse(t *testing.T) {
	inBubble(t, func(w *world) {
		w.stops = append(w.stops, w.net.Raw(origin4+":80", func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			<-ctx.Done()
		}))
		w.prober.Network = lateDial{w.net}
		got := w.do(w.plain())
		if got.Outcome != record.OK || got.Error != nil {
			t.Errorf("%s, %+v", got.Outcome, got.Error)
		}
		if err := got.Segments.Check(got.Total); err != nil {
			t.Error(err)
		}
		expectNote(t, got, "unsolicited response")
	})
}

// lateDial is a network whose connections are ready 1 ms before Dial returns.
type lateDial struct{ *probetest.Network }

func (n lateDial) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	conn, err := n.Network.Dial(ctx, network, addr)
	time.Sleep(ms)
	return conn, err
}
