package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// usualExchange is one line of about the 860 bytes a cold exchange takes.
func usualExchange(i int) record.Exchange {
	x := record.Exchange{
		Route: []string{"before", "after"}[i%2], Seq: i, Pair: i / 2, Started: started.Add(time.Duration(i) * 237 * ms), State: "cold",
		Outcome: record.OK, Status: 200, Protocol: "h2", Remote: []string{"203.0.113.9:443", "203.0.113.40:443"}[i%2], Clock: "user",
		Family: 4, Segments: split(),
		DNS:      &record.DNS{Server: "system", A: 11 * ms, HasA: true, AAAA: 12 * ms, HasAAAA: true},
		Attempts: []record.Attempt{{Addr: "203.0.113.9:443", Start: 12 * ms, End: 49 * ms}},
		TLS:      &record.TLS{Version: "1.3", Cipher: "TLS_AES_128_GCM_SHA256", Group: "X25519MLKEM768", ALPN: "h2", Issuer: "Example CA 3", CertSHA: "4e0f0c8f1b0b7f", ChainBytes: 4100, Verified: true},
		TCP:      &record.TCP{ConnectRTT: 36 * ms, MinRTT: 35 * ms},
		SchedLag: 90_000, HasLag: true,
		Bytes:   record.Bytes{Wire: 1000, Decoded: 1000},
		Headers: record.Fields{"server-timing": {"cfEdge;dur=9, cfOrigin;dur=120"}, "cf-ray": {fmt.Sprintf("%016x-NRT", i*7919)}},
	}
	x.Segments.Set(segment.Wait, 297*ms+time.Duration(i%9973)*time.Microsecond)
	x.Total = x.Segments.Sum()
	return x
}

func usualFile(b testing.TB, opts record.WriteOptions, n int) []byte {
	b.Helper()
	xs := make([]record.Exchange, n)
	for i := range xs {
		xs[i] = usualExchange(i)
	}
	return writeFile(b, opts, true, xs...)
}

const benchLines = 20000

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name string
		opts record.WriteOptions
		skip record.Parts
	}{
		{"few", record.WriteOptions{}, record.PartAll},
		{"everything", record.WriteOptions{}, 0},
		{"no headers", record.WriteOptions{}, record.PartHeaders},
		{"zstd few", record.WriteOptions{Compress: true}, record.PartAll},
		{"zstd batch few", record.WriteOptions{Compress: true, Batch: true}, record.PartAll},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := usualFile(b, c.opts, benchLines)
			b.ReportAllocs()
			for b.Loop() {
				readAll(b, data, c.skip)
			}
			perLine(b)
		})
	}
}

func readAll(b *testing.B, data []byte, skip record.Parts) {
	r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{Skip: skip})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	var x record.Exchange
	for err = r.Next(&x); err == nil; err = r.Next(&x) {
	}
	if err != io.EOF {
		b.Fatal(err)
	}
}

// BenchmarkReadAll reads on every core what BenchmarkRead reads on one.
func BenchmarkReadAll(b *testing.B) {
	data := usualFile(b, record.WriteOptions{}, benchLines)
	b.ReportAllocs()
	for b.Loop() {
		r, err := record.NewReader(bytes.NewReader(data), record.ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range r.All() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	perLine(b)
}

// BenchmarkDecodeParallel shares the lines of one file between one Decoder per core.
func BenchmarkDecodeParallel(b *testing.B) {
	data := usualFile(b, record.WriteOptions{}, benchLines)
	lines := bytes.Split(data, []byte("\n"))[1 : benchLines+1]
	b.RunParallel(func(pb *testing.PB) {
		d := record.Decoder{Skip: record.PartAll}
		var x record.Exchange
		for i := 0; pb.Next(); i++ {
			if err := d.Exchange(lines[i%benchLines], &x); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkEncodingJSON(b *testing.B) {
	data := usualFile(b, record.WriteOptions{}, benchLines)
	lines := bytes.Split(data, []byte("\n"))[1 : benchLines+1]
	b.Logf("%d bytes a line", len(data)/benchLines)
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			var x refExchange
			if err := json.Unmarshal(line, &x); err != nil {
				b.Fatal(err)
			}
		}
	}
	perLine(b)
}

func BenchmarkWrite(b *testing.B) {
	for name, opts := range map[string]record.WriteOptions{"plain": {}, "zstd": {Compress: true}, "zstd batch": {Compress: true, Batch: true}} {
		b.Run(name, func(b *testing.B) {
			xs := make([]record.Exchange, 1000)
			for i := range xs {
				xs[i] = usualExchange(i)
			}
			w, _ := record.NewWriter(io.Discard, opts)
			w.Run(fullRun())
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.Exchange(&xs[i%1000])
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

func perLine(b *testing.B) {
	b.ReportMetric(float64(b.N)*benchLines/b.Elapsed().Seconds(), "lines/s")
}

// TestReadingAllocatesNothingPerExchange holds the promise of Decoder.Exchange.
func TestReadingAllocatesNothingPerExchange(t *testing.T) {
	var lines [][]byte
	for i := range 64 {
		x := usualExchange(i)
		line, err := record.AppendExchange(nil, &x)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	for name, skip := range map[string]record.Parts{"few": record.PartAll, "no headers": record.PartHeaders} {
		d := record.Decoder{Skip: skip}
		var x record.Exchange
		all := func() {
			for _, line := range lines {
				if err := d.Exchange(line, &x); err != nil {
					t.Fatal(err)
				}
			}
		}
		all()
		if n := testing.AllocsPerRun(20, all); n > 0 {
			t.Errorf("%s: %v allocations for 64 exchanges", name, n)
		}
	}
}

func BenchmarkKeep(b *testing.B) {
	header := map[string][]string{}
	for _, name := range []string{"Date", "Content-Type", "Content-Length", "Connection", "Server", "Cf-Ray", "Cf-Cache-Status", "Server-Timing", "Set-Cookie", "Vary",
		"X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Strict-Transport-Security", "Nel", "Report-To", "Alt-Svc", "Etag", "Last-Modified", "Cache-Control"} {
		header[name] = []string{"a value of some length; as=usual"}
	}
	k := record.NewKeeper("x-request-id")
	b.ReportAllocs()
	for b.Loop() {
		k.Keep(header, nil)
	}
}

func BenchmarkSize(b *testing.B) {
	for name, opts := range map[string]record.WriteOptions{"plain": {}, "zstd": {Compress: true}, "zstd batch": {Compress: true, Batch: true}} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = len(usualFile(b, opts, benchLines))
			}
			b.ReportMetric(float64(size)/benchLines, "bytes/line")
		})
	}
}
