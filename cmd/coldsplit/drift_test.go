package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
)

// drifting answers after a base that grows by 80 ms over the run, noise of 2 ms, and extra before
// forwarding; the header tells the whole of it.
func drifting(rng *rand.Rand, length, extra time.Duration) http.Handler {
	start := time.Now()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		drift := time.Duration(float64(80*ms) * float64(time.Since(start)) / float64(length))
		noise := time.Duration(rng.NormFloat64() * float64(2*ms))
		wait := max(100*ms+drift+noise+extra, 0)
		time.Sleep(wait)
		w.Header().Set("Server-Timing", fmt.Sprintf("pre_forward;dur=%.3f", float64(wait)/float64(ms)))
	})
}

func TestADriftDuringTheRunDoesNotMoveTheVerdict(t *testing.T) {
	const pairs, extra = 50, 40 * ms
	runs := 100
	if testing.Short() {
		runs = 5
	}
	right, within := 0, 0
	for seed := range runs {
		change := driftingRun(t, uint64(seed+1), pairs, extra)
		if change > 0 {
			right++
		}
		if off := change - extra; max(off, -off) <= 5*ms {
			within++
		}
	}
	t.Logf("%d of %d with the right sign, %d within 5 ms of %v", right, runs, within, extra)
	if right < runs*95/100 || within < runs*95/100 {
		t.Errorf("%d of %d runs have the right sign, %d are within 5 ms; 95 %% are wanted", right, runs, within)
	}
}

// plain serves a name in the clear.
func (b *bubble) plain(name, addr string, h http.Handler) {
	b.net.Zone[name] = probetest.Records{A: []string{addr}, TTL: 60}
	b.stops = append(b.stops, b.net.Serve(addr+":80", probetest.Origin{Handler: h}))
}

// driftingRun compares two hosts that drift alike, one extra slower, and returns the change of p50.
func driftingRun(t *testing.T, seed uint64, pairs int, extra time.Duration) (change time.Duration) {
	t.Helper()
	inBubble(t, func(b *bubble) {
		rng := rand.New(rand.NewPCG(seed, 1))
		length := time.Duration(2*pairs) * 300 * ms
		b.plain("before.example", "192.0.2.1", drifting(rng, length, 0))
		b.plain("after.example", "192.0.2.2", drifting(rng, length, extra))
		out, errs, _ := b.run("compare", "-f", "json", "--no-save", "-n", fmt.Sprint(pairs), "--interval", "300ms", "--seed", fmt.Sprint(seed),
			"http://before.example/", "http://after.example/")
		var c struct {
			Change struct {
				Delta int64 `json:"change_ns"`
			}
		}
		if err := json.Unmarshal([]byte(out), &c); err != nil {
			b.t.Fatalf("%v\n%s%s", err, out, errs)
		}
		change = time.Duration(c.Change.Delta)
	})
	return change
}
