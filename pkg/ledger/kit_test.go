package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// row is one made-up exchange, milliseconds by segment. Parts of wait are reported by the response,
// edge_rtt by the connection; wait itself is what they and unattributed add up to unless it is given.
type row map[segment.Key]float64

func ms(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

var reportedAs = map[segment.Key]string{
	segment.WaitPreForward: "pre_forward", segment.WaitUpstream: "upstream",
	segment.WaitUpstreamNetwork: "upstream.network", segment.WaitUpstreamOrigin: "upstream.origin",
}

// side is what an arm's exchanges have in common.
type side struct {
	route record.Route
	rows  []row
	edit  func(i int, x *record.Exchange) // changes one exchange before it is read; may be nil
}

var testStart = time.Date(2026, time.November, 30, 1, 2, 3, 0, time.UTC)

func (s side) exchange(i int) record.Exchange {
	r := s.rows[i]
	x := record.Exchange{
		Route: s.route.Name, Pair: i, State: "cold", Outcome: record.OK, Status: 200, Protocol: "h2", Clock: "user",
		Remote: "203.0.113.40:443", Family: 4, First: i == 0, Started: testStart.Add(time.Duration(i) * time.Second),
		Bytes: record.Bytes{Wire: 4310, Decoded: 4310}, BodySHA: "9f86d0", TCP: &record.TCP{MinRTT: ms(r[segment.WaitEdgeRTT])},
	}
	if _, quic := r[segment.QUIC]; quic {
		x.Protocol, x.TCP, x.QUIC = "h3", nil, &record.QUIC{MinRTT: ms(r[segment.WaitEdgeRTT])}
	}
	wait, metrics := 0.0, ""
	for k := segment.WaitEdgeRTT; k <= segment.WaitUnattributed; k++ {
		wait += r[k]
		if v, has := r[k]; has && reportedAs[k] != "" {
			metrics += fmt.Sprintf(", %s;dur=%.6f", reportedAs[k], v)
		}
	}
	if metrics != "" {
		x.Headers = record.Fields{"server-timing": {metrics[2:]}}
	}
	x.Segments.Set(segment.Wait, ms(wait))
	for k := range segment.Key(segment.NumMeasured) {
		if v, has := r[k]; has {
			x.Segments.Set(k, ms(v))
		}
	}
	x.Total = x.Segments.Sum()
	if s.edit != nil {
		s.edit(i, &x)
	}
	return x
}

// saved reads one arm as a run of its own.
func saved(t *testing.T, s side) Arm {
	t.Helper()
	if s.route.Name == "" {
		s.route = record.Route{Name: "route", URL: "https://api.example.com/", State: "cold"}
	}
	b := reading.NewBuilder(record.Run{Order: "random-pairs", Routes: []record.Route{s.route}}, reading.Options{})
	for i := range s.rows {
		x := s.exchange(i)
		x.Seq = i
		add(t, b, &x)
	}
	set := b.Finish(record.End{}, true)
	return Arm{Arm: set.Arms[0], Set: set}
}

// live reads two arms of one run, the order in each pair by a coin.
func live(t *testing.T, before, after side) (Arm, Arm) {
	t.Helper()
	sides := [2]side{before, after}
	for i, name := range []string{"before", "after"} {
		if sides[i].route.Name == "" {
			sides[i].route = record.Route{Name: name, URL: "https://api.example.com/", State: "cold"}
		}
	}
	b := reading.NewBuilder(record.Run{Order: "random-pairs", Routes: []record.Route{sides[0].route, sides[1].route}}, reading.Options{})
	coin := rand.New(rand.NewPCG(7, 7))
	seq := 0
	for i := range max(len(before.rows), len(after.rows)) {
		first := coin.IntN(2)
		for _, which := range []int{first, 1 - first} {
			if i >= len(sides[which].rows) {
				continue
			}
			x := sides[which].exchange(i)
			x.Seq = seq
			seq++
			add(t, b, &x)
		}
	}
	set := b.Finish(record.End{}, true)
	return Arm{Arm: set.Arms[0], Set: set}, Arm{Arm: set.Arms[1], Set: set}
}

func add(t *testing.T, b *reading.Builder, x *record.Exchange) {
	t.Helper()
	if err := b.Add(x); err != nil {
		t.Fatal(err)
	}
}

// fixture reads the only route of a run file, n exchanges of it when n is positive.
func fixture(t *testing.T, name string, n int) Arm {
	t.Helper()
	file, err := os.Open(filepath.Join("../../testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := record.NewReader(file, record.ReadOptions{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b := reading.NewBuilder(*r.Run(), reading.Options{})
	var x record.Exchange
	for i := 0; (n == 0 || i < n) && r.Next(&x) == nil; i++ {
		add(t, b, &x)
	}
	set := b.Finish(record.End{}, true)
	return Arm{Arm: set.Arms[0], Set: set}
}

// noisy makes n rows around a typical one; every segment moves by up to tenth of itself.
func noisy(n int, seed uint64, typical row) []row {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]row, n)
	for i := range out {
		out[i] = row{}
		for k := range segment.Key(segment.NumKeys) {
			if v, has := typical[k]; has {
				out[i][k] = v * (0.95 + 0.1*r.Float64())
			}
		}
	}
	return out
}

func with(r row, k segment.Key, v float64) row {
	out := row{}
	for key, value := range r {
		out[key] = value
	}
	out[k] = v
	return out
}

func entryOf(t *testing.T, c *Comparison, k segment.Key) Entry {
	t.Helper()
	for _, e := range c.Entries {
		if e.Key == k {
			return e
		}
	}
	t.Fatalf("no row %s in %v", k, keysIn(c.Entries))
	return Entry{}
}

func keysIn(entries []Entry) []segment.Key {
	var keys []segment.Key
	for _, e := range entries {
		keys = append(keys, e.Key)
	}
	return keys
}

// typical is a cold request over h2 behind an edge that reports what it waited for.
var typical = row{
	segment.DNS: 12, segment.TCP: 30, segment.TLS: 35, segment.Send: 0.1, segment.WaitEdgeRTT: 28, segment.WaitPreForward: 20,
	segment.WaitUpstream: 100, segment.WaitUnattributed: 5, segment.Transfer: 8,
}
