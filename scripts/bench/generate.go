package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// runFile is a made-up run of n cold exchanges over h2; the same seed and shift give the same bytes.
type runFile struct {
	route string
	n     int
	seed  uint64
	shift time.Duration // added to every wait: the difference a comparison finds
	exact bool          // server-timing tells microseconds, so that hardly any two responses are alike
}

var began = time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)

// write writes the run to path, compressed when its name says so, and returns its bytes.
func (f runFile) write(path string) (int64, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	w, err := record.NewWriter(file, record.WriteOptions{Batch: true, Compress: filepath.Ext(path) == ".zst"})
	if err != nil {
		return 0, err
	}
	if err := f.lines(w); err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), file.Close()
}

func (f runFile) lines(w *record.Writer) error {
	if err := w.Run(f.run()); err != nil {
		return err
	}
	draw := newDrawer(f)
	for i := range f.n {
		if err := w.Exchange(draw.exchange(i)); err != nil {
			return err
		}
	}
	if err := w.End(record.End{Counts: record.Counts{Asked: f.n, OK: f.n}}); err != nil {
		return err
	}
	return w.Close()
}

func (f runFile) run() record.Run {
	return record.Run{
		ID: "bench-" + f.route, Tool: "coldsplit bench", Started: began, Resolver: "system", Order: "sequential", Seed: f.seed,
		Interval: 200 * time.Millisecond, Timeout: 10 * time.Second, Vantage: record.Vantage{From: "sydney", OS: "linux", CPUs: 2},
		Routes: []record.Route{{Name: f.route, URL: "https://" + f.route + ".example.com/v1/ping", Method: "GET", Protocol: "h2", State: "cold"}},
	}
}

// drawer fills one exchange again and again.
type drawer struct {
	file runFile
	rng  *rand.Rand
	x    record.Exchange
}

func newDrawer(f runFile) *drawer {
	d := &drawer{file: f, rng: rand.New(rand.NewPCG(f.seed, 7))}
	d.x = record.Exchange{
		Route: f.route, State: "cold", Outcome: record.OK, Status: 200, Protocol: "h2", Remote: "203.0.113.9:443", Clock: "kernel", Family: 4,
		DNS:      &record.DNS{Server: "system", HasA: true, HasAAAA: true},
		Attempts: []record.Attempt{{Addr: "203.0.113.9:443"}},
		TLS: &record.TLS{
			Version: "1.3", Cipher: "TLS_AES_128_GCM_SHA256", Group: "X25519MLKEM768", ALPN: "h2", Issuer: "Example CA 3",
			ChainBytes: 4100, Verified: true,
		},
		TCP: &record.TCP{}, HasLag: true, Bytes: record.Bytes{Wire: 1000, Decoded: 1000},
		Headers: record.Fields{"content-type": {"application/json"}, "server-timing": {""}, "cf-ray": {""}},
	}
	return d
}

// spread draws a time around typical: a few per cent wide, with a slow request in a hundred.
func (d *drawer) spread(typical time.Duration) time.Duration {
	v := float64(typical) * (1 + 0.05*d.rng.NormFloat64())
	if d.rng.IntN(100) == 0 {
		v += float64(typical) * d.rng.ExpFloat64()
	}
	return time.Duration(max(v, float64(typical)/2))
}

const ms = time.Millisecond

// exchange returns the i-th exchange; it holds until the next call.
func (d *drawer) exchange(i int) *record.Exchange {
	x := &d.x
	x.Seq, x.Pair, x.First = i, i, i == 0
	x.Started = began.Add(time.Duration(i)*200*ms + time.Duration(d.rng.Int64N(int64(20*ms))))
	d.segments(x)
	x.DNS.A, x.DNS.AAAA = d.spread(10*ms), d.spread(11*ms)
	x.Attempts[0] = record.Attempt{Addr: x.Remote, Start: x.DNS.AAAA, End: x.DNS.AAAA + 36*ms}
	x.SchedLag = time.Duration(d.rng.Int64N(int64(200 * time.Microsecond)))
	return x
}

// segments draws the times, of which server-timing tells two, and adds them up.
func (d *drawer) segments(x *record.Exchange) {
	trip, edge, origin := d.spread(35*ms), d.spread(9*ms), d.spread(180*ms)+d.file.shift
	x.TCP.ConnectRTT, x.TCP.MinRTT = trip+trip/50, trip
	x.Segments = segment.Split{}
	x.Segments.Set(segment.DNS, d.spread(12*ms))
	x.Segments.Set(segment.TCP, trip+d.spread(ms))
	x.Segments.Set(segment.TLS, trip+d.spread(8*ms))
	x.Segments.Set(segment.Send, d.spread(ms/10))
	x.Segments.Set(segment.Wait, trip+edge+origin+d.spread(2*ms))
	x.Segments.Set(segment.Transfer, d.spread(ms))
	x.Total = x.Segments.Sum()
	if d.file.exact {
		x.Headers["server-timing"][0] = fmt.Sprintf("cfEdge;dur=%.3f,cfOrigin;dur=%.3f", edge.Seconds()*1000, origin.Seconds()*1000)
	} else {
		x.Headers["server-timing"][0] = fmt.Sprintf("cfEdge;dur=%d,cfOrigin;dur=%d", edge.Milliseconds(), origin.Milliseconds())
	}
	x.Headers["cf-ray"][0] = fmt.Sprintf("%016x-SYD", d.rng.Uint64())
}
