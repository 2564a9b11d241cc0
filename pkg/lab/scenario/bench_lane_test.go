package scenario_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// burst asks n times at once, over all arms in turn.
func burst(t *testing.T, w *scenario.World, n int) []sample {
	t.Helper()
	arms := w.Arms()
	out := make([]sample, n)
	release := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-release
			out[i] = exchange(t, w, arms[i%len(arms)], "1.1")
		})
	}
	close(release)
	wg.Wait()
	return out
}

func count(t *testing.T, samples []sample) (ok, throttled int, machines map[string]int) {
	t.Helper()
	machines = map[string]int{}
	for _, s := range samples {
		switch {
		case s.err != nil:
			t.Errorf("exchange: %v", s.err)
		case s.status == http.StatusOK:
			ok++
			machines[s.header.Get("Fly-Machine-Id")]++
		case s.status == http.StatusTooManyRequests:
			throttled++
		default:
			t.Errorf("status %d: %s", s.status, s.body)
		}
	}
	return ok, throttled, machines
}

func TestBenchLane(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][2]int{8: {8, 0}, 16: {12, 4}} {
		w := open(t, "bench-lane", uint64(n))
		samples := burst(t, w, n)
		ok, throttled, machines := count(t, samples)
		if got := [2]int{ok, throttled}; got != want {
			t.Errorf("%d at once: ok and throttled %v, want %v", n, got, want)
		}
		if len(machines) != 2 {
			t.Errorf("%d at once: answered by %v, want two machines", n, machines)
		}
		checkRefusals(t, samples)
		checkStreams(t, samples)
		if n == 16 {
			checkRecovery(t, w)
		}
	}
}

func checkRefusals(t *testing.T, samples []sample) {
	t.Helper()
	for _, s := range samples {
		if s.status != http.StatusTooManyRequests {
			continue
		}
		if got := s.header.Get("Retry-After"); got != "2" {
			t.Errorf("Retry-After %q, want 2", got)
		}
		if !bytes.Contains(s.body, []byte(`"code":"bench_lane_full"`)) {
			t.Errorf("refused with %s, want code bench_lane_full", s.body)
		}
	}
}

// checkStreams wants every accepted stream to have its terminal event and something
// that is no text before its text.
func checkStreams(t *testing.T, samples []sample) {
	t.Helper()
	for _, s := range samples {
		if s.status != http.StatusOK || !strings.HasPrefix(s.header.Get("Content-Type"), "text/event-stream") {
			continue
		}
		body := string(s.body)
		end := strings.HasSuffix(body, "data: [DONE]\n\n") || strings.Contains(body, "event: message_stop\n")
		alive := strings.Index(body, ": keep-alive")
		if strings.Contains(body, "event: message_start") {
			alive = strings.Index(body, "event: ping")
		}
		if text := strings.Index(body, " word 1,"); !end || alive < 0 || text < alive {
			t.Errorf("stream ended properly: %t; alive at %d, text at %d", end, alive, text)
		}
		if s.total-s.ttfb < 1200*ms {
			t.Errorf("stream lasted %v beyond its first byte, want over 1.2 s", s.total-s.ttfb)
		}
	}
}

// checkRecovery asks twice once the load is gone.
func checkRecovery(t *testing.T, w *scenario.World) {
	t.Helper()
	if ok, _, _ := count(t, burst(t, w, w.RequestsAfter())); ok != 2 {
		t.Errorf("after the load %d of 2 succeeded", ok)
	}
	health := armOf(t, w, "chat")
	health.URL, health.Method, health.Body = w.HealthURL(), http.MethodGet, nil
	if s := exchange(t, w, health, "2"); s.status != http.StatusOK {
		t.Errorf("health answered %d", s.status)
	}
}

func TestNormalLane(t *testing.T) {
	t.Parallel()
	w := open(t, "bench-lane/normal", 3)
	for _, n := range []int{16, 64} {
		ok, throttled, machines := count(t, burst(t, w, n))
		if ok != n || throttled != 0 {
			t.Errorf("%d at once: %d ok, %d throttled; want all", n, ok, throttled)
		}
		if machines["gateway-1"] != n/2 || machines["gateway-2"] != n/2 {
			t.Errorf("%d at once spread as %v, want evenly", n, machines)
		}
	}
}

func TestSpentBalanceIsNoRefusal(t *testing.T) {
	t.Parallel()
	w := open(t, "bench-lane/spent", 3)
	spent := 0
	for _, s := range append(burst(t, w, 8), burst(t, w, 4)...) {
		if s.status == http.StatusPaymentRequired {
			spent++
		}
	}
	if spent != 2 {
		t.Errorf("%d of 12 were answered 402, want 2: ten cost 250", spent)
	}
}
