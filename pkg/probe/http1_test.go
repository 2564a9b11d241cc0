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

// bare is a network that tells nothing of its own: no stamps, no round trips.
type bare struct{ probe.Network }

func (n bare) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	conn, err := n.Network.Dial(ctx, network, addr)
	if err != nil || network != "tcp" {
		return conn, err
	}
	return struct{ net.Conn }{conn}, nil
}

// byHand serves api.test in cleartext by hand.
func (w *world) byHand(serve func(context.Context, net.Conn)) {
	w.stops = append(w.stops, w.net.Raw(origin4+":80", serve))
}

func TestBareNetworkGivesTheSameSplit(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
		w.prober.Network = bare{w.net}
		target := w.target(probe.HTTP11)
		want := split{segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.TLS: 20 * ms}
		expect(t, w.do(target), record.OK, want.with(0, 70*ms, 7*ms))
		target.State = probe.Warm
		expect(t, w.do(target), record.OK, split{}.with(0, 70*ms, 7*ms))
	})
}

// Whether it was seen before the request left depends there on who ran first; the outcome must not.
func TestUnsolicitedResponseOnABareNetwork(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			<-ctx.Done()
		})
		w.prober.Network = bare{lateDial{w.net}}
		got := w.do(w.plain())
		if got.Outcome != record.OK {
			t.Errorf("%s, %+v", got.Outcome, got.Error)
		}
	})
}

func TestServerThatClosesBetweenExchanges(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(_ context.Context, conn net.Conn) {
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			time.Sleep(100 * ms)
			conn.Close()
		})
		expectInvalid(t, w.second(200*ms), "not warm: the connection is gone: EOF")
	})
}

func TestServerThatSpeaksBetweenExchanges(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			time.Sleep(100 * ms)
			io.WriteString(conn, "HTTP/1.1 408 Request Timeout\r\n\r\n")
			<-ctx.Done()
		})
		expectInvalid(t, w.second(200*ms), "spoke before it was asked")
	})
}

func TestAnswerLongerThanItsLengthEndsTheConnection(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more")
			<-ctx.Done()
		})
		expectInvalid(t, w.second(0), "not warm")
	})
}

// second is the second exchange on one connection, a while after the first.
func (w *world) second(pause time.Duration) record.Exchange {
	w.t.Helper()
	s, opened := w.prober.Open(context.Background(), w.plain())
	if s == nil {
		w.t.Fatalf("open: %+v", opened.Exchange.Error)
	}
	defer s.Close()
	if first := s.Do(context.Background(), w.plain()).Exchange; first.Outcome != record.OK {
		w.t.Fatalf("first: %s, %+v", first.Outcome, first.Error)
	}
	time.Sleep(pause)
	return s.Do(context.Background(), w.plain()).Exchange
}

func TestSeveralInterimResponses(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			readHead(conn)
			for range 3 {
				io.WriteString(conn, "HTTP/1.1 102 Processing\r\nX-Pad: "+strings.Repeat("x", 600<<10)+"\r\n\r\n")
				time.Sleep(10 * ms)
			}
			io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
			<-ctx.Done()
		})
		got := w.do(w.plain())
		if got.Status != 204 || len(got.Interim) != 3 {
			t.Errorf("status %d, %d interim, %+v", got.Status, len(got.Interim), got.Error)
		}
	})
}

func TestHeaderSectionWithoutAnEnd(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(_ context.Context, conn net.Conn) {
			defer conn.Close()
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			for range 200 {
				if _, err := io.WriteString(conn, "X-Pad: "+strings.Repeat("x", 8<<10)+"\r\n"); err != nil {
					return
				}
			}
		})
		got := w.do(w.plain())
		if got.Error == nil || !strings.Contains(got.Error.Text, "longer than 1048576 bytes") {
			t.Errorf("%s, %+v", got.Outcome, got.Error)
		}
	})
}

// What stays unread of content cut at its limit is not waited for.
func TestContentCutAtItsLimitIsNotDrained(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":80", probetest.Origin{Handler: after(0, time.Minute)})
		target := w.plain()
		target.MaxBody, target.MaxTime = 3, 10*time.Minute
		start := time.Now()
		got := w.do(target)
		if spent := time.Since(start); !got.Bytes.Capped || spent != 60*ms {
			t.Errorf("capped %v after %v", got.Bytes.Capped, spent)
		}
	})
}

// A server that answers an upload and hangs up has answered, whatever becomes of the rest of the upload.
func TestAnswerThatBreaksTheUploadCounts(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Window = 16 << 10
		w.byHand(func(_ context.Context, conn net.Conn) {
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 5\r\n\r\nlarge")
			conn.Close()
		})
		target := w.plain()
		target.Method, target.Body = http.MethodPost, make([]byte, 1<<20)
		got := w.do(target)
		if got.Status != http.StatusRequestEntityTooLarge || got.Bytes.Wire != 5 {
			t.Errorf("%s, status %d, %+v", got.Outcome, got.Status, got.Error)
		}
	})
}

// The answer is there before the content has left: the connection still carries the next request.
func TestAnswerBeforeTheContentKeepsTheConnection(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Window = 16 << 10
		content := make([]byte, 24<<10)
		w.byHand(func(_ context.Context, conn net.Conn) {
			defer conn.Close()
			in := bufio.NewReader(conn)
			for range 2 {
				req, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
				io.Copy(io.Discard, req.Body)
			}
		})
		target := w.plain()
		target.State, target.Method, target.Body = probe.Warm, http.MethodPost, content
		if got := w.do(target); got.Outcome != record.OK {
			t.Errorf("%s, %+v", got.Outcome, got.Error)
		}
	})
}

func TestAnswerToAHeaderSectionNobodyReads(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Window = 1 << 10
		w.byHand(func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			conn.Read(make([]byte, 64))
			io.WriteString(conn, "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\n\r\n")
			<-ctx.Done()
		})
		target := w.plain()
		target.Header = http.Header{"X-Pad": {strings.Repeat("x", 8<<10)}}
		if got := w.do(target); got.Status != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s, status %d, %+v", got.Outcome, got.Status, got.Error)
		}
	})
}

func TestStatusBelow100IsFinal(t *testing.T) {
	inBubble(t, func(w *world) {
		w.byHand(func(ctx context.Context, conn net.Conn) {
			defer conn.Close()
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n")
			<-ctx.Done()
		})
		got := w.do(w.plain())
		expectError(t, got, record.ClassStatus, segment.Wait)
		if got.Status != 99 {
			t.Errorf("status %d", got.Status)
		}
	})
}

func TestConnectionThatIsOfNoMoreUseIsClosed(t *testing.T) {
	inBubble(t, func(w *world) {
		ended := make(chan struct{})
		w.byHand(func(_ context.Context, conn net.Conn) {
			readHead(conn)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
			io.Copy(io.Discard, conn)
			close(ended)
		})
		s, _ := w.prober.Open(context.Background(), w.plain())
		defer s.Close()
		s.Do(context.Background(), w.plain())
		select {
		case <-ended:
		case <-time.After(time.Second):
			t.Error("the server still waits for the connection's end")
		}
		expectInvalid(t, s.Do(context.Background(), w.plain()).Exchange, "the connection ended with the answer before")
	})
}

// A request that cannot be written down fails at once: nobody waits for an answer to it.
func TestRequestThatCannotBeWritten(t *testing.T) {
	for _, c := range []struct {
		name, text string
		spoil      func(*probe.Target)
	}{
		{"a header's name", `"X Y"`, func(t *probe.Target) { t.Header = http.Header{"X Y": {"z"}} }},
		{"a header's value", `"X-Y"`, func(t *probe.Target) { t.Header = http.Header{"X-Y": {"a\r\nb: c"}} }},
		{"the query", "control character", func(t *probe.Target) { t.URL.RawQuery = "a\x01" }},
		{"the query, before content", "control character", func(t *probe.Target) { t.URL.RawQuery, t.Body = "a\x01", []byte("content") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				came := make(chan []byte, 1)
				w.byHand(func(_ context.Context, conn net.Conn) {
					b, _ := io.ReadAll(conn)
					came <- b
				})
				target := w.plain()
				c.spoil(target)
				start := time.Now()
				got := w.do(target)
				if got.Outcome != record.Failed || got.Error.Segment != segment.Send || time.Since(start) != 40*ms ||
					!strings.Contains(got.Error.Text, c.text) {
					t.Errorf("%s after %v, %+v", got.Outcome, time.Since(start), got.Error)
				}
				if b := <-came; len(b) > 0 {
					t.Errorf("the server got %q", b)
				}
			})
		})
	}
}
