package probe_test

import (
	"context"
	"crypto/tls"
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

func TestFailureInDNS(t *testing.T) {
	for name, c := range map[string]struct {
		records map[string]probetest.Records
		maxTime time.Duration
		class   record.Class
		dns     time.Duration
	}{
		"no such name":    {nil, 5 * time.Second, record.ClassDNS, 20 * ms},
		"no address":      {map[string]probetest.Records{host: {}}, 5 * time.Second, record.ClassDNS, 20 * ms},
		"resolver silent": {map[string]probetest.Records{host: {ASilent: true, AAAASilent: true}}, 100 * ms, record.ClassTimeout, 100 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.net.Zone = probetest.Zone(c.records)
				if w.net.Zone == nil {
					w.net.Zone = probetest.Zone{}
				}
				target := w.target(probe.HTTP2)
				target.MaxTime = c.maxTime
				got := w.do(target)
				expect(t, got, record.Failed, split{segment.DNS: c.dns})
				expectError(t, got, c.class, segment.DNS)
			})
		})
	}
}

func TestFailureInTCP(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*world)
		class record.Class
		tcp   time.Duration
	}{
		"refused":  {func(*world) {}, record.ClassReset, 20 * ms},
		"silent":   {func(w *world) { w.net.Silence(origin4) }, record.ClassTimeout, 980 * ms},
		"no route": {func(w *world) { w.net.NoRoute(4) }, record.ClassConnect, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				target := w.plain()
				target.MaxTime = time.Second
				target.Resolve = pins(host+":80", origin4)

				c.spoil(w)
				got := w.do(target)
				want := c.tcp
				if c.class == record.ClassTimeout {
					want = time.Second
				}
				expect(t, got, record.Failed, split{segment.TCP: want})
				expectError(t, got, c.class, segment.TCP)
				if len(got.Attempts) != 1 || got.Attempts[0].Err == "" {
					t.Errorf("attempts %+v", got.Attempts)
				}
			})
		})
	}
}

func TestConnectTimeoutCoversEverythingBeforeTheRequest(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Silence(origin4)
		target := w.plain()
		target.ConnectTimeout = 300 * ms
		got := w.do(target)
		expect(t, got, record.Failed, split{segment.DNS: 20 * ms, segment.TCP: 280 * ms})
		expectError(t, got, record.ClassTimeout, segment.TCP)
	})
}

func TestConnectTimeoutSparesTheRequest(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":80", probetest.Origin{Handler: after(400*ms, 0)})
		target := w.plain()
		target.ConnectTimeout = 100 * ms
		expect(t, w.do(target), record.OK, split{
			segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 420 * ms, segment.Transfer: 0,
		})
	})
}

// hangUp closes every connection after d.
func hangUp(d time.Duration) func(context.Context, net.Conn) {
	return func(_ context.Context, conn net.Conn) {
		go io.Copy(io.Discard, conn)
		time.Sleep(d)
		conn.Close()
	}
}

func TestFailureInTLS(t *testing.T) {
	setup := split{segment.DNS: 20 * ms, segment.TCP: 20 * ms}
	for name, c := range map[string]struct {
		serve func(*world)
		class record.Class
		tls   time.Duration
		text  string
	}{
		"closed":         {func(w *world) { w.raw(hangUp(10 * ms)) }, record.ClassTLS, 10 * ms, "EOF"},
		"silent":         {func(w *world) { w.raw(func(ctx context.Context, c net.Conn) { <-ctx.Done(); c.Close() }) }, record.ClassTimeout, 960 * ms, ""},
		"reset":          {func(w *world) { w.raw(resetAfterRead) }, record.ClassReset, 20 * ms, "reset"},
		"other name":     {func(w *world) { w.serveNames("other.test") }, record.ClassTLS, 20 * ms, "other.test"},
		"unknown issuer": {func(w *world) { w.ca = probetest.NewAuthority(); w.serveNames(host) }, record.ClassTLS, 20 * ms, "unknown authority"},
		"no common ALPN": {func(w *world) { w.serveALPN("http/1.1") }, record.ClassTLS, 20 * ms, "no application protocol"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				target := w.target(probe.HTTP2)
				target.MaxTime = time.Second
				c.serve(w)
				got := w.do(target)
				want := split{segment.TLS: c.tls}
				for k, d := range setup {
					want[k] = d
				}
				expect(t, got, record.Failed, want)
				expectError(t, got, c.class, segment.TLS)
				if !strings.Contains(got.Error.Text, c.text) {
					t.Errorf("text %q lacks %q", got.Error.Text, c.text)
				}
			})
		})
	}
}

func (w *world) raw(serve func(context.Context, net.Conn)) {
	w.stops = append(w.stops, w.net.Raw(origin4+":443", serve))
}

func (w *world) serveNames(names ...string) {
	w.serve(origin4+":443", probetest.Origin{TLS: &tls.Config{Certificates: []tls.Certificate{w.ca.Issue(names...)}}})
}

func (w *world) serveALPN(protocols ...string) {
	config := w.serverTLS()
	config.NextProtos = protocols
	w.serve(origin4+":443", probetest.Origin{TLS: config})
}

func resetAfterRead(_ context.Context, conn net.Conn) {
	conn.Read(make([]byte, 1))
	conn.(*probetest.Stream).Reset()
}

func TestCertificateForAnotherNameIsTold(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveNames("*.edge.test", "edge.test")
		got := w.do(w.target(probe.HTTP2))
		if got.TLS == nil || got.TLS.Verified || got.TLS.ServerName != host || len(got.TLS.Names) != 2 || got.TLS.Issuer != "probetest root" {
			t.Errorf("tls facts %+v", got.TLS)
		}
		target := w.target(probe.HTTP2)
		target.Insecure = true
		got = w.do(target)
		if got.Outcome != record.OK || got.TLS.Verified {
			t.Errorf("insecure: outcome %s, facts %+v", got.Outcome, got.TLS)
		}
	})
}

func TestFailureInQUIC(t *testing.T) {
	for name, c := range map[string]struct {
		serve func(*world)
		class record.Class
		quic  time.Duration
	}{
		"nobody": {func(*world) {}, record.ClassTimeout, 980 * ms},
		"other name": {func(w *world) {
			w.serveQUIC(probetest.Origin{TLS: &tls.Config{Certificates: []tls.Certificate{w.ca.Issue("other.test")}}})
		}, record.ClassQUIC, 20 * ms},
		"no route": {func(w *world) { w.net.Zone[host] = probetest.Records{AAAA: []string{origin6}}; w.net.NoRoute(6) }, record.ClassQUIC, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				c.serve(w)
				target := w.target(probe.HTTP3)
				target.MaxTime = time.Second
				got := w.do(target)
				expect(t, got, record.Failed, split{segment.DNS: 20 * ms, segment.QUIC: c.quic})
				expectError(t, got, c.class, segment.QUIC)
			})
		})
	}
}

func TestSilentServerDiesInWait(t *testing.T) {
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	eachProtocol(t, handler, func(w *world, target *probe.Target, setup split) {
		target.MaxTime = 200 * ms
		got := w.do(target)
		spent := time.Duration(0)
		for _, d := range setup {
			spent += d
		}
		setup[segment.Send], setup[segment.Wait] = 0, 200*ms-spent
		expect(w.t, got, record.Failed, setup)
		expectError(w.t, got, record.ClassTimeout, segment.Wait)
	})
}

func TestServerThatHangsUpInsteadOfAnswering(t *testing.T) {
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(30 * ms)
		panic(http.ErrAbortHandler)
	})
	eachProtocol(t, handler, func(w *world, target *probe.Target, setup split) {
		got := w.do(target)
		setup[segment.Send], setup[segment.Wait] = 0, 50*ms
		expect(w.t, got, record.Failed, setup)
		expectError(w.t, got, record.ClassReset, segment.Wait)
	})
}

func TestCutContentDiesInTransfer(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "only this")
		w.(http.Flusher).Flush()
		time.Sleep(5 * ms)
		panic(http.ErrAbortHandler)
	})
	eachProtocol(t, handler, func(w *world, target *probe.Target, setup split) {
		got := w.do(target)
		expect(w.t, got, record.Failed, setup.with(0, 20*ms, 5*ms))
		if got.Error.Segment != segment.Transfer || got.Error.Class != record.ClassBody && got.Error.Class != record.ClassReset {
			w.t.Errorf("error %+v", got.Error)
		}
		if got.Status != 200 || got.Bytes.Wire != 9 {
			w.t.Errorf("status %d, bytes %+v", got.Status, got.Bytes)
		}
	})
}

func TestDeadlineInTransfer(t *testing.T) {
	eachProtocol(t, after(0, time.Minute), func(w *world, target *probe.Target, setup split) {
		target.MaxTime = 300 * ms
		got := w.do(target)
		spent := time.Duration(0)
		for _, d := range setup {
			spent += d
		}
		expect(w.t, got, record.Failed, setup.with(0, 20*ms, 280*ms-spent))
		expectError(w.t, got, record.ClassTimeout, segment.Transfer)
	})
}

func TestBlockedUploadDiesInSend(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Window = 16 << 10
		w.stops = append(w.stops, w.net.Raw(origin4+":80", func(ctx context.Context, conn net.Conn) { <-ctx.Done(); conn.Close() }))
		target := w.plain()
		target.Method, target.Body, target.MaxTime = "POST", make([]byte, 1<<20), 500*ms
		got := w.do(target)
		expect(t, got, record.Failed, split{segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 460 * ms})
		expectError(t, got, record.ClassTimeout, segment.Send)
	})
}

func TestGarbageInsteadOfHTTP(t *testing.T) {
	inBubble(t, func(w *world) {
		w.stops = append(w.stops, w.net.Raw(origin4+":80", func(_ context.Context, conn net.Conn) {
			readHead(conn)
			io.WriteString(conn, "220 mail.test ESMTP\r\n")
			conn.Close()
		}))
		got := w.do(w.plain())
		expect(t, got, record.Failed, split{
			segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 20 * ms, segment.Transfer: 0,
		})
		expectError(t, got, record.ClassBody, segment.Transfer)
	})
}

func TestCallersCancellationIsNoFailureOfTheTarget(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":80", probetest.Origin{Handler: after(time.Minute, 0)})
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			time.Sleep(100 * ms)
			cancel()
		}()
		got := w.prober.Do(ctx, w.plain())
		if !got.Canceled {
			t.Error("a cancelled exchange does not say so")
		}
		expect(t, got.Exchange, record.Failed, split{segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 60 * ms})
	})
}

func TestDeadHostIsDialledOncePerExchange(t *testing.T) {
	inBubble(t, func(w *world) {
		for range 3 {
			w.do(w.plain())
		}
		if got := w.net.Dials(); len(got) != 3 || got[0] != netip.MustParseAddrPort(origin4+":80") {
			t.Errorf("dials %v, want three", got)
		}
	})
}
