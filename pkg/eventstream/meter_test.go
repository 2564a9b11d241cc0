package eventstream_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
)

// line is one write at a time in milliseconds.
type line struct {
	at   int
	text string
}

func measure(t *testing.T, rules eventstream.Rules, lines ...line) eventstream.Summary {
	t.Helper()
	m := eventstream.NewMeter(rules)
	for _, l := range lines {
		m.Write([]byte(l.text), ms(l.at))
	}
	return m.Summary()
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func chat(content string) string {
	return fmt.Sprintf("data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", content)
}

func typed(kind, rest string) string {
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest)
}

const role = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n"
const done = "data: [DONE]\n\n"

func TestWhatCountsAsText(t *testing.T) {
	textBlock := func(s string) string {
		return typed("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"`+s+`"}`)
	}
	for name, c := range map[string]struct {
		lines []line
		want  eventstream.Summary
	}{
		"chat": {
			[]line{{10, ": keep-alive\n\n"}, {20, role}, {150, chat("Hel")}, {170, chat("lo")}, {300, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n"}, {310, `data: {"choices":[],"usage":{}}` + "\n\n"}, {320, done}},
			eventstream.Summary{Events: 6, Texts: 2, Comments: 1, TextBytes: 5, FirstEvent: ms(20), LastEvent: ms(320), FirstText: ms(150), LastText: ms(170), Gaps: 1, GapP50: ms(20), GapP99: ms(20), Stall: ms(20), Dialect: eventstream.Chat, Terminal: "[DONE]", Done: true},
		},
		"a token split over two writes": {
			[]line{{20, role + `data: {"choices":[{"delta":{"content":"`}, {90, "\xe2\x82"}, {150, "\xac\"}}]}\n"}, {200, "\n"}},
			eventstream.Summary{Events: 2, Texts: 1, TextBytes: 3, FirstEvent: ms(20), LastEvent: ms(200), FirstText: ms(200), LastText: ms(200), Dialect: eventstream.Chat, Terminal: "[DONE]"},
		},
		"completions": {
			[]line{{5, `data: {"choices":[{"text":"a"},{"text":"b"}]}` + "\n\n" + done}},
			eventstream.Summary{Events: 2, Texts: 1, TextBytes: 2, FirstEvent: ms(5), LastEvent: ms(5), FirstText: ms(5), LastText: ms(5), Dialect: eventstream.Chat, Terminal: "[DONE]", Done: true},
		},
		"reasoning and tool calls": {
			[]line{{5, `data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":null,"tool_calls":[{"function":{"arguments":"x"}}]}}]}` + "\n\n"}},
			eventstream.Summary{Events: 2, FirstEvent: ms(5), LastEvent: ms(5), Dialect: eventstream.Chat, Terminal: "[DONE]"},
		},
		"responses": {
			[]line{{10, typed("response.created", `,"response":{"error":null}`)}, {40, typed("response.output_text.delta", `,"delta":"Hi"`)}, {45, typed("response.output_text.done", `,"text":"Hi"`)}, {50, typed("response.completed", ``)}},
			eventstream.Summary{Events: 4, Texts: 1, TextBytes: 2, FirstEvent: ms(10), LastEvent: ms(50), FirstText: ms(40), LastText: ms(40), Dialect: eventstream.Responses, Terminal: "response.completed", Done: true},
		},
		"responses cut by the caller's limit": {
			[]line{{10, typed("response.incomplete", ``)}},
			eventstream.Summary{Events: 1, FirstEvent: ms(10), LastEvent: ms(10), Dialect: eventstream.Responses, Terminal: "response.completed", Done: true},
		},
		"messages": {
			[]line{{10, typed("message_start", ``)}, {11, typed("content_block_start", `,"content_block":{"type":"text","text":""}`)}, {15, typed("ping", ``)},
				{20, typed("content_block_delta", `,"delta":{"type":"thinking_delta","thinking":"hm"}`)}, {40, textBlock("Hel")}, {70, textBlock("lo")}, {71, typed("content_block_stop", ``)}, {80, typed("message_stop", ``)}},
			eventstream.Summary{Events: 8, Texts: 2, TextBytes: 5, FirstEvent: ms(10), LastEvent: ms(80), FirstText: ms(40), LastText: ms(70), Gaps: 1, GapP50: ms(30), GapP99: ms(30), Stall: ms(30), Dialect: eventstream.Messages, Terminal: "message_stop", Done: true},
		},
		"a gateway's mark does not end another API": {
			[]line{{10, typed("message_start", ``)}, {20, textBlock("a")}, {30, done}},
			eventstream.Summary{Events: 3, Texts: 1, TextBytes: 1, FirstEvent: ms(10), LastEvent: ms(30), FirstText: ms(20), LastText: ms(20), Dialect: eventstream.Messages, Terminal: "message_stop"},
		},
		"pings only":          {[]line{{10, typed("ping", ``)}, {20, ":\n\n"}}, eventstream.Summary{Events: 1, Comments: 1, FirstEvent: ms(10), LastEvent: ms(10)}},
		"an unknown stream":   {[]line{{10, "data: tick\n\n"}, {20, "data: 7\n\n"}}, eventstream.Summary{Events: 2, FirstEvent: ms(10), LastEvent: ms(20)}},
		"done alone":          {[]line{{10, done}}, eventstream.Summary{Events: 1, FirstEvent: ms(10), LastEvent: ms(10), Terminal: "[DONE]", Done: true}},
		"a plain JSON answer": {[]line{{10, `{"choices":[{"message":{"content":"Hello"}}]}` + "\n\n"}}, eventstream.Summary{}},
		"cut within an event": {[]line{{10, chat("a")}, {20, "data: {\"choices\""}}, eventstream.Summary{Events: 1, Texts: 1, TextBytes: 1, FirstEvent: ms(10), LastEvent: ms(10), FirstText: ms(10), LastText: ms(10), Dialect: eventstream.Chat, Terminal: "[DONE]", Unfinished: true}},
		"no bytes":            {nil, eventstream.Summary{}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.HasEvent, c.want.HasText = c.want.Events > 0, c.want.Texts > 0
			got := measure(t, eventstream.Rules{}, c.lines...)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if want := c.want.Done || c.want.Terminal == ""; got.Complete() != want {
				t.Errorf("Complete() = %v, want %v", !want, want)
			}
		})
	}
}

func TestErrorsInsideTheStream(t *testing.T) {
	for name, c := range map[string]struct{ stream, want string }{
		"messages":              {typed("error", `,"error":{"type":"overloaded_error","message":"Overloaded"}`), "overloaded_error: Overloaded"},
		"chat":                  {`data: {"error":{"message":"ran dry","type":"insufficient_quota","code":null}}` + "\n\n", "insufficient_quota: ran dry"},
		"chat with a code":      {`data: {"error":{"message":"slow down","code":"rate_limit"}}` + "\n\n", "rate_limit: slow down"},
		"responses":             {typed("response.failed", `,"response":{"error":{"code":"server_error","message":"broke"}}`), "server_error: broke"},
		"responses, error":      {typed("error", `,"code":"bad","message":"no"`), "bad: no"},
		"an error object":       {`data: {"object":"error","message":"engine died","code":500}` + "\n\n", "engine died"},
		"words alone":           {`data: {"error":"over\nloaded"}` + "\n\n", "over loaded"},
		"an event without JSON": {"event: error\ndata: it\ndata: broke\n\n", "it broke"},
		"an event without data": {"event: error\ndata\n\n", "error event without words"},
		"another form":          {`data: {"error":{"reason":7}}` + "\n\n", `{"error":{"reason":7}}`},
		"no error":              {`data: {"error":null}` + "\n\n" + `data: {"error":false}` + "\n\n" + `data: {"error":""}` + "\n\n" + `data: {"error":{}}` + "\n\n", ""},
	} {
		got := measure(t, eventstream.Rules{}, line{1, c.stream}, line{2, done})
		if got.Error != c.want || got.Complete() != (c.want == "") {
			t.Errorf("%s: error %q, complete %v, want %q", name, got.Error, got.Complete(), c.want)
		}
	}
	long := measure(t, eventstream.Rules{}, line{1, `data: {"error":"` + strings.Repeat("é", 400) + `"}` + "\n\n"})
	if len(long.Error) > 320 || !strings.HasSuffix(long.Error, "...") {
		t.Errorf("the words of an error have %d bytes", len(long.Error))
	}
}

func TestRulesOfTheUser(t *testing.T) {
	path, err := eventstream.ParsePath("choices[0].delta.reasoning_content")
	if err != nil {
		t.Fatal(err)
	}
	lines := []line{{10, role}, {20, `data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}` + "\n\n"}, {30, chat("Hi")}, {40, done}}
	got := measure(t, eventstream.Rules{TextPath: path}, lines...)
	if got.Texts != 1 || got.FirstText != ms(20) || !got.Done || got.Terminal != "[DONE]" {
		t.Errorf("by path: %+v", got)
	}
	for terminal, stream := range map[string]string{"END": "data:  END \n\n", "finished": "event: finished\ndata: {}\n\n", "last": `data: {"type":"last"}` + "\n\n"} {
		if got := measure(t, eventstream.Rules{Terminal: terminal}, line{1, done}); got.Done || got.Complete() || got.Terminal != terminal {
			t.Errorf("[DONE] ended a stream that ends with %q", terminal)
		}
		if got := measure(t, eventstream.Rules{Terminal: terminal}, line{1, stream}); !got.Done || !got.Complete() {
			t.Errorf("%q did not end with %q", terminal, stream)
		}
	}
}

func TestGapsAreNearestRank(t *testing.T) {
	m := eventstream.NewMeter(eventstream.Rules{})
	at := 0
	for gap := range 201 { // gaps of 200, 199 .. 1 ms behind the first text
		at += (201 - gap) % 201
		m.Write([]byte(chat("x")), ms(at))
		m.Write([]byte(": ping\n\n"+role), ms(at))
	}
	got := m.Summary()
	if got.Gaps != 200 || got.GapP50 != ms(100) || got.GapP99 != ms(198) || got.Stall != ms(200) {
		t.Errorf("got %d gaps, p50 %v, p99 %v, longest %v", got.Gaps, got.GapP50, got.GapP99, got.Stall)
	}
	if again := m.Summary(); again != got {
		t.Errorf("asked twice: %+v", again)
	}
}

func TestEventsBeyondTheBoundAreCounted(t *testing.T) {
	got := measure(t, eventstream.Rules{MaxEvent: 256}, line{1, chat(strings.Repeat("x", 1000))}, line{2, chat("a")})
	if got.Cut != 1 || got.Texts != 1 || got.FirstText != ms(2) {
		t.Errorf("got %+v", got)
	}
	large := measure(t, eventstream.Rules{}, line{1, chat(strings.Repeat("x", 1<<20))})
	if large.Texts != 1 || large.TextBytes != 1<<20 {
		t.Errorf("an event of 1 MiB: %+v", large)
	}
}

// flushed compresses each piece into a chunk of its own, as a server that flushes does.
func flushed(t *testing.T, pieces ...line) (chunks []eventstream.Chunk) {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, p := range pieces {
		if _, err := io.WriteString(w, p.text); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, eventstream.Chunk{Bytes: bytes.Clone(b.Bytes()), At: ms(p.at)})
		b.Reset()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return append(chunks, eventstream.Chunk{Bytes: b.Bytes(), At: time.Hour})
}

func gunzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

func TestReplayKeepsTheTimesOfCompressedChunks(t *testing.T) {
	chunks := flushed(t, line{10, ": hi\n\n"}, line{20, role}, line{150, chat("Hel")}, line{400, chat("lo")}, line{500, done})
	chunks = append([]eventstream.Chunk{{At: ms(1)}}, chunks...)
	m := eventstream.NewMeter(eventstream.Rules{})
	if err := eventstream.Replay(m, chunks, gunzip); err != nil {
		t.Fatal(err)
	}
	got := m.Summary()
	if got.FirstEvent != ms(20) || got.FirstText != ms(150) || got.Stall != ms(250) || got.LastEvent != ms(500) || !got.Complete() {
		t.Errorf("got %+v", got)
	}
	if len(chunks[1].Bytes) == 0 {
		t.Error("the caller's chunks were eaten")
	}
}

func TestReplayOfACutStream(t *testing.T) {
	chunks := flushed(t, line{10, role}, line{20, chat("a")})
	m := eventstream.NewMeter(eventstream.Rules{})
	err := eventstream.Replay(m, chunks[:2], gunzip)
	if got := m.Summary(); !errors.Is(err, io.ErrUnexpectedEOF) || got.Texts != 1 || got.FirstText != ms(20) {
		t.Errorf("%v, %+v", err, got)
	}
	if err := eventstream.Replay(m, []eventstream.Chunk{{Bytes: []byte("plain")}}, gunzip); err == nil {
		t.Error("what is no gzip was replayed")
	}
}
