package probe_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// piece is one write of a stream: after a pause, and whether it completes the first text.
type piece struct {
	after time.Duration
	text  string
	first bool
}

// script is a stream written piece by piece, which notes when the first text was complete.
type script struct {
	pieces  []piece
	gzip    bool
	abort   bool // the connection breaks where the stream should end
	firstAt time.Time
}

func (s *script) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	var out io.Writer = w
	flush := w.(http.Flusher).Flush
	if s.gzip {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		out, flush = z, func() { z.Flush(); w.(http.Flusher).Flush() }
	}
	for _, p := range s.pieces {
		time.Sleep(p.after)
		if p.first {
			s.firstAt = time.Now()
		}
		io.WriteString(out, p.text)
		flush()
	}
	if s.abort {
		time.Sleep(10 * ms)
		panic(http.ErrAbortHandler)
	}
}

const (
	hi   = `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"Hi"}}]}`
	role = `data: {"object":"chat.completion.chunk","choices":[{"delta":{"role":"assistant","content":""}}]}` + "\n\n"
	done = "data: [DONE]\n\n"
)

// tortures are streams that have misled readers of streams, each with what must come of it.
func tortures() map[string]*tortured {
	big := strings.Repeat("x", 1<<20)
	return map[string]*tortured{
		"line feeds":             ok(piece{20 * ms, role, false}, piece{30 * ms, hi + "\n\n", true}, piece{20 * ms, done, false}),
		"CRLF":                   ok(piece{20 * ms, ": ping\r\n\r\n", false}, piece{30 * ms, hi + "\r\n\r\n", true}, piece{20 * ms, "data: [DONE]\r\n\r\n", false}),
		"CR alone":               ok(piece{30 * ms, hi + "\r\r", true}, piece{20 * ms, "data: [DONE]\r\r", false}),
		"CRLF cut in two":        ok(piece{10 * ms, hi + "\r\n", false}, piece{30 * ms, "\r", true}, piece{30 * ms, "\n" + done, false}),
		"byte order mark":        ok(piece{30 * ms, "\ufeff" + hi + "\n\n", true}, piece{20 * ms, done, false}),
		"comments first":         ok(append(repeated(50, piece{10 * ms, ": keep alive\n\n", false}), piece{5 * ms, hi + "\n\n", true}, piece{0, done, false})...),
		"UTF-8 cut in two":       ok(piece{10 * ms, `data: {"choices":[{"delta":{"content":"` + "\xe2\x82", false}, piece{25 * ms, "\xac\"}}]}\n", false}, piece{15 * ms, "\n", true}, piece{5 * ms, done, false}),
		"a token over writes":    ok(append(letters(hi+"\n"), piece{7 * ms, "\n", true}, piece{0, done, false})...),
		"data on several lines":  ok(piece{10 * ms, `data: {"object":"chat.completion.chunk",` + "\n", false}, piece{10 * ms, `data: "choices":[{"delta":{"content":"Hi"}}]}` + "\n", false}, piece{10 * ms, "\n", true}, piece{0, done, false}),
		"many events in one":     ok(piece{30 * ms, role + role + ": x\n\n" + hi + "\n\n" + hi + "\n\n" + done, true}),
		"a large event before":   ok(piece{10 * ms, "data: " + big + "\n\n", false}, piece{2 * time.Second, hi + "\n\n", true}, piece{0, done, false}),
		"a large comment before": ok(piece{10 * ms, ": " + big + "\n\n", false}, piece{2 * time.Second, hi + "\n\n", true}, piece{0, done, false}),
		"a large text":           ok(piece{10 * ms, role, false}, piece{10 * ms, `data: {"choices":[{"delta":{"content":"` + big + `"}}]}` + "\n\n", true}, piece{2 * time.Second, done, false}).bulky(),
		"gzip":                   ok(piece{20 * ms, role, false}, piece{30 * ms, hi + "\n\n", true}, piece{20 * ms, done, false}).gzipped(),
		"gzip, cut in two":       ok(piece{20 * ms, hi[:40], false}, piece{30 * ms, hi[40:] + "\n", false}, piece{9 * ms, "\n", true}, piece{20 * ms, done, false}).gzipped(),
		"responses": ok(piece{10 * ms, "event: response.created\ndata: {\"type\":\"response.created\"}\n\n", false},
			piece{10 * ms, "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}\n\n", true},
			piece{10 * ms, "event: response.completed\ndata: {\"type\":\"response.completed\"}\n\n", false}),
		"messages": ok(piece{10 * ms, "event: message_start\ndata: {\"type\":\"message_start\"}\n\n", false},
			piece{10 * ms, "event: ping\ndata: {\"type\":\"ping\"}\n\n", false},
			piece{10 * ms, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n", true},
			piece{10 * ms, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", false}),

		"no terminal event":    broken("without [DONE]", piece{20 * ms, role, false}, piece{30 * ms, hi + "\n\n", true}),
		"terminal not ended":   broken("without [DONE]", piece{30 * ms, hi + "\n\n", true}, piece{20 * ms, "data: [DONE]\n", false}),
		"an error event":       broken("error event: overloaded", piece{30 * ms, hi + "\n\n", true}, piece{20 * ms, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"overloaded\"}}\n\n", false}),
		"cut before the end":   broken("", piece{20 * ms, role, false}, piece{30 * ms, hi + "\n\n", true}).aborted(),
		"cut, and compressed":  broken("", piece{20 * ms, role, false}, piece{30 * ms, hi + "\n\n", true}).gzipped().aborted(),
		"text without its end": broken("without [DONE]", piece{20 * ms, role, false}, piece{30 * ms, hi + "\n", false}).silent(),
	}
}

type tortured struct {
	script
	class record.Class // "" when the stream is whole
	words string       // of the error
	large bool         // a network with a window does not carry it in one piece
	mute  bool         // it has no text
}

func ok(pieces ...piece) *tortured { return &tortured{script: script{pieces: pieces}} }

func broken(words string, pieces ...piece) *tortured {
	return &tortured{script: script{pieces: pieces}, class: record.ClassStream, words: words}
}

func (t *tortured) gzipped() *tortured { t.gzip = true; return t }
func (t *tortured) aborted() *tortured { t.abort = true; return t }
func (t *tortured) bulky() *tortured   { t.large = true; return t }
func (t *tortured) silent() *tortured  { t.mute = true; return t }

func repeated(n int, p piece) []piece {
	var out []piece
	for range n {
		out = append(out, p)
	}
	return out
}

// letters writes one byte every millisecond.
func letters(text string) []piece {
	var out []piece
	for i := range len(text) {
		out = append(out, piece{ms, text[i : i+1], false})
	}
	return out
}

// TestFirstTextIsWhereItWasInjected: within a millisecond, whatever surrounds it, over every protocol.
// A text larger than a window arrives when the network is done with it, and never before it was sent.
func TestFirstTextIsWhereItWasInjected(t *testing.T) {
	for name, c := range tortures() {
		t.Run(name, func(t *testing.T) {
			eachProtocol(t, &c.script, func(w *world, target *probe.Target, _ split) {
				target.Compressed = c.gzip
				target.MaxTime = 20 * time.Second
				c.firstAt = time.Time{}
				c.check(w.t, w.do(target), target.Protocol)
			})
		})
	}
}

func (c *tortured) check(t *testing.T, got record.Exchange, protocol probe.Protocol) {
	t.Helper()
	s := got.Stream
	if s == nil {
		t.Fatalf("no stream was read: %s %+v", got.Outcome, got.Error)
	}
	if c.mute {
		if s.HasText {
			t.Errorf("text at %v that no blank line completed", s.FirstText)
		}
	} else {
		c.checkFirst(t, got, protocol)
	}
	switch {
	case c.class == "" && (got.Outcome != record.OK || !s.Done):
		t.Errorf("outcome %s, stream %+v, error %+v", got.Outcome, s, got.Error)
	case c.class != "" && (got.Outcome != record.Failed || got.Status != http.StatusOK || got.Error.Class != c.class || !strings.Contains(got.Error.Text, c.words)):
		t.Errorf("outcome %s with status %d, error %+v; want class %s and %q", got.Outcome, got.Status, got.Error, c.class, c.words)
	}
}

func (c *tortured) checkFirst(t *testing.T, got record.Exchange, protocol probe.Protocol) {
	t.Helper()
	want := c.firstAt.Add(oneWay).Sub(got.Started)
	off := got.Stream.FirstText - want
	switch {
	case !got.Stream.HasText:
		t.Error("no text was found")
	case c.large && protocol == probe.HTTP3:
		if off < 0 {
			t.Errorf("first text %v before it was sent", -off)
		}
	case off < -ms || off > ms:
		t.Errorf("first text at %v, injected at %v", got.Stream.FirstText, want)
	}
}
