package probe_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// streamOf sends a comment, a role frame, two texts 30 ms apart and, unless cut, the terminal event.
func streamOf(coded, cut bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		var out io.Writer = w
		flush := w.(http.Flusher).Flush
		if coded {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			out, flush = z, func() { z.Flush(); w.(http.Flusher).Flush() }
		}
		say := func(pause time.Duration, text string) {
			time.Sleep(pause)
			io.WriteString(out, text)
			flush()
		}
		say(10*ms, ": keep alive\n\n")
		say(10*ms, `data: {"object":"chat.completion.chunk","choices":[{"delta":{"role":"assistant"}}]}`+"\n\n")
		say(20*ms, `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"Hel"}}]}`+"\n\n")
		say(30*ms, `data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"lo"}}]}`+"\n\n")
		if !cut {
			say(0, "data: [DONE]\n\n")
		}
	})
}

func TestEventStreamIsTimed(t *testing.T) {
	for _, coded := range []bool{false, true} {
		eachProtocol(t, streamOf(coded, false), func(w *world, target *probe.Target, setup split) {
			target.Compressed = coded
			got := w.do(target)
			expect(w.t, got, record.OK, setup.with(0, 30*ms, 60*ms))
			start := got.Total - 60*ms
			s := got.Stream
			if s == nil || !s.Done || s.Texts != 2 || s.FirstText != start+30*ms || s.FirstEvent != start+10*ms || s.Stall != 30*ms {
				w.t.Errorf("stream %+v, first byte at %v", s, start)
			}
		})
	}
}

func TestStreamWithoutItsTerminalEventFailed(t *testing.T) {
	eachProtocol(t, streamOf(false, true), func(w *world, target *probe.Target, _ split) {
		got := w.do(target)
		if got.Outcome != record.Failed || got.Stream == nil || got.Stream.Done || got.Stream.Texts != 2 {
			w.t.Errorf("outcome %s, stream %+v", got.Outcome, got.Stream)
		}
		expectError(w.t, got, record.ClassStream, segment.Transfer)
	})
}
