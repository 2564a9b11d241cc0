package record_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldsplit/coldsplit/pkg/record"
)

func seeds(f *testing.F) {
	x := fullExchange()
	full, err := record.AppendExchange(nil, &x)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	for _, s := range []string{
		`{"type":"exchange","route":"a","outcome":"ok","total_ns":0}`,
		` { "route" : "a" , "outcome" : "failed" , "total_ns" : 3 , "segments" : { "dns" : 1 , "wait" : 2 } , "notes" : [ ] } `,
		`{"route":"é\ud83d\ude00\ud800x\n","outcome":"ok","total_ns":-0,"started":"2026-11-30T01:02:03.5+01:00"}`,
		`{"route":"a","outcome":"ok","total_ns":0,"x":[1.5e-3,{"y":[true,false,null]},"\/"]}`,
		`{"route":"a","outcome":"ok","total_ns":0,"tls":{"names":[null,"x"]},"headers":{"a":null,"b":[]},"attempts":[null,{}]}`,
		`{"route":"a","outcome":"ok","total_ns":0,"dns":{"ttl_s":9223372037},"seq":9223372036854775808}`,
		`{"route":"a","outcome":"ok","total_ns":01}`,
		`{"route":"a","outcome":"ok","total_ns":1e0}`,
		"{\"route\":\"\xff\xc3\x28\",\"outcome\":\"ok\",\"total_ns\":0,}",
		`{"route":"a","outcome":"invalid","total_ns":0,"error":{"segment":"wait","class":"","text":"\u001b"}} x`,
	} {
		f.Add([]byte(s))
	}
}

// FuzzDecoderAgreesWithEncodingJSON: whatever encoding/json accepts under the rules of the format we
// accept with the same values, and nothing else; passing parts over never refuses more.
func FuzzDecoderAgreesWithEncodingJSON(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		if ambiguous(line) {
			t.Skip()
		}
		var d record.Decoder
		var got record.Exchange
		err := d.Exchange(line, &got)
		want, refErr := reference(line)
		if (err == nil) != (refErr == nil) {
			t.Fatalf("%q\ngot error  %v\nwant error %v", line, err, refErr)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(want, got, compareSplits); diff != "" {
			t.Fatalf("%q\n%s", line, diff)
		}
		skip := record.Decoder{Skip: record.PartAll}
		var few record.Exchange
		if err := skip.Exchange(line, &few); err != nil {
			t.Fatalf("%q: passing parts over: %v", line, err)
		}
		if few.Total != got.Total || few.Segments != got.Segments || few.Route != got.Route {
			t.Fatalf("%q: passing parts over changed the rest: %+v", line, few)
		}
	})
}

// FuzzRoundTrip: what was decoded is written as valid JSON on one line and decodes to the same.
func FuzzRoundTrip(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		var d record.Decoder
		var x, again record.Exchange
		if d.Exchange(line, &x) != nil || !writable(&x) {
			return
		}
		out, err := record.AppendExchange(nil, &x)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if !json.Valid(out) || bytes.ContainsAny(out, "\n\r\x1b") {
			t.Fatalf("wrote %q", out)
		}
		if err := d.Exchange(out, &again); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if diff := cmp.Diff(x, again, compareSplits, cmp.Comparer(sameField)); diff != "" {
			t.Fatalf("%q\n%s", out, diff)
		}
	})
}

// writable leaves out what a strange file can hold and a Writer expresses otherwise.
func writable(x *record.Exchange) bool {
	years := x.Started.Year()
	for _, tls := range []*record.TLS{x.TLS, x.ProxyTLS} {
		if tls != nil {
			years = max(years, tls.NotAfter.Year())
		}
	}
	s := x.Stream
	return years <= 9999 && x.Started.Year() >= 0 && (x.HasStage || x.StartSkew == 0) && s == nil
}

func sameField(a, b record.Fields) bool {
	return len(a) == len(b) && cmp.Equal(map[string][]string(a), map[string][]string(b), cmp.Comparer(func(v, w []string) bool {
		return len(v) == len(w) && cmp.Equal(append([]string{}, v...), append([]string{}, w...))
	}))
}

func FuzzReaderNeverPanics(f *testing.F) {
	f.Add(writeFile(f, record.WriteOptions{}, true, fullExchange()))
	f.Add(writeFile(f, record.WriteOptions{Compress: true}, true, fullExchange()))
	f.Add([]byte("{\"type\":\"run\",\"schema\":\"coldsplit/1\"}\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{})
		if err != nil {
			return
		}
		defer r.Close()
		var x record.Exchange
		for n := 0; r.Next(&x) == nil; n++ {
			if n > len(data) {
				t.Fatal("more exchanges than bytes")
			}
		}
	})
}

// TestMutatedLinesAgreeWithEncodingJSON runs the differential check in every plain test run.
func TestMutatedLinesAgreeWithEncodingJSON(t *testing.T) {
	x := fullExchange()
	line, err := record.AppendExchange(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	accepted := 0
	for range 4000 {
		bad := mutate(rng, line)
		if ambiguous(bad) {
			continue
		}
		var d record.Decoder
		var got record.Exchange
		err := d.Exchange(bad, &got)
		want, refErr := reference(bad)
		if (err == nil) != (refErr == nil) {
			t.Fatalf("%q\ngot error  %v\nwant error %v", bad, err, refErr)
		}
		if err == nil {
			accepted++
			if diff := cmp.Diff(want, got, compareSplits); diff != "" {
				t.Fatal(diff)
			}
		}
	}
	if accepted < 100 {
		t.Errorf("only %d mutants were accepted; the check says little", accepted)
	}
}

func mutate(rng *rand.Rand, line []byte) []byte {
	out := bytes.Clone(line)
	at := rng.IntN(len(out))
	const pieces = "{}[]\",:0123456789-+.eE \\ntfu\x00\x1b\xff\xc3\xa9"
	c := pieces[rng.IntN(len(pieces))]
	switch rng.IntN(4) {
	case 0:
		out[at] = c
	case 1:
		out = append(out[:at], out[min(len(out), at+1+rng.IntN(4)):]...)
	case 2:
		out = append(out[:at], append([]byte{c}, out[at:]...)...)
	case 3:
		out[at] = byte('0' + rng.IntN(10))
	}
	return out
}

// TestEncoderAlwaysWritesJSON writes strings of random bytes and reads them back.
func TestEncoderAlwaysWritesJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		raw := make([]byte, rng.IntN(24))
		for i := range raw {
			raw[i] = byte(rng.Uint32())
		}
		r := record.Run{ID: string(raw), Vantage: record.Vantage{Lat: math.Inf(1), Lon: math.NaN(), Located: true}}
		line, err := record.AppendRun(nil, &r)
		if err != nil || !json.Valid(line) {
			t.Fatalf("%q wrote %q, %v", raw, line, err)
		}
		got, err := new(record.Decoder).Run(line)
		if want := bytes.ToValidUTF8(bytes.Clone(raw), []byte("\uFFFD")); err != nil || len([]rune(got.ID)) < len([]rune(string(want))) {
			t.Fatalf("%q came back as %q, %v", raw, got.ID, err)
		}
		if got.ID != string([]rune(string(raw))) {
			t.Fatalf("%q came back as %q", raw, got.ID)
		}
	}
}
