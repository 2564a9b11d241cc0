package actor

import (
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestStateOpensAfterFailuresInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &State{Failures: 3, Rest: 2 * time.Second}
		steps := []struct {
			do   func()
			want Verdict
		}{
			{func() {}, Closed},
			{func() { s.Report(false); s.Report(false) }, Closed},
			{func() { s.Report(true) }, Closed}, // a success forgets failures
			{func() { s.Report(false); s.Report(false) }, Closed},
			{func() { s.Report(false) }, Open},
			{func() { time.Sleep(time.Second) }, Open},
			{func() { time.Sleep(time.Second) }, HalfOpen},
			{func() {}, Open}, // one trial at a time
			{func() { s.Report(false) }, Open},
			{func() { time.Sleep(2 * time.Second) }, HalfOpen},
			{func() { s.Report(true) }, Closed},
		}
		for i, step := range steps {
			step.do()
			if got := s.Ask(); got != step.want {
				t.Errorf("step %d: %s, want %s", i, got, step.want)
			}
		}
	})
}

// breakerWorld is an edge with its state object, a pod whose work can be changed,
// and a fallback.
type breakerWorld struct {
	edge  http.Handler
	state *State
	pod   atomic.Int64 // how long it works
	asked atomic.Int64 // how often it was asked
}

func newBreakerWorld(t *testing.T) *breakerWorld {
	t.Helper()
	h := hosts(t, "edge", "switch", "pod", "fallback")
	b := &breakerWorld{state: &State{Generation: "v1", Place: "SJC", Reads: Fixed(ms), Writes: Fixed(40 * ms), Failures: 2, Rest: 200 * ms}}
	serve(t, h[1], b.state.Handler())
	serve(t, h[2], answersWarm(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.asked.Add(1)
		if work(r.Context(), time.Duration(b.pod.Load())) == nil {
			writeContent(w, http.StatusOK, "", []byte("pod"))
		}
	})))
	serve(t, h[3], (&Service{Content: []byte("fallback")}).Handler())
	b.edge = (&Service{Forward: &Breaker{
		State: peer(t, h[0], h[1]), To: peer(t, h[0], h[2]), Fallback: peer(t, h[0], h[3]), Deadline: 100 * ms,
	}}).Handler()
	return b
}

func (b *breakerWorld) ask(t *testing.T) (who string, header http.Header, took time.Duration) {
	t.Helper()
	start := time.Now()
	w := ask(b.edge, get("/"))
	if w.Code != http.StatusOK || w.Header().Get(AnsweredBy) == "" {
		t.Fatalf("answer %d %q", w.Code, w.Body)
	}
	return w.Body.String(), w.Header(), time.Since(start)
}

func TestBreakerFallsBackOpensAndRecovers(t *testing.T) {
	b := newBreakerWorld(t)
	who, h, took := b.ask(t)
	if who != "pod" || h.Get(placeHeader) != "SJC" {
		t.Errorf("healthy: %s answered, state at %q", who, h.Get(placeHeader))
	}
	if took < 41*ms {
		t.Errorf("the answer took %v; it must wait for the record of 40 ms", took)
	}
	b.pod.Store(int64(300 * ms))
	for range 2 {
		if who, _, took = b.ask(t); who != "fallback" || took < 100*ms {
			t.Errorf("past the deadline: %s after %v, want the fallback after 100 ms", who, took)
		}
		eventually(t, func() bool { return b.state.Begun() > 0 })
	}
	eventually(t, func() bool { return b.state.Ask() == Open })
	asked := b.asked.Load()
	if who, _, _ = b.ask(t); who != "fallback" || b.asked.Load() != asked {
		t.Errorf("open: %s answered and the pod was asked %d times more", who, b.asked.Load()-asked)
	}
	b.pod.Store(0)
	time.Sleep(250 * ms) // longer than the breaker rests
	if who, _, _ = b.ask(t); who != "pod" {
		t.Errorf("trial: %s answered, want the pod", who)
	}
	eventually(t, func() bool { return b.state.Ask() == Closed })
}

// eventually waits for what another goroutine is about to do.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 500 {
		if ok() {
			return
		}
		time.Sleep(10 * ms)
	}
	t.Fatal("it did not come about in 5 s")
}
