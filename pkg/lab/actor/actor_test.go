package actor

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

const ms = time.Millisecond

// hosts starts a network without delay.
func hosts(t *testing.T, names ...string) []*lab.Host {
	t.Helper()
	n, err := lab.New(lab.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	var out []*lab.Host
	for _, name := range names {
		h, err := n.AddHost(name, lab.HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	return out
}

func serve(t *testing.T, h *lab.Host, handler http.Handler) {
	t.Helper()
	s, err := Serve(h, handler, ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
}

func peer(t *testing.T, from, to *lab.Host) *Peer {
	t.Helper()
	p := NewPeer(from, to, PeerOptions{})
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// ask answers a request without a network in between.
func ask(handler http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func get(path string) *http.Request { return httptest.NewRequest(http.MethodGet, path, nil) }

func TestDeckDealsEveryValueOnceARound(t *testing.T) {
	values := []time.Duration{1, 2, 3, 4, 5, 6, 7}
	rounds := map[string]bool{}
	for seed := range uint64(3) {
		d := NewDeck(seed, values...)
		for range 3 {
			var round []time.Duration
			for range values {
				round = append(round, d.Draw())
			}
			rounds[string(durations(round))] = true
			slices.Sort(round)
			if !slices.Equal(round, values) {
				t.Errorf("seed %d dealt %v, want each of %v once", seed, round, values)
			}
		}
	}
	if len(rounds) < 8 {
		t.Errorf("%d different orders in 9 rounds, want them to differ", len(rounds))
	}
	a, b := NewDeck(5, values...), NewDeck(5, values...)
	for range values {
		if x, y := a.Draw(), b.Draw(); x != y {
			t.Errorf("one seed dealt %v and %v", x, y)
		}
	}
}

func durations(d []time.Duration) []byte {
	var b []byte
	for _, v := range d {
		b = append(b, byte(v))
	}
	return b
}

func TestSpreadKeepsItsQuantiles(t *testing.T) {
	v := Spread([]Quantile{{0.1, 10 * ms}, {0.5, 50 * ms}, {0.9, 130 * ms}})
	if len(v) != 25 || !slices.IsSorted(v) {
		t.Fatalf("%d values %v, want 25 in order", len(v), v)
	}
	if v[0] != 10*ms || v[12] != 50*ms || v[24] != 130*ms {
		t.Errorf("ends %v and %v, middle %v; want 10 ms, 130 ms, 50 ms", v[0], v[24], v[12])
	}
}

func TestTideRisesAndFallsWithTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tide := Tide{Latency: Fixed(20 * ms), Start: time.Now(), Day: time.Hour, Swing: 80 * ms}
		for after, want := range map[time.Duration]time.Duration{0: 20 * ms, 30 * time.Minute: 100 * ms, 60 * time.Minute: 20 * ms} {
			tide.Start = time.Now().Add(-after)
			if got := tide.Draw().Round(ms); got != want {
				t.Errorf("after %v: %v, want %v", after, got, want)
			}
		}
	})
}

func TestTurnMixesByWeight(t *testing.T) {
	turn := NewTurn(3, 1)
	for start := range 4 {
		counts := [2]int{}
		for range 16 {
			counts[turn.Next()]++
		}
		if counts != [2]int{12, 4} {
			t.Errorf("16 from turn %d went %v, want 12 and 4", start, counts)
		}
		turn.Next()
	}
}

func TestServiceReportsWhatItDid(t *testing.T) {
	h := hosts(t, "edge", "db", "api")
	var order []string
	note := func(name string, takes time.Duration) http.Handler {
		inner := (&Service{Takes: Fixed(takes), Content: []byte("from " + name)}).Handler()
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			order = append(order, name)
			inner.ServeHTTP(w, r)
		})
	}
	serve(t, h[1], note("db", 3*ms))
	serve(t, h[2], note("api", 9*ms))
	edge := &Service{
		Takes:   Fixed(5 * ms),
		Steps:   []Step{{{To: peer(t, h[0], h[1]), Times: 2}}},
		Forward: &Relay{To: []*Peer{peer(t, h[0], h[2])}},
		Signs:   &Signs{Dialect: Cloudflare, Accepted: "NRT", Compute: "SJC"},
	}
	w := ask(edge.Handler(), get("/"))
	if w.Code != http.StatusOK || w.Body.String() != "from api" {
		t.Errorf("answer %d %q, want the api's", w.Code, w.Body)
	}
	if got := strings.Join(order, " "); got != "db db api" {
		t.Errorf("asked %q, want db twice before api", got)
	}
	got := timing(t, w.Header())
	if got[preForward] < 11*ms || got[upstreamOrigin] < 9*ms || got[upstream] < got[upstreamOrigin] {
		t.Errorf("reported %v; want pre_forward 5+3+3 ms, origin 9 ms inside upstream", got)
	}
	if w.Header().Get("Cf-Placement") != "remote-SJC" || !strings.HasSuffix(w.Header().Get("Cf-Ray"), "-NRT") {
		t.Errorf("places %v", w.Header())
	}
}

func timing(t *testing.T, h http.Header) map[string]time.Duration {
	t.Helper()
	out := map[string]time.Duration{}
	for _, field := range strings.Split(h.Get(serverTiming), ", ") {
		name, value, _ := strings.Cut(field, ";dur=")
		d, err := time.ParseDuration(value + "ms")
		if err != nil {
			t.Fatalf("Server-Timing %q: %v", h.Get(serverTiming), err)
		}
		out[name] = d
	}
	return out
}

func TestSharedCallsAreSpreadEvenly(t *testing.T) {
	c := &Call{Share: 0.2}
	c.Stagger(7)
	made := 0
	for range 25 {
		if c.isDue() {
			made++
		}
	}
	if made != 5 {
		t.Errorf("a share of 0.2 made %d of 25 calls, want 5", made)
	}
}

func TestPeerReusesItsConnections(t *testing.T) {
	h := hosts(t, "a", "b")
	from := map[string]bool{}
	serve(t, h[1], http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { from[r.RemoteAddr] = true }))
	p := peer(t, h[0], h[1])
	for range 5 {
		if _, err := p.get(context.Background(), http.MethodGet, "/", nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(from) != 1 {
		t.Errorf("5 requests came over %d connections, want 1", len(from))
	}
}

func TestDialectsSayNoMoreThanTheyKnow(t *testing.T) {
	for dialect, want := range map[Dialect]string{
		Cloudflare: "Cf-Ray", CloudFront: "X-Amz-Cf-Pop", Vercel: "X-Vercel-Id", Fly: "Fly-Request-Id",
	} {
		h := http.Header{}
		(&Signs{Dialect: dialect, Accepted: "NRT", Compute: "IAD"}).write(h)
		if h.Get(want) == "" {
			t.Errorf("%s wrote %v, want %s", dialect, h, want)
		}
		unknown := http.Header{}
		(&Signs{Dialect: dialect}).write(unknown)
		if len(unknown) != 0 {
			t.Errorf("%s in an unknown place wrote %v, want nothing", dialect, unknown)
		}
	}
	h := http.Header{}
	(&Signs{Dialect: Vercel, Accepted: "NRT", Compute: "IAD"}).write(h)
	if !strings.HasPrefix(h.Get("X-Vercel-Id"), "hnd1::iad1::") {
		t.Errorf("x-vercel-id %q, want hnd1::iad1::...", h.Get("X-Vercel-Id"))
	}
}

func drain(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
