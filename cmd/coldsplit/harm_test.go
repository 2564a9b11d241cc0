package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// storm refuses every request with the status and Retry-After given.
func (r *recorder) storm(status int, after string) probetest.Origin {
	return probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.note(req)
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
	})}
}

func TestThrottlingStormCostsThreeRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		after  string
		args   []string
		want   int
		pauses time.Duration
	}{
		{"429 that says how long", 429, "20", nil, 3, 40 * time.Second},
		{"429 that does not", 429, "", nil, 3, 10 * time.Second},
		{"503 that says how long", 503, "7", nil, 3, 14 * time.Second},
		{"503 that does not is a failure", 503, "", nil, 3, 0},
		{"a pause longer than granted", 429, "61", nil, 1, 0},
		{"a pause longer than granted by --max-pause", 429, "20", []string{"--max-pause", "5s"}, 1, 0},
		{"no pause granted", 429, "1", []string{"--max-pause", "0"}, 1, 0},
		{"failures that may go on", 503, "", []string{"--keep-going"}, 25, 0},
		{"throttling that may not, whatever --keep-going says", 429, "2", []string{"--keep-going"}, 3, 4 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				var r recorder
				b.host("api.example.com", "203.0.113.1", r.storm(c.status, c.after))
				start := time.Now()
				_, _, code := b.probe("storm.jsonl", append([]string{"https://api.example.com/"}, c.args...)...)
				if len(r.seen) != c.want || code != exitFailed {
					t.Errorf("%d requests at the server, want %d; exit %d", len(r.seen), c.want, code)
				}
				if took := time.Since(start); took < c.pauses || took > c.pauses+15*time.Second {
					t.Errorf("took %v, asked to wait %v", took, c.pauses)
				}
			})
		})
	}
}

func TestFailuresThatWereNotAllAlikeAreNotSaidToBe(t *testing.T) {
	inBubble(t, func(b *bubble) {
		turn := 0
		b.host("api.example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			turn++
			w.WriteHeader(http.StatusInternalServerError + min(turn-1, 1))
		})})
		out, _, _ := b.probe("alike.jsonl", "https://api.example.com/")
		if want := "stopped   after 4 of 25, the last 3 alike; --keep-going sends the rest"; turn != 4 || !strings.Contains(out, want) {
			t.Errorf("%d requests, lacks %q in\n%s", turn, want, out)
		}
	})
}

func TestUnsafeMethodIsSentOnlyWhenCounted(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var r recorder
		b.host("api.example.com", "203.0.113.1", r.answering(0))
		for _, args := range [][]string{{"-d", "a=1"}, {"-X", "DELETE"}, {"--json", "{}"}} {
			_, errs, code := b.probe("x.jsonl", append(args, "https://api.example.com/")...)
			if code != exitUsage || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "with -n") {
				t.Errorf("%v: exit %d, %q", args, code, errs)
			}
		}
		if len(b.net.Dials()) != 0 || b.net.Queries() != 0 {
			t.Errorf("%d connections and %d look-ups before anything was allowed", len(b.net.Dials()), b.net.Queries())
		}
		_, errs, code := b.probe("y.jsonl", "-d", "a=1", "-n", "4", "https://api.example.com/")
		if code != exitDone || errs != "will send 4 POST requests to api.example.com\n" || len(r.seen) != 4 {
			t.Errorf("exit %d, %q, %d requests", code, errs, len(r.seen))
		}
	})
}

func TestEachRequestIsItsOwnByTemplates(t *testing.T) {
	inBubble(t, func(b *bubble) {
		seen := map[string]bool{}
		b.host("api.example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			if req.Header.Get("X-Id") != req.URL.Query().Get("id") {
				t.Errorf("one request has two ids: %s and %s", req.Header.Get("X-Id"), req.URL.Query().Get("id"))
			}
			seen[req.URL.Query().Get("id")+req.URL.Query().Get("seq")] = true
		})})
		b.probe("t.jsonl", "-n", "5", "-H", "X-Id: {{uuid}}", "https://api.example.com/?id={{uuid}}&seq={{seq}}")
		if len(seen) != 5 {
			t.Errorf("%d different requests, want 5: %v", len(seen), seen)
		}
	})
}

func TestSpreadSendsEvenly(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		start := time.Now()
		out, _, code := b.probe("s.jsonl", "-n", "6", "--spread", "30m", "https://api.example.com/")
		if code != exitDone || !strings.Contains(out, "spread evenly over 30m") {
			t.Errorf("exit %d\n%s", code, out)
		}
		all := exchanges(t, b.path("s.jsonl"))
		for i, ex := range all[1:] {
			if gap := ex.Started.Sub(all[i].Started); gap < 0 || gap > 10*time.Minute {
				t.Errorf("request %d comes %v after the one before: a share is 5 minutes", i+1, gap)
			}
		}
		if took := all[5].Started.Sub(start); took < 20*time.Minute || took > 30*time.Minute {
			t.Errorf("the last of 6 starts after %v, asked for 30 minutes in all", took)
		}
	})
}

func TestLookBeforeMeasuringIsExchangeZero(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var r recorder
		b.host("a.example.com", "203.0.113.1", r.answering(0))
		b.host("b.example.com", "203.0.113.2", r.answering(0))
		b.probe("f.jsonl", "-n", "3", "https://a.example.com/", "https://b.example.com/")
		all := exchanges(t, b.path("f.jsonl"))
		first := map[string]int{}
		for _, ex := range all {
			if ex.First {
				first[ex.Route]++
				if ex.Pair != 0 {
					t.Errorf("%s: first in round %d", ex.Route, ex.Pair)
				}
			}
		}
		if len(all) != 6 || len(r.seen) != 6 || first["a.example.com"] != 1 || first["b.example.com"] != 1 {
			t.Errorf("%d exchanges, %d requests, first ones %v", len(all), len(r.seen), first)
		}
	})
}

func TestWrongCertificateStopsAtTheFirst(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("edge.example.net", "203.0.113.40", probetest.Origin{})
		out, _, code := b.probe("c.jsonl", "https://api.example.com/v1/ping", "--via", "203.0.113.40")
		picture(t, out, `
api.example.com would show your users a certificate error: the certificate is
for edge.example.net, not for api.example.com.

  address      203.0.113.40:443
  tls          failed after 8 ms, name does not match
  sent name    api.example.com
  presented    edge.example.net
  chain        issuer probetest root

dns       took no part, --via gave the address
sent      1 request; nothing else was sent
hint: add api.example.com at the CDN first; -k measures anyway, marked on top
`)
		if code != exitFailed || len(b.net.Dials()) != 1 {
			t.Errorf("exit %d, %d connections", code, len(b.net.Dials()))
		}
	})
}

func TestStatesAreNeverTakenForEachOther(t *testing.T) {
	inBubble(t, func(b *bubble) {
		b.host("api.example.com", "203.0.113.1", probetest.Origin{})
		out, _, code := b.probe("states.jsonl", "-n", "5", "--state", "cold", "--state", "warm", "--state", "resumed",
			"https://api.example.com/")
		if code != exitDone {
			t.Fatalf("exit %d\n%s", code, out)
		}
		counts := map[string]int{}
		for _, ex := range exchanges(t, b.path("states.jsonl")) {
			if ex.Prime {
				continue
			}
			counts[ex.State]++
			resumed := ex.TLS != nil && ex.TLS.Resumed
			if ex.Outcome != record.OK || resumed != (ex.State == "resumed") {
				t.Errorf("%s: %s, resumed %v", ex.State, ex.Outcome, resumed)
			}
		}
		if counts["cold"] != 5 || counts["warm"] != 5 || counts["resumed"] != 5 {
			t.Errorf("counts %v", counts)
		}
		want := "Set-up, look-up included, costs 24.0 ms of a cold request: 32.0 cold, 8.0 on an open connection. " +
			"Resumption would save nothing: 32.0 cold, 32.0 resumed."
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("lacks %q in\n%s", want, out)
		}
	})
}
