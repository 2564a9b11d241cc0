package probe_test

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

func TestWarmExchangeHasOnlyTheRequest(t *testing.T) {
	eachProtocol(t, thinking, func(w *world, target *probe.Target, _ split) {
		target.State = probe.Warm
		got := w.prober.Do(context.Background(), target)
		expect(w.t, got.Exchange, record.OK, split{}.with(0, 70*ms, 7*ms))
		if got.Prime == nil || !got.Prime.Prime || got.Prime.State != "cold" || !got.Prime.Segments.Has(segment.DNS) {
			w.t.Fatalf("prime %+v", got.Prime)
		}
		if got.Exchange.Remote != origin4+":443" || got.Exchange.Protocol != string(target.Protocol) {
			w.t.Errorf("remote %q, protocol %q", got.Exchange.Remote, got.Exchange.Protocol)
		}
	})
}

func TestWarmNeedsAnOpenConnection(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS(), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			io.WriteString(w, "bye")
		})})
		target := w.target(probe.HTTP11)
		target.State = probe.Warm
		expectInvalid(t, w.do(target), "not warm")
	})
}

func TestResumedExchange(t *testing.T) {
	eachProtocol(t, thinking, func(w *world, target *probe.Target, setup split) {
		target.State = probe.Resumed
		got := w.prober.Do(context.Background(), target)
		expect(w.t, got.Exchange, record.OK, setup.with(0, 70*ms, 7*ms))
		if got.Exchange.TLS == nil || !got.Exchange.TLS.Resumed || got.Exchange.State != "resumed" {
			w.t.Errorf("state %q, tls %+v", got.Exchange.State, got.Exchange.TLS)
		}
		if got.Prime == nil || got.Prime.TLS.Resumed || got.Prime.Outcome != record.OK {
			w.t.Errorf("prime %+v", got.Prime)
		}
	})
}

func TestTicketsSavePriming(t *testing.T) {
	var requests atomic.Int32
	counting := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { requests.Add(1) })
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{Handler: counting, TLS: w.serverTLS()})
		target := w.target(probe.HTTP2)
		target.State, target.Tickets = probe.Resumed, &probe.Tickets{}
		for i := range 4 {
			got := w.prober.Do(context.Background(), target)
			if got.Exchange.Outcome != record.OK || (got.Prime != nil) != (i == 0) {
				t.Errorf("exchange %d: %s %+v, primed %v", i, got.Exchange.Outcome, got.Exchange.Error, got.Prime != nil)
			}
		}
		if requests.Load() != 5 {
			t.Errorf("%d requests, want 1 to prime and 4", requests.Load())
		}
	})
}

func TestServerWithoutTicketsCannotResume(t *testing.T) {
	inBubble(t, func(w *world) {
		config := w.serverTLS()
		config.SessionTicketsDisabled = true
		w.serve(origin4+":443", probetest.Origin{TLS: config})
		target := w.target(probe.HTTP2)
		target.State = probe.Resumed
		expectInvalid(t, w.do(target), "gave no session ticket within 1s")
	})
}

func TestEarlyExchangeSavesTheHandshake(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveQUIC(probetest.Origin{Handler: thinking, TLS: w.serverTLS(), Allow0RTT: true})
		target := w.target(probe.HTTP3)
		target.State = probe.Early
		got := w.prober.Do(context.Background(), target)
		expect(t, got.Exchange, record.OK, split{segment.DNS: 20 * ms, segment.QUIC: 0}.with(0, 70*ms, 7*ms))
		if q := got.Exchange.QUIC; q == nil || !q.Used0RTT {
			t.Errorf("quic %+v", q)
		}
		if got.Exchange.TLS == nil || !got.Exchange.TLS.Resumed {
			t.Errorf("tls %+v", got.Exchange.TLS)
		}
	})
}

func TestRefusedEarlyDataIsInvalid(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serveQUIC(probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
		target := w.target(probe.HTTP3)
		target.State = probe.Early
		expectInvalid(t, w.do(target), "not early")
	})
}

func TestFailedPrimingIsTheExchangesFailure(t *testing.T) {
	for _, state := range []probe.State{probe.Warm, probe.Resumed} {
		inBubble(t, func(w *world) {
			target := w.target(probe.HTTP2)
			target.State = state
			got := w.prober.Do(context.Background(), target)
			expectError(t, got.Exchange, record.ClassReset, segment.TCP)
			if got.Prime != nil || got.Exchange.State != string(state) {
				t.Errorf("prime %v, state %q", got.Prime, got.Exchange.State)
			}
		})
	}
}

func TestSessionCarriesSeveralExchanges(t *testing.T) {
	eachProtocol(t, thinking, func(w *world, target *probe.Target, setup split) {
		s, opened := w.prober.Open(context.Background(), target)
		if s == nil {
			w.t.Fatalf("open: %+v", opened.Exchange.Error)
		}
		defer s.Close()
		expect(w.t, opened.Exchange, record.OK, setup)
		for range 3 {
			time.Sleep(time.Second)
			got := s.Do(context.Background(), target)
			expect(w.t, got.Exchange, record.OK, split{}.with(0, 70*ms, 7*ms))
		}
	})
}
