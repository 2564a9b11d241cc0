package probe_test

import (
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/quic-go/quic-go"
)

func expectInvalid(t *testing.T, e record.Exchange, reason string) {
	t.Helper()
	if e.Outcome != record.Invalid || e.Error == nil || e.Error.Class != "" || !strings.Contains(e.Error.Text, reason) {
		t.Errorf("outcome %s, error %+v, want invalid because %q", e.Outcome, e.Error, reason)
	}
	if err := e.Segments.Check(e.Total); err != nil {
		t.Error(err)
	}
}

func TestResumedSessionIsNotCold(t *testing.T) {
	for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2, probe.HTTP3} {
		t.Run(string(protocol), func(t *testing.T) {
			inBubble(t, func(w *world) {
				o := probetest.Origin{TLS: w.serverTLS()}
				w.serve(origin4+":443", o)
				w.serveQUIC(o)
				cache := tls.NewLRUClientSessionCache(1)
				w.prober.Tamper(func(c *tls.Config) { c.ClientSessionCache = cache }, nil, nil)
				if first := w.do(w.target(protocol)); first.Outcome != record.OK {
					t.Fatalf("first exchange: %s %+v", first.Outcome, first.Error)
				}
				expectInvalid(t, w.do(w.target(protocol)), "the TLS session was resumed")
			})
		})
	}
}

// A server without ALPN answers a client that insists on h2 with silence about the protocol.
func TestDowngradedProtocolIsInvalid(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveALPN("http/1.1")
		w.prober.Tamper(func(c *tls.Config) { c.NextProtos = []string{"h2", "http/1.1"} }, nil, nil)
		got := w.do(w.target(probe.HTTP2))
		expectInvalid(t, got, "asked for h2, the server agreed on http/1.1")
		if got.Protocol != "http/1.1" {
			t.Errorf("protocol %q", got.Protocol)
		}
	})
}

// retrying is a transport that sends every request twice.
type retrying struct{ http.RoundTripper }

func (r retrying) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return r.RoundTripper.RoundTrip(req)
}

func TestRetriedRequestIsInvalid(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS()})
		w.serveQUIC(probetest.Origin{TLS: w.serverTLS()})
		w.prober.Tamper(nil, nil, func(r http.RoundTripper) http.RoundTripper { return retrying{r} })
		for _, protocol := range []probe.Protocol{probe.HTTP2, probe.HTTP3} {
			expectInvalid(t, w.do(w.target(protocol)), "the request was written 2 times")
		}
	})
}

func TestOfferedTokenIsNotCold(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveQUIC(probetest.Origin{TLS: w.serverTLS()})
		tokens := quic.NewLRUTokenStore(1, 4)
		w.prober.Tamper(nil, func(c *quic.Config) { c.TokenStore = tokens }, nil)
		if first := w.do(w.target(probe.HTTP3)); first.Outcome != record.OK {
			t.Fatalf("first exchange: %s %+v", first.Outcome, first.Error)
		}
		expectInvalid(t, w.do(w.target(probe.HTTP3)), "an address validation token was offered")
	})
}

func TestRetryIsNoToken(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveQUIC(probetest.Origin{TLS: w.serverTLS(), Retry: true})
		for range 2 {
			got := w.do(w.target(probe.HTTP3))
			if got.Outcome != record.OK || !got.QUIC.Retry {
				t.Errorf("outcome %s, error %+v, quic %+v", got.Outcome, got.Error, got.QUIC)
			}
		}
	})
}

func TestStallUnderTheAmplificationLimit(t *testing.T) {
	for _, c := range []struct {
		padding int
		stall   bool
		quic    time.Duration
	}{{4000, false, 20 * ms}, {10000, true, 40 * ms}} {
		inBubble(t, func(w *world) {
			config := &tls.Config{Certificates: []tls.Certificate{w.ca.IssuePadded(c.padding, host)}}
			w.serveQUIC(probetest.Origin{TLS: config})
			got := w.do(w.target(probe.HTTP3))
			if got.Outcome != record.OK || got.QUIC.Stall != c.stall {
				t.Errorf("%d bytes: outcome %s, error %+v, quic %+v", c.padding, got.Outcome, got.Error, got.QUIC)
			}
			if d := got.Total - 40*ms; d != c.quic {
				t.Errorf("%d bytes: quic took %v, want %v", c.padding, d, c.quic)
			}
		})
	}
}
