package probe_test

import (
	"crypto/tls"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// The origin thinks 50 ms and finishes the content 7 ms later.
var thinking = after(50*ms, 7*ms)

func TestExactCleartext(t *testing.T) {
	for _, protocol := range []probe.Protocol{probe.HTTP11, probe.HTTP2} {
		t.Run(string(protocol), func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.serve(origin4+":80", probetest.Origin{Handler: thinking})
				target := w.plain()
				target.Protocol = protocol
				expect(t, w.do(target), record.OK, split{
					segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
				})
			})
		})
	}
}

func TestExactTLS(t *testing.T) {
	for _, c := range []struct {
		name     string
		protocol probe.Protocol
		agreed   string
		version  uint16
		tls      int // round trips
	}{
		{"http/1.1 over TLS 1.3", probe.HTTP11, "http/1.1", tls.VersionTLS13, 1},
		{"http/1.1 over TLS 1.2", probe.HTTP11, "http/1.1", tls.VersionTLS12, 2},
		{"h2 over TLS 1.3", probe.HTTP2, "h2", tls.VersionTLS13, 1},
		{"h2 over TLS 1.2", probe.HTTP2, "h2", tls.VersionTLS12, 2},
		{"auto over TLS 1.3", probe.Auto, "h2", tls.VersionTLS13, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				config := w.serverTLS()
				config.MaxVersion = c.version
				w.serve(origin4+":443", probetest.Origin{Handler: thinking, TLS: config})
				got := w.do(w.target(c.protocol))
				expect(t, got, record.OK, split{
					segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.TLS: roundTrip * timesOf(c.tls),
					segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
				})
				if got.Protocol != c.agreed {
					t.Errorf("protocol %q, want %q", got.Protocol, c.agreed)
				}
				if got.TCP == nil || got.TCP.ConnectRTT != roundTrip || got.TCP.MinRTT != roundTrip {
					t.Errorf("tcp facts %+v, want %v", got.TCP, roundTrip)
				}
			})
		})
	}
}

func TestExactQUIC(t *testing.T) {
	for _, c := range []struct {
		name  string
		retry bool
		quic  int
	}{{"plain", false, 1}, {"Retry", true, 2}} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.serveQUIC(probetest.Origin{Handler: thinking, TLS: w.serverTLS(), Retry: c.retry})
				got := w.do(w.target(probe.HTTP3))
				expect(t, got, record.OK, split{
					segment.DNS: 20 * ms, segment.QUIC: roundTrip * timesOf(c.quic),
					segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
				})
				if got.QUIC == nil || got.QUIC.Retry != c.retry || got.QUIC.MinRTT != roundTrip || got.QUIC.Stall {
					t.Errorf("quic facts %+v", got.QUIC)
				}
			})
		})
	}
}
