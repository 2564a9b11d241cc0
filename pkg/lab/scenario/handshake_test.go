package scenario_test

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
)

// published figures of case B; the case gives them for Sydney and n = 5.
func handshakeFigures(before, after []sample) []figure {
	return []figure{
		{"before setup", rank(before, 50, setup), 500 * ms, 25 * ms},
		{"before ttfb", rank(before, 50, ttfb), 740 * ms, 740 * ms * 3 / 100},
		{"after setup (under 100)", rank(after, 50, setup), 50 * ms, 50 * ms},
		{"after ttfb", rank(after, 50, ttfb), 310 * ms, 310 * ms * 4 / 100},
	}
}

// both asks the two arms side by side.
func both(t *testing.T, w *scenario.World, protocol string, n int) (before, after []sample) {
	t.Helper()
	b, a := armOf(t, w, "before"), armOf(t, w, "after")
	b.HTTP, a.HTTP = protocol, protocol
	var wg sync.WaitGroup
	wg.Go(func() { before = collect(t, w, b, n) })
	wg.Go(func() { after = collect(t, w, a, n) })
	wg.Wait()
	if len(before) < n || len(after) < n {
		t.FailNow()
	}
	return before, after
}

func TestEdgeHandshake(t *testing.T) {
	t.Parallel()
	w := open(t, "edge-handshake", 5)
	agree(t, func() []figure {
		before, after := both(t, w, "2", 5)
		checkSameAnswer(t, before[0], after[0])
		return handshakeFigures(before, after)
	})
	t.Run("h1", func(t *testing.T) {
		before, after := both(t, w, "1.1", 3)
		fewerTrips(t, before, after, 2)
	})
	t.Run("h3", func(t *testing.T) {
		before, after := both(t, w, "3", 3)
		fewerTrips(t, before, after, 1)
		if got := rank(before, 1, setup); got > 400*ms {
			t.Errorf("QUIC took %v to the servers, want one round trip of 240 ms where TCP and TLS spend two", got)
		}
	})
}

// fewerTrips wants the handshakes' trips over the ocean gone, and one left.
func fewerTrips(t *testing.T, before, after []sample, handshakes time.Duration) {
	t.Helper()
	const ocean = 240 * ms
	if got := rank(before, 50, setup); got < handshakes*ocean {
		t.Errorf("before: setup took %v, less than %d round trips of %v", got, handshakes, ocean)
	}
	if got := rank(after, 1, ttfb); got < ocean || got > 2*ocean {
		t.Errorf("after: first byte after %v, want one ocean crossing of %v", got, ocean)
	}
}

func checkSameAnswer(t *testing.T, before, after sample) {
	t.Helper()
	decoded, err := io.ReadAll(brotli.NewReader(bytes.NewReader(after.body)))
	if err != nil {
		t.Fatal(err)
	}
	if before.header.Get("Content-Encoding") != "" || after.header.Get("Content-Encoding") != "br" {
		t.Error("want identity before and br after")
	}
	if !bytes.Equal(before.body, decoded) {
		t.Errorf("answers differ: %d and %d bytes decoded", len(before.body), len(decoded))
	}
	share := float64(len(after.body)) / float64(len(before.body))
	t.Logf("bytes on the wire: %d -> %d (%.0f %%)", len(before.body), len(after.body), 100*share)
	if share < 0.28 || share > 0.39 {
		t.Errorf("brotli left %.2f of the bytes, want a third", share)
	}
}

func TestEdgeHandshakeFromElsewhere(t *testing.T) {
	t.Parallel()
	for _, city := range []string{"lagos", "jakarta"} {
		w := open(t, "edge-handshake/"+city, 5)
		agree(t, func() []figure {
			before, after := both(t, w, "2", 3)
			if got := rank(before, 50, setup); got < 400*ms {
				t.Errorf("%s: setup straight to the servers took %v, want over 400 ms", city, got)
			}
			t.Log(city, fmt.Sprint(rank(before, 50, ttfb).Round(ms), " -> ", rank(after, 50, ttfb).Round(ms)))
			return []figure{{city + ": setup at the edge (under 100)", rank(after, 50, setup), 50 * ms, 50 * ms}}
		})
	}
}
