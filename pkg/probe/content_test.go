package probe_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/klauspost/compress/zstd"
)

// encode applies one content coding.
func encode(t *testing.T, coding string, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "br":
		w = brotli.NewWriter(&out)
	case "zstd":
		z, err := zstd.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	default:
		return content
	}
	w.Write(content)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCodedContentIsCountedTwice(t *testing.T) {
	content := []byte(strings.Repeat("the same line again and again\n", 400))
	sum := sha256.Sum256(content)
	for _, coding := range []string{"", "gzip", "br", "zstd"} {
		coded := encode(t, coding, content)
		t.Run("coding "+coding, func(t *testing.T) {
			handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if coding != "" {
					w.Header().Set("Content-Encoding", coding)
				}
				w.Write(coded)
			})
			eachProtocol(t, handler, func(w *world, target *probe.Target, _ split) {
				target.Compressed = coding != ""
				got := w.do(target)
				want := record.Bytes{Wire: int64(len(coded)), Decoded: int64(len(content)), Encoding: coding}
				if got.Outcome != record.OK || got.Bytes != want || got.BodySHA != hex.EncodeToString(sum[:]) {
					w.t.Errorf("outcome %s, bytes %+v, want %+v, sha %s", got.Outcome, got.Bytes, want, got.BodySHA)
				}
			})
		})
	}
}

func TestContentThatDoesNotDecodeIsAFailure(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, "this is no gzip")
	})
	eachProtocol(t, handler, func(w *world, target *probe.Target, _ split) {
		got := w.do(target)
		if got.Outcome != record.Failed {
			w.t.Errorf("outcome %s", got.Outcome)
		}
		expectError(w.t, got, record.ClassBody, segment.Transfer)
	})
}

func TestCapOnContent(t *testing.T) {
	bomb := encode(t, "gzip", make([]byte, 1<<20))
	for name, handler := range map[string]http.HandlerFunc{
		"wire": func(w http.ResponseWriter, _ *http.Request) {
			w.Write(make([]byte, 200<<10))
		},
		"decoded": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachProtocol(t, handler, func(w *world, target *probe.Target, _ split) {
				target.MaxBody = 100 << 10
				got := w.do(target)
				if got.Outcome != record.OK || !got.Bytes.Capped || got.Bytes.Decoded != 100<<10 || got.BodySHA != "" {
					w.t.Errorf("outcome %s %+v, bytes %+v, sha %q", got.Outcome, got.Error, got.Bytes, got.BodySHA)
				}
			})
		})
	}
}

func TestRequestAsSent(t *testing.T) {
	var mu sync.Mutex
	var seen *http.Request
	var content []byte
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		content, _ = io.ReadAll(r.Body)
		seen = r
	})
	eachProtocol(t, handler, func(w *world, target *probe.Target, _ split) {
		target.Method, target.Body, target.Host = "POST", []byte("x=1"), "shop.test"
		target.Header = http.Header{"X-Mine": {"yes"}}
		target.URL.User = nil
		got := w.do(target)
		mu.Lock()
		defer mu.Unlock()
		for name, want := range map[string]string{
			"User-Agent": "coldsplit", "Te": "trailers", "Accept-Encoding": "identity", "X-Mine": "yes", "Accept": "*/*",
		} {
			if v := seen.Header.Get(name); v != want {
				w.t.Errorf("%s: %q, want %q", name, v, want)
			}
		}
		if seen.Method != "POST" || seen.Host != "shop.test" || string(content) != "x=1" || got.Bytes.Sent != 3 {
			w.t.Errorf("%s %s %q, sent %d", seen.Method, seen.Host, content, got.Bytes.Sent)
		}
		if _, kept := got.Headers["date"]; !kept && len(got.Headers) > 0 {
			w.t.Logf("headers kept: %v", got.Headers)
		}
	})
}

func TestTrailersAreKept(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Trailer", "Server-Timing")
		io.WriteString(w, "content")
		w.Header().Set("Server-Timing", "total;dur=12.5")
	})
	eachProtocol(t, handler, func(w *world, target *probe.Target, _ split) {
		target.Keeper = record.NewKeeper("server-timing")
		got := w.do(target)
		if v := got.Trailers["server-timing"]; len(v) != 1 || v[0] != "total;dur=12.5" {
			w.t.Errorf("trailers %v", got.Trailers)
		}
	})
}

func TestThrottledIsNotFailed(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		header  http.Header
		body    string
		outcome record.Outcome
		want    *record.Throttle
	}{
		{"429 with seconds and a code", 429, http.Header{"Retry-After": {"2"}}, `{"error":{"code":"bench_lane_full","message":"full"}}`,
			record.Throttled, &record.Throttle{Reason: "bench_lane_full", RetryAfter: 2 * time.Second, HasRetryAfter: true}},
		{"429 without a word", 429, nil, "", record.Throttled, &record.Throttle{}},
		{"429 with a date", 429, http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:01:00 GMT"}}, `{"error":"slow down"}`,
			record.Throttled, &record.Throttle{Reason: "slow down", RetryAfter: time.Minute - 80*ms, HasRetryAfter: true}},
		{"503 with Retry-After", 503, http.Header{"Retry-After": {"120"}}, `{"message":"busy"}`,
			record.Throttled, &record.Throttle{Reason: "busy", RetryAfter: 2 * time.Minute, HasRetryAfter: true}},
		{"429 and a limit used up", 429, http.Header{"X-Ratelimit-Remaining-Requests": {"0"}, "X-Error-Code": {"too_many"}}, "no JSON",
			record.Throttled, &record.Throttle{Reason: "too_many"}},
		{"503 alone", 503, nil, "", record.Failed, nil},
		{"402", 402, nil, "", record.Failed, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS(), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					for k, v := range c.header {
						w.Header()[k] = v
					}
					w.WriteHeader(c.status)
					io.WriteString(w, c.body)
				})})
				got := w.do(w.target(probe.HTTP2))
				if got.Outcome != c.outcome {
					t.Fatalf("outcome %s, want %s", got.Outcome, c.outcome)
				}
				if c.want == nil {
					expectError(t, got, record.ClassStatus, segment.Wait)
					return
				}
				if c.header.Get("X-Ratelimit-Remaining-Requests") != "" {
					c.want.Limit = "x-ratelimit-remaining-requests"
				}
				if *got.Throttle != *c.want {
					t.Errorf("throttle %+v, want %+v", *got.Throttle, *c.want)
				}
			})
		})
	}
}

func TestOKIsWhatTheCallerSays(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS(), Handler: http.NotFoundHandler()})
		target := w.target(probe.HTTP2)
		target.OK = func(status int) bool { return status == 404 }
		if got := w.do(target); got.Outcome != record.OK || got.Error != nil {
			t.Errorf("outcome %s, error %+v", got.Outcome, got.Error)
		}
	})
}

func TestTitleOfAFailure(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS(), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(403)
			io.WriteString(w, "<html><head><title>\n Access &amp; more\x1b[31m denied </title></head></html>")
		})})
		got := w.do(w.target(probe.HTTP2))
		if got.Title != "Access & more[31m denied" {
			t.Errorf("title %q", got.Title)
		}
	})
}

func TestRedirectIsToldNotFollowed(t *testing.T) {
	inBubble(t, func(w *world) {
		w.serve(origin4+":443", probetest.Origin{TLS: w.serverTLS(), Handler: http.RedirectHandler("/next?token=secret", http.StatusFound)})
		got := w.prober.Do(context.Background(), w.target(probe.HTTP2))
		if got.Exchange.Outcome != record.OK || got.Facts.Location == nil || got.Facts.Location.String() != "https://"+host+"/next?token=secret" {
			t.Errorf("outcome %s, location %v", got.Exchange.Outcome, got.Facts.Location)
		}
		if strings.Contains(fmt.Sprint(got.Exchange.Headers), "secret") {
			t.Errorf("the record holds a secret: %v", got.Exchange.Headers)
		}
	})
}
