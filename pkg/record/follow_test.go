package record

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// likeLine is the i-th line of a run whose lines resemble each other.
func likeLine(t testing.TB, i int) []byte {
	x := Exchange{
		Route: "a", Seq: i, Pair: i, Started: time.Date(2026, 11, 30, 1, 2, i%60, i*1000+1, time.UTC), State: "cold", Outcome: OK,
		Status: 200, Protocol: "h2", Remote: "203.0.113.9:443", Clock: "kernel", First: i%50 == 0, Family: 4,
		DNS:      &DNS{Server: "system", A: time.Duration(i), HasA: true, Addrs: []string{"203.0.113.9"}},
		Attempts: []Attempt{{Addr: "203.0.113.9:443", End: time.Duration(i / 3)}},
		TLS:      &TLS{Version: "1.3", Names: []string{"a.example", "b.example"}, Verified: true},
		TCP:      &TCP{MinRTT: time.Duration(i / 4)}, Bytes: Bytes{Wire: int64(10 + i%2)},
		Headers:  Fields{"age": {"1", "2"}, "cf-ray": {string(rune('a'+i%26)) + "-SYD"}},
		Trailers: Fields{"server-timing": {"db;dur=1", "x"}}, Notes: []string{"n"},
	}
	switch {
	case i%17 == 3:
		x.Headers["vary"] = nil
	case i%19 == 4:
		x.Trailers["server-timing"] = []string{"y", "x"}
	case i%23 == 5:
		x.TLS, x.Notes = nil, nil
	}
	x.Segments.Set(segment.Wait, time.Duration(100+i%7))
	x.Total = x.Segments.Sum()
	line, err := AppendExchange(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// followed decodes lines one after the other into two exchanges, as a pool of them is filled, and holds
// each against a decoder that knows none before it.
func followed(t *testing.T, lines ...[]byte) {
	t.Helper()
	d := Decoder{untouched: true}
	var xs [2]Exchange
	var mems [2]*memory
	for i, text := range lines {
		var fresh Decoder
		var want Exchange
		wantErr := fresh.Exchange(text, &want)
		slot := i / 2 % 2
		x := &xs[slot]
		d.adopt(x, mems[slot])
		err := d.next(text, x)
		mems[slot] = d.mem
		switch {
		case (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error():
			t.Fatalf("line %d of %q\ngot error  %v\nwant error %v", i, lines, err, wantErr)
		case err == nil && !reflect.DeepEqual(*x, want):
			t.Fatalf("line %d of %q\ngot  %+v\nwant %+v", i, lines, *x, want)
		}
	}
}

func TestFollowedLinesAreReadAsAnyOther(t *testing.T) {
	var lines [][]byte
	for i := range 400 {
		lines = append(lines, likeLine(t, i))
	}
	followed(t, lines...)
}

func TestLinesWithTheSameKeysAreFollowed(t *testing.T) {
	d, x := Decoder{untouched: true}, Exchange{}
	n := 0
	for i := range 546 {
		line := likeLine(t, i)
		if d.prepare(&x); d.follow(line, d.mem.like) {
			n++
		} else if d.mem.like = d.unlike(line); d.mem.like == nil {
			t.Fatalf("line %d has no pattern", i)
		}
	}
	if n < 400 { // one in nine is First, without tls or with vary, and the one behind it is as unlike
		t.Errorf("%d lines of 546 were followed", n)
	}
}

// TestPatternsAreNotMadeForever: where no two lines have the same fields, what is spent on looking for
// likeness is bounded.
func TestPatternsAreNotMadeForever(t *testing.T) {
	d, x := Decoder{untouched: true}, Exchange{}
	made := 0
	for i := range 1000 {
		line := fmt.Appendf(nil, `{"route":"a","outcome":"ok","total_ns":0,"x%d":1}`, i)
		if err := d.next(line, &x); err != nil {
			t.Fatal(err)
		}
		if d.mem.like != nil {
			made++
		}
	}
	if most := mostSpent / patternCost; made != most || len(d.patterns.known) != mostPatterns {
		t.Errorf("%d patterns were made, %d are known; want %d and %d", made, len(d.patterns.known), most, mostPatterns)
	}
}

// TestWhatBarsFollowing: keys given twice, spelt with escapes or apart, other keys, a shorter or longer
// value behind the same beginning, and what comes after the end.
func TestWhatBarsFollowing(t *testing.T) {
	lines := []string{
		`{"route":"a","outcome":"ok","total_ns":0,"status":20}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":200}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":20}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":20,"family":4}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":20}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":20 ,"family":4}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":20 }`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":20 ,"family":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":1,"status":2}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":5,"status":2}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":5,"st\u0061tus":2}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":6,"st\u0061tus":2}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status": 6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":6}x`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":6`,
		`{"route":"a","outcome":"ok","total_ns":null,"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":null,"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"x":[[1]],"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"x":[[2]],"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"x":[[2]},"status":6}`,
		`{"route":"a","outcome":"ok","total_ns":0,"headers":{"a":["1"]},"trailers":{"b":["2"]}}`,
		`{"route":"a","outcome":"ok","total_ns":0,"headers":{"a":["1"]},"trailers":{"b":["3"]}}`,
		`{"route":"a","outcome":"ok","total_ns":0,"headers":{"a":["1","4"]},"trailers":{"b":["3"]}}`,
		`{"route":"a","outcome":"ok","total_ns":0,"headers":null,"trailers":{"b":["3"]}}`,
		`{}`, `null`, ``, ` {"route":"a","outcome":"ok","total_ns":0}`,
	}
	for _, first := range lines {
		for _, second := range lines {
			followed(t, []byte(first), []byte(second), []byte(first), []byte(second), []byte(first))
		}
	}
}

// TestFollowingAnyLine runs the check of the fuzz test in every plain test run.
func TestFollowingAnyLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 3000 {
		a, b := likeLine(t, i), likeLine(t, i+1)
		at := rng.IntN(len(b))
		switch rng.IntN(3) {
		case 0:
			b[at] = "{}[]\",:0123456789 \\n"[rng.IntN(19)]
		case 1:
			b = append(b[:at], b[min(len(b), at+1+rng.IntN(30)):]...)
		case 2:
			b = append(b[:at:at], append([]byte{"0,\" }]"[rng.IntN(6)]}, b[at:]...)...)
		}
		followed(t, a, b, a, b, a, b)
	}
}

// FuzzFollowing: whatever stood before it, a line is read as by itself.
func FuzzFollowing(f *testing.F) {
	f.Add(likeLine(f, 1), likeLine(f, 2))
	f.Add(likeLine(f, 3), likeLine(f, 4))
	f.Add([]byte(`{"route":"a","outcome":"ok","total_ns":0}`), []byte(`{"route":"a","outcome":"ok","total_ns":0,"total_ns":1}`))
	f.Fuzz(func(t *testing.T, first, second []byte) { followed(t, first, second, first, second, first, second) })
}

func TestALineOfAnotherSkipIsNotFollowed(t *testing.T) {
	d, x := Decoder{untouched: true}, Exchange{}
	line := likeLine(t, 1)
	for _, skip := range []Parts{PartAll, 0, PartHeaders} {
		var want Exchange
		fresh := Decoder{Skip: skip}
		d.Skip = skip
		if err := d.next(line, &x); err != nil || fresh.Exchange(line, &want) != nil || !reflect.DeepEqual(x, want) {
			t.Errorf("skip %b: %v\ngot  %+v\nwant %+v", skip, err, x, want)
		}
	}
}
