package actor

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const prompted = `{"model":"m","stream":%t}`

func promptFor(path, key string, stream bool) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(fmt.Sprintf(prompted, stream)))
	r.Header.Set("Authorization", "Bearer "+key)
	return r
}

func newMachine(lanes int) *Machine {
	return &Machine{ID: "m1", Lanes: lanes, Generates: Fixed(2 * time.Second), FirstText: 0.5, Alive: 300 * ms,
		RetryAfter: 2 * time.Second, Code: "bench_lane_full",
		Accounts: &Accounts{Keys: map[string]string{"k1": "a", "k2": "a", "other": "b"}}}
}

// Lanes count across keys, shapes and modes of one account, and not across accounts.
func TestLanesAreHeldUntilAStreamEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(2)
		handler := m.Handler()
		var wg sync.WaitGroup
		for _, r := range []*http.Request{promptFor(chatPath, "k1", true), promptFor(messagesPath, "k2", false)} {
			wg.Go(func() {
				if w := ask(handler, r); w.Code != http.StatusOK {
					t.Errorf("%s: %d", r.URL.Path, w.Code)
				}
			})
		}
		time.Sleep(1900 * ms)
		if w := ask(handler, promptFor(chatPath, "k2", true)); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "2" ||
			!strings.Contains(w.Body.String(), `"code":"bench_lane_full"`) {
			t.Errorf("third at once: %d %v %s", w.Code, w.Header(), w.Body)
		}
		if w := ask(handler, promptFor(chatPath, "other", false)); w.Code != http.StatusOK {
			t.Errorf("another account: %d", w.Code)
		}
		wg.Wait()
		if w := ask(handler, promptFor(chatPath, "k1", false)); w.Code != http.StatusOK {
			t.Errorf("once the streams have ended: %d", w.Code)
		}
		if m.Busy() != 0 {
			t.Errorf("%d lanes taken at the end", m.Busy())
		}
	})
}

func TestStreamsHaveTheShapeOfTheirAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cases := map[string]struct{ alive, text, end string }{
			chatPath:     {": keep-alive\n\n", `"delta":{"content":" word 1,"}`, "data: [DONE]\n\n"},
			messagesPath: {"event: ping\ndata: {\"type\":\"ping\"}\n\n", `"delta":{"text":" word 1,"`, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
		}
		for path, want := range cases {
			start := time.Now()
			w := ask(newMachine(1).Handler(), promptFor(path, "k1", true))
			body := w.Body.String()
			alive, text := strings.Index(body, want.alive), strings.Index(body, want.text)
			if alive < 0 || text < alive || !strings.HasSuffix(body, want.end) {
				t.Errorf("%s: alive at %d, text at %d, stream\n%s", path, alive, text, body)
			}
			if took := time.Since(start); took != 2*time.Second {
				t.Errorf("%s took %v, want 2 s", path, took)
			}
		}
	})
}

func TestRefusalsAreNotConfused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(1)
		m.Accounts.Balance, m.Accounts.Cost = 25, 25
		handler := m.Handler()
		for _, c := range []struct {
			r    *http.Request
			want int
		}{
			{promptFor(chatPath, "k1", false), http.StatusOK},
			{promptFor(chatPath, "k1", false), http.StatusPaymentRequired},
			{promptFor(chatPath, "nobody", false), http.StatusUnauthorized},
			{promptFor("/v1/other", "k1", false), http.StatusNotFound},
		} {
			if w := ask(handler, c.r); w.Code != c.want {
				t.Errorf("%s as %s: %d, want %d", c.r.URL.Path, apiKey(c.r), w.Code, c.want)
			}
		}
	})
}

func TestCutStreamHasNoTerminalEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(1)
		m.Stall = Stall{After: 3, For: time.Second, Cut: true}
		body := ask(m.Handler(), promptFor(chatPath, "k1", true)).Body.String()
		if strings.Contains(body, "[DONE]") || !strings.Contains(body, " word 3,") || strings.Contains(body, " word 4,") {
			t.Errorf("cut after three words: %s", body)
		}
	})
}

func TestDrainLetsStreamsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(2)
		handler := m.Handler()
		var wg sync.WaitGroup
		wg.Go(func() {
			if w := ask(handler, promptFor(chatPath, "k1", true)); !strings.HasSuffix(w.Body.String(), "data: [DONE]\n\n") {
				t.Error("the stream under way was not finished")
			}
		})
		time.Sleep(500 * ms)
		drained := make(chan error, 1)
		go func() { drained <- m.Drain(context.Background()) }()
		synctest.Wait()
		w := ask(handler, promptFor(chatPath, "k1", false))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("while draining: %d %v, want 503 with Retry-After", w.Code, w.Header())
		}
		start := time.Now()
		if err := <-drained; err != nil || time.Since(start) != 1500*ms {
			t.Errorf("drained after %v: %v; want when the stream has ended", time.Since(start), err)
		}
		wg.Wait()
	})
}

// gatewayWorld is a front door with one machine that may start another.
func gatewayWorld(t *testing.T) (*Gateway, *Peer) {
	t.Helper()
	h := hosts(t, "client", "front", "m1", "m2")
	start := func(number int) (Backend, error) {
		m := newMachine(2)
		m.ID, m.Generates = fmt.Sprintf("m%d", number), Fixed(400*ms)
		s, err := Serve(h[1+number], m.Handler(), ServerOptions{})
		return Backend{Machine: m, Peer: NewPeer(h[1], h[1+number], PeerOptions{}), Server: s, Weight: 1}, err
	}
	first, err := start(1)
	if err != nil {
		t.Fatal(err)
	}
	g := NewGateway(&Autostart{Start: start, Max: 2, Full: 0.9, Boot: 100 * ms, Idle: 300 * ms, Lanes: 2}, first)
	t.Cleanup(func() { _ = g.Close() })
	serve(t, h[1], g.Handler())
	return g, peer(t, h[0], h[1])
}

func TestGatewayStartsAndStopsMachines(t *testing.T) {
	g, client := gatewayWorld(t)
	ask := func() int {
		r, _ := http.NewRequest(http.MethodPost, "http://gateway.example"+chatPath, strings.NewReader(fmt.Sprintf(prompted, false)))
		r.Header.Set("X-Api-Key", "k1")
		res, err := client.do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		drain(t, res)
		return res.StatusCode
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if code := ask(); code != http.StatusOK {
				t.Errorf("status %d, want 200", code)
			}
		})
	}
	wg.Wait()
	eventually(t, func() bool { return g.Machines() == 2 })
	eventually(t, func() bool { return g.Machines() == 1 })
	if code := ask(); code != http.StatusOK {
		t.Errorf("after the machine was stopped: %d", code)
	}
	if err := g.Drain(context.Background()); err != nil {
		t.Errorf("drain with nothing under way: %v", err)
	}
	if code := ask(); code != http.StatusServiceUnavailable {
		t.Errorf("after the drain: %d, want 503", code)
	}
	if answer, err := client.get(context.Background(), http.MethodGet, HealthPath, nil); err != nil || answer.status != http.StatusOK {
		t.Errorf("health: %v %v", answer.status, err)
	}
}
