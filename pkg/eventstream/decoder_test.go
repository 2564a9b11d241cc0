package eventstream_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
)

// seen is an event as a test compares it.
type seen struct {
	Type, ID, Data string
	Start, End     int64
	Cut            bool
}

// decode writes stream in pieces of the given sizes, the rest at once, each a millisecond later.
func decode(stream string, limit int, sizes ...int) (events []seen, d *eventstream.Decoder) {
	d = &eventstream.Decoder{MaxEvent: limit, Handle: func(e eventstream.Event) {
		events = append(events, seen{e.Type, e.ID, string(e.Data), e.Start, e.End, e.Cut})
	}}
	at := time.Duration(0)
	for _, size := range sizes {
		size = min(size, len(stream))
		d.Write([]byte(stream[:size]), at)
		stream, at = stream[size:], at+time.Millisecond
	}
	d.Write([]byte(stream), at)
	return events, d
}

func short(events []seen) string {
	var parts []string
	for _, e := range events {
		parts = append(parts, fmt.Sprintf("%s/%s/%q", e.Type, e.ID, e.Data))
	}
	return strings.Join(parts, " ")
}

// The cases follow section 9.2.5 and 9.2.6 of the format, and its examples.
func TestGrammar(t *testing.T) {
	for name, c := range map[string]struct{ stream, want string }{
		"one line":                           {"data: hello\n\n", `message//"hello"`},
		"several lines":                      {"data: YHOO\ndata: +2\ndata: 10\n\n", `message//"YHOO\n+2\n10"`},
		"carriage returns":                   {"data: a\rdata: b\r\rdata: c\r\r", `message//"a\nb" message//"c"`},
		"both":                               {"data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", `message//"a\nb" message//"c"`},
		"mixed ends":                         {"data: a\rdata: b\ndata: c\r\n\ndata: d\n\r\n", `message//"a\nb\nc" message//"d"`},
		"a byte order mark":                  {"\xef\xbb\xbfdata: a\n\n", `message//"a"`},
		"a second mark is content":           {"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", ``},
		"a mark in the data is content":      {"data: \xef\xbb\xbfa\n\n", "message//\"\\ufeffa\""},
		"comments first":                     {": hi\n:\n\n:data: no\ndata: a\n: in between\ndata: b\n\n", `message//"a\nb"`},
		"only one space is removed":          {"data:  a\n\ndata:\tb\n\ndata:c\n\n", `message//" a" message//"\tb" message//"c"`},
		"empty data is an event":             {"data\n\ndata\ndata\n\ndata:", `message//"" message//"\n"`},
		"no data, no event":                  {"event: x\nid: 1\n\ndata: a\n\n", `message/1/"a"`},
		"a type lasts for one event":         {"event: add\ndata: 1\n\ndata: 2\n\n", `add//"1" message//"2"`},
		"the last type counts":               {"event: a\nevent: b\ndata: 1\n\n", `b//"1"`},
		"an ID lasts":                        {"id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", `message/1/"a" message/1/"b" message//"c"`},
		"an ID with a NUL is none":           {"id: 1\ndata: a\n\nid: 2\x003\ndata: b\n\n", `message/1/"a" message/1/"b"`},
		"unknown fields":                     {"foo: bar\ndatas: x\nDATA: y\n data: z\ndata: a\n\n", `message//"a"`},
		"a colon in the value":               {"data: {\"a\": 1}\n\n", `message//"{\"a\": 1}"`},
		"no blank line, no event":            {"data: a\n\ndata: b\n", `message//"a"`},
		"many blank lines":                   {"\n\n\ndata: a\n\n\n\ndata: b\n\n", `message//"a" message//"b"`},
		"bytes that are no UTF-8 stay":       {"data: \xff\xfe\n\n", "message//\"\\xff\\xfe\""},
		"a NUL in the data stays":            {"data: a\x00b\n\n", "message//\"a\\x00b\""},
		"line separators of Unicode are not": {"data: a\u2028b\u0085c\n\n", "message//\"a\\u2028b\\u0085c\""},
		"a plain JSON answer":                {"{\n \"choices\": [],\n\n \"data\": 1\n}\n", ``},
	} {
		t.Run(name, func(t *testing.T) {
			whole, _ := decode(c.stream, 0)
			if got := short(whole); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			checkEverySplit(t, c.stream, whole)
		})
	}
}

// checkEverySplit cuts the stream in two at every byte, and into single bytes.
func checkEverySplit(t *testing.T, stream string, want []seen) {
	t.Helper()
	ones := make([]int, len(stream))
	for i := range ones {
		ones[i] = 1
		if got, _ := decode(stream, 0, i); !cmp.Equal(got, want) {
			t.Errorf("cut at byte %d: %s", i, cmp.Diff(want, got))
		}
	}
	if got, _ := decode(stream, 0, ones...); !cmp.Equal(got, want) {
		t.Errorf("byte by byte: %s", cmp.Diff(want, got))
	}
}

func TestOffsetsAndTimes(t *testing.T) {
	var events []eventstream.Event
	d := eventstream.Decoder{Handle: func(e eventstream.Event) { e.Data = nil; events = append(events, e) }}
	ms := time.Millisecond
	d.Write([]byte("\xef\xbb\xbf: c\r"), 1*ms)
	d.Write([]byte("\ndata: \xe2\x82"), 2*ms)
	d.Write([]byte("\xac\r\n\r"), 3*ms)
	d.Write([]byte("\n\ndata: b\n\n"), 4*ms)
	want := []eventstream.Event{
		{Type: "message", Start: 8, End: 20, At: 3 * ms},
		{Type: "message", Start: 22, End: 31, At: 4 * ms},
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Error(diff)
	}
	if d.Offset() != 31 || d.Comments() != 1 || d.Unfinished() {
		t.Errorf("offset %d, comments %d, unfinished %v", d.Offset(), d.Comments(), d.Unfinished())
	}
}

func TestRetry(t *testing.T) {
	for stream, want := range map[string]time.Duration{
		"retry: 1500\n": 1500 * time.Millisecond, "retry:0\n": 0, "retry: 10\nretry: x\n": 10 * time.Millisecond,
		"retry: -1\n": -1, "retry: 1.5\n": -1, "retry:\n": -1, "retry: 99999999999999999999\n": -1, "retry: 9999999999999999\n": -1, "": -1,
	} {
		_, d := decode(stream, 0)
		got, ok := d.Retry()
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %v, want %v", stream, got, want)
		}
	}
}

func TestUnfinished(t *testing.T) {
	for stream, want := range map[string]bool{
		"": false, "data: a\n\n": false, ": ping": false, ": ping\n": false, "data: a\n\n:": false,
		"data": true, "data: a\n": true, "data: a\n\nev": true, "event: a\n\n": false,
	} {
		if _, d := decode(stream, 0); d.Unfinished() != want {
			t.Errorf("%q: %v, want %v", stream, !want, want)
		}
	}
}

func TestLargeEventsAndTheBound(t *testing.T) {
	large := strings.Repeat("x", 1<<20+7)
	stream := "data: " + large + "\ndata: " + large + "\n\ndata: b\n\n"
	got, _ := decode(stream, 0, 100, 1<<16, 1<<19)
	if len(got) != 2 || got[0].Data != large+"\n"+large || got[0].Cut || got[1].Data != "b" {
		t.Fatalf("an event of 2 MiB was not kept whole")
	}
	for _, sizes := range [][]int{nil, {100, 1 << 16, 1 << 19}, {1, 1, 1, 1023}} {
		got, _ := decode(stream, 1024, sizes...)
		if len(got) != 2 || !got[0].Cut || len(got[0].Data) > 1025 || got[1] != (seen{"message", "", "b", int64(len(stream)) - 9, int64(len(stream)), false}) {
			t.Errorf("pieces %v: %d events, the first cut %v at %d bytes", sizes, len(got), got[0].Cut, len(got[0].Data))
		}
	}
	comment, d := decode(": "+large+"\ndata: a\n\n", 64, 3, 4)
	if len(comment) != 1 || comment[0].Cut || d.Comments() != 1 {
		t.Errorf("a comment beyond the bound: %v", comment)
	}
}

func TestZeroDecoderCounts(t *testing.T) {
	var d eventstream.Decoder
	d.Write([]byte(": a\ndata: b\n\n"), 0)
	if d.Comments() != 1 || d.Offset() != 13 {
		t.Errorf("comments %d, offset %d", d.Comments(), d.Offset())
	}
}

func TestIsEventStream(t *testing.T) {
	for in, want := range map[string]bool{
		"text/event-stream": true, "text/event-stream; charset=utf-8": true, "Text/Event-Stream;charset=UTF-8": true,
		"text/event-stream; =": true, "application/json": false, "text/event-streams": false, "": false, "text/plain; text/event-stream": false,
	} {
		if got := eventstream.IsEventStream(in); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

// reference is the format's algorithm over a whole stream, written for clearness alone.
func reference(stream string) (events []seen) {
	stream = strings.TrimPrefix(stream, "\ufeff")
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(stream, "\r\n", "\n"), "\r", "\n"), "\n")
	var data []string
	kind, id, pending := "", "", ""
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			id = pending
			if data != nil {
				if kind == "" {
					kind = "message"
				}
				events = append(events, seen{Type: kind, ID: id, Data: strings.Join(data, "\n")})
			}
			data, kind = nil, ""
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "data":
			data = append(data, value)
		case name == "event":
			kind = value
		case name == "id" && !strings.Contains(value, "\x00"):
			pending = value
		}
	}
	return events
}

// checkAgainstReference compares a stream, whole and cut by rng, with the plain algorithm.
func checkAgainstReference(t *testing.T, stream string, rng *rand.Rand) {
	t.Helper()
	whole, _ := decode(stream, 0)
	bare := make([]seen, 0, len(whole))
	last := int64(0)
	for _, e := range whole {
		if e.Start < last || e.End <= e.Start || e.End > int64(len(stream)) {
			t.Fatalf("%q: event at %d..%d after %d", stream, e.Start, e.End, last)
		}
		last = e.End
		bare = append(bare, seen{Type: e.Type, ID: e.ID, Data: e.Data})
	}
	if want := reference(stream); len(want) != len(bare) || len(want) > 0 && !cmp.Equal(want, bare) {
		t.Fatalf("%q: %s", stream, cmp.Diff(want, bare))
	}
	var sizes []int
	for left := len(stream); left > 0; {
		size := 1 + rng.IntN(min(left, 9))
		sizes, left = append(sizes, size), left-size
	}
	if got, _ := decode(stream, 0, sizes...); !cmp.Equal(got, whole) {
		t.Fatalf("%q cut into %v: %s", stream, sizes, cmp.Diff(whole, got))
	}
}

func TestRandomStreamsAgreeWithTheReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	pieces := []string{"data", "event", "id", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "a", "é", "\xef\xbb\xbf", "\x00", "1", " ", "\xff"}
	for range 5000 {
		var b bytes.Buffer
		for range rng.IntN(24) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		checkAgainstReference(t, b.String(), rng)
	}
}

func FuzzChunking(f *testing.F) {
	f.Add("data: a\r\n\r\nid: 1\ndata: b\n\n", uint64(1))
	f.Add("\xef\xbb\xbfdata\r\r: c\rdata: \xe2\x82\xac\n\r\n", uint64(2))
	f.Fuzz(func(t *testing.T, stream string, seed uint64) {
		checkAgainstReference(t, stream, rand.New(rand.NewPCG(seed, 1)))
	})
}
