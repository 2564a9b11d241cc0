package probe_test

import (
	"bytes"
	"crypto/tls"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// dropping loses the nth to mth datagram that the client sends.
func dropping(n, m int) func(from, to netip.AddrPort, b []byte) bool {
	count := 0
	return func(_, to netip.AddrPort, _ []byte) bool {
		if to.Port() != 443 {
			return false
		}
		count++
		return count >= n && count <= m
	}
}

func TestLostInitialsAreTold(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveQUIC(probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
		w.net.Drop = dropping(1, 2)
		got := w.do(w.target(probe.HTTP3))
		expect(t, got, record.OK, split{segment.DNS: 20 * ms, segment.QUIC: 220 * ms}.with(0, 70*ms, 7*ms))
		if got.QUIC.PTO == 0 || got.QUIC.Stall || got.QUIC.Retry {
			t.Errorf("quic %+v, want a probe timeout and nothing else", got.QUIC)
		}
	})
}

// Everything the client sends in the instant its connection is ready gets lost, the request with it:
// send ends when it first left, the repair belongs to the wait.
func TestLostRequestBelongsToTheWait(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveQUIC(probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
		start := time.Now()
		w.net.Drop = func(_, to netip.AddrPort, _ []byte) bool {
			return to.Port() == 443 && time.Since(start) == 40*ms
		}
		got := w.do(w.target(probe.HTTP3))
		send, _ := got.Segments.Get(segment.Send)
		wait, _ := got.Segments.Get(segment.Wait)
		if got.Outcome != record.OK || send != 0 || wait <= 70*ms {
			t.Errorf("outcome %s, send %v, wait %v", got.Outcome, send, wait)
		}
		if got.QUIC.PTO == 0 && got.QUIC.Lost == 0 {
			t.Errorf("quic %+v tells of no loss", got.QUIC)
		}
	})
}

func TestVersionNegotiationIsTold(t *testing.T) {
	inBubble(t, func(w *world) {
		socket := w.net.ListenUDP(origin4 + ":443")
		w.stops = append(w.stops, func() { socket.Close() })
		go func() {
			b := make([]byte, 2048)
			for {
				n, from, err := socket.ReadFrom(b)
				if err != nil {
					return
				}
				socket.WriteTo(versionNegotiation(b[:n]), from)
			}
		}()
		got := w.do(w.target(probe.HTTP3))
		expect(t, got, record.Failed, split{segment.DNS: 20 * ms, segment.QUIC: 20 * ms})
		expectError(t, got, record.ClassQUIC, segment.QUIC)
		if !got.QUIC.VN {
			t.Errorf("quic %+v", got.QUIC)
		}
	})
}

// versionNegotiation answers an Initial with a version nobody speaks (RFC 9000 section 17.2.1).
func versionNegotiation(initial []byte) []byte {
	dst := initial[6 : 6+int(initial[5])]
	rest := initial[6+len(dst):]
	src := rest[1 : 1+int(rest[0])]
	out := []byte{0x80, 0, 0, 0, 0, byte(len(src))}
	out = append(append(out, src...), byte(len(dst)))
	return append(append(out, dst...), 0x1a, 0x2a, 0x3a, 0x4a)
}

func TestClientCertificateIsPresented(t *testing.T) {
	for _, protocol := range []probe.Protocol{probe.HTTP2, probe.HTTP3} {
		inBubble(t, func(w *world) {
			config := w.serverTLS()
			config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, w.ca.Roots()
			w.serve(origin4+":443", probetest.Origin{TLS: config})
			w.serveQUIC(probetest.Origin{TLS: config})
			target := w.target(protocol)
			if got := w.do(target); got.Outcome != record.Failed {
				t.Errorf("%s without a certificate: %s", protocol, got.Outcome)
			}
			target.ClientCerts = []tls.Certificate{w.ca.Issue("client.test")}
			if got := w.do(target); got.Outcome != record.OK {
				t.Errorf("%s with one: %s %+v", protocol, got.Outcome, got.Error)
			}
		})
	}
}

func TestKeyLogHoldsTheSecrets(t *testing.T) {
	for _, protocol := range []probe.Protocol{probe.HTTP2, probe.HTTP3} {
		inBubble(t, func(w *world) {
			w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS()})
			w.serveQUIC(probetest.Origin{TLS: w.serverTLS()})
			var log bytes.Buffer
			target := w.target(protocol)
			target.KeyLog = &log
			w.do(target)
			if !strings.Contains(log.String(), "CLIENT_TRAFFIC_SECRET_0 ") {
				t.Errorf("%s: key log %q", protocol, log.String())
			}
		})
	}
}

func TestHelloRetryRequestIsTold(t *testing.T) {
	inBubble(t, func(w *world) {
		config := w.serverTLS()
		config.CurvePreferences = []tls.CurveID{tls.CurveP384}
		w.serve(origin4+":443", probetest.Origin{TLS: config, Handler: thinking})
		got := w.do(w.target(probe.HTTP2))
		expect(t, got, record.OK, split{segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.TLS: 40 * ms}.with(0, 70*ms, 7*ms))
		if !got.TLS.HRR || got.TLS.Group != "CurveP384" && got.TLS.Group != "P-384" {
			t.Errorf("tls %+v", got.TLS)
		}
	})
}

func TestOnlyTheAddressesAskedForAreDialled(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS()})
		w.do(w.target(probe.HTTP2))
		if got := w.net.Dials(); len(got) != 1 {
			t.Errorf("dials %v, want one", got)
		}
	})
}
