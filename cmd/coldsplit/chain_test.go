package main

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// recorder keeps the requests a host got.
type recorder struct {
	mu   sync.Mutex
	seen []*http.Request
}

func (r *recorder) note(req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, req)
}

// redirecting answers with a redirect after d.
func (r *recorder) redirecting(status int, location string, d time.Duration) probetest.Origin {
	return probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.note(req)
		pause(req, d)
		w.Header().Set("Location", location)
		w.WriteHeader(status)
	})}
}

func (r *recorder) answering(d time.Duration) probetest.Origin {
	return probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.note(req)
		pause(req, d)
		io.WriteString(w, "hello")
	})}
}

func TestRedirectsAreArmsOfTheirOwn(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var first, second recorder
		b.host("example.com", "203.0.113.1", first.redirecting(301, "https://www.example.com/start?session=s3cr3t", 0))
		b.host("www.example.com", "203.0.113.2", second.answering(100*ms)) // the delay of the second hop
		out, errs, code := b.probe("chain.jsonl", "-L", "-n", "5", "-H", "Authorization: Bearer abc", "-b", "a=1",
			"-H", "X-Api-Key: k", "-H", "X-Plain: p", "https://user:pw@example.com/")
		if code != exitDone {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
		all := exchanges(t, b.path("chain.jsonl"))
		checkChain(t, all)
		if want := "over 2 hops, the last"; !strings.Contains(out, want) {
			t.Errorf("lacks %q in\n%s", want, out)
		}
		checkCredentials(t, first.seen, true)
		checkCredentials(t, second.seen, false)
		if text := readFile(t, b.path("chain.jsonl")); strings.Contains(text, "s3cr3t") || strings.Contains(text, "Bearer abc") {
			t.Error("a secret is in the run file")
		}
	})
}

// checkChain holds that the second hop's delay shows up in its own wait and nowhere else, and that it
// starts where the first ended.
func checkChain(t *testing.T, all []record.Exchange) {
	t.Helper()
	if len(all) != 10 {
		t.Fatalf("%d exchanges, want 10", len(all))
	}
	for i := 0; i < len(all); i += 2 {
		a, b := all[i], all[i+1]
		if a.Hop != 0 || b.Hop != 1 || a.Seq != b.Seq || a.Route != "hop 0 example.com" || b.Route != "hop 1 www.example.com" {
			t.Errorf("walk %d: hops %d %d, seq %d %d, routes %q %q", i/2, a.Hop, b.Hop, a.Seq, b.Seq, a.Route, b.Route)
		}
		if !b.Started.Equal(a.Started.Add(a.Total)) {
			t.Errorf("walk %d: hop 1 starts %v after hop 0 began, which took %v", i/2, b.Started.Sub(a.Started), a.Total)
		}
		if a.First != (i == 0) || b.First != (i == 0) {
			t.Errorf("walk %d: first %v %v", i/2, a.First, b.First)
		}
		for k := range segment.Key(segment.NumMeasured) {
			x, _ := a.Segments.Get(k)
			y, _ := b.Segments.Get(k)
			want := time.Duration(0)
			if k == segment.Wait {
				want = 100 * ms
			}
			if y-x != want {
				t.Errorf("walk %d: %s differs by %v between the hops, want %v", i/2, k, y-x, want)
			}
		}
	}
}

func checkCredentials(t *testing.T, requests []*http.Request, carried bool) {
	t.Helper()
	if len(requests) != 5 {
		t.Fatalf("%d requests, want 5", len(requests))
	}
	for _, r := range requests {
		for _, name := range []string{"Authorization", "Cookie", "X-Api-Key"} {
			if got := r.Header.Get(name) != ""; got != carried {
				t.Errorf("%s: %s carried %v, want %v", r.Host, name, got, carried)
			}
		}
		if r.Header.Get("X-Plain") != "p" {
			t.Errorf("%s: a plain header is missing", r.Host)
		}
	}
}

func TestChainThatGoesElsewhereLaterIsSaid(t *testing.T) {
	inBubble(t, func(b *bubble) {
		turn := 0
		b.host("example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			turn++
			to := "https://a.example.com/"
			if turn == 3 {
				to = "https://b.example.com/"
			}
			w.Header().Set("Location", to)
			w.WriteHeader(302)
		})})
		b.host("a.example.com", "203.0.113.2", probetest.Origin{})
		out, _, code := b.probe("stray.jsonl", "-L", "-n", "5", "https://example.com/")
		for _, want := range []string{"redirected elsewhere than at first: https://b.example.com/",
			"1 of 5 walks were redirected elsewhere than the first and ended there", "10 asked: 9 ok"} {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("lacks %q in\n%s", want, out)
			}
		}
		if code != exitDone {
			t.Errorf("exit %d", code)
		}
	})
}

func TestHopThatTheFirstWalkDidNotReachIsAnArmAllTheSame(t *testing.T) {
	inBubble(t, func(b *bubble) {
		turn := 0
		b.host("example.com", "203.0.113.1", probetest.Origin{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if turn++; turn == 1 {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			http.Redirect(w, r, "https://a.example.com/", http.StatusFound)
		})})
		b.host("a.example.com", "203.0.113.2", probetest.Origin{})
		out, _, code := b.probe("late.jsonl", "-L", "-n", "5", "https://example.com/")
		all := exchanges(t, b.path("late.jsonl"))
		want := "10 asked: 8 ok, 0 throttled, 1 failed, 0 invalid, 1 not sent"
		if code != exitDone || len(all) != 9 || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("exit %d, %d exchanges, lacks %q in\n%s", code, len(all), want, out)
		}
	})
}

func TestChainThatNeverEndsWellIsKept(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var r recorder
		b.host("example.com", "203.0.113.1", r.redirecting(302, "https://gone.example.com/", 0))
		_, _, code := b.probe("gone.jsonl", "-L", "https://example.com/")
		all := exchanges(t, b.path("gone.jsonl"))
		if code != exitFailed || len(all) != 6 || all[5].Route != "hop 1 gone.example.com" {
			t.Errorf("exit %d, %d exchanges", code, len(all))
		}
	})
}

func TestEndlessChainEndsAtTheTenthRedirect(t *testing.T) {
	inBubble(t, func(b *bubble) {
		var r recorder
		b.host("example.com", "203.0.113.1", r.redirecting(302, "/", 0))
		out, _, _ := b.probe("loop.jsonl", "-L", "-n", "1", "https://example.com/")
		if len(r.seen) != 11 {
			t.Errorf("%d requests, want the first and 10 redirects", len(r.seen))
		}
		if !strings.Contains(out, "after 10 redirects") {
			t.Errorf("nothing said in\n%s", out)
		}
	})
}

func TestRedirectedMethodFollowsTheStandard(t *testing.T) {
	for _, c := range []struct {
		status int
		method string
		want   string
		body   bool
	}{
		{301, "POST", "GET", false}, {302, "POST", "GET", false}, {303, "PUT", "GET", false}, {303, "HEAD", "HEAD", false},
		{307, "POST", "POST", true}, {308, "POST", "POST", true}, {302, "PUT", "PUT", true},
	} {
		t.Run(c.method+http.StatusText(c.status), func(t *testing.T) {
			inBubble(t, func(b *bubble) {
				var first recorder
				b.host("example.com", "203.0.113.1", first.redirecting(c.status, "/next", 0))
				args := []string{"-L", "-n", "1", "-X", c.method, "https://example.com/"}
				if c.body {
					args = slices.Insert(args, 0, "-d", "a=1")
				}
				b.probe("method.jsonl", args...)
				if len(first.seen) < 2 {
					t.Fatalf("%d requests", len(first.seen))
				}
				got := first.seen[1]
				if got.Method != c.want || got.ContentLength > 0 != c.body {
					t.Errorf("%s with %d bytes, want %s (content %v)", got.Method, got.ContentLength, c.want, c.body)
				}
			})
		})
	}
}

func TestChainNeedsOneRoute(t *testing.T) {
	for _, args := range [][]string{
		{"-L", "https://a.example.com/", "https://b.example.com/"},
		{"-L", "--http", "2", "--http", "3", "https://a.example.com/"},
		{"-L", "--state", "warm", "https://a.example.com/"},
	} {
		inBubble(t, func(b *bubble) {
			_, errs, code := b.probe("x.jsonl", args...)
			if code != exitUsage || strings.Count(errs, "\n") != 1 || len(b.net.Dials()) != 0 {
				t.Errorf("%v: exit %d, %q, %d connections", args, code, errs, len(b.net.Dials()))
			}
		})
	}
}
