package report

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// took is one made-up exchange, milliseconds by segment; the parts of wait are reported by the
// response, edge_rtt by the connection, and wait is what they and unattributed add up to.
type took map[segment.Key]float64

// route is one arm of a made-up run.
type route struct {
	record.Route
	typical took
	spread  float64 // share by which a segment may be off
	edit    func(i int, x *record.Exchange)
}

func (r route) exchange(i int, noise *rand.Rand) record.Exchange {
	ms := func(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
	x := record.Exchange{
		Route: r.Name, Pair: i, State: "cold", Outcome: record.OK, Status: 200, Protocol: "h2", Clock: "user", Remote: "203.0.113.40:443",
		Family: 4, First: i == 0, Bytes: record.Bytes{Wire: 4310, Decoded: 4310}, BodySHA: "9f86d081884c7d65", DNS: &record.DNS{Server: "192.0.2.53"},
		TLS: &record.TLS{Version: "1.3"}, TCP: &record.TCP{MinRTT: ms(r.typical[segment.WaitEdgeRTT])},
	}
	wait := 0.0
	var metrics string
	for k := range segment.Key(segment.NumKeys) {
		v, has := r.typical[k]
		if !has {
			continue
		}
		v *= 1 + r.spread*(2*noise.Float64()-1)
		switch name := map[segment.Key]string{segment.WaitPreForward: "pre_forward", segment.WaitUpstream: "upstream",
			segment.WaitUpstreamNetwork: "upstream.network", segment.WaitUpstreamOrigin: "upstream.origin"}[k]; {
		case name != "":
			metrics += fmt.Sprintf(", %s;dur=%.6f", name, v)
			wait += v
		case k.Measured():
			x.Segments.Set(k, ms(v))
		case k == segment.WaitEdgeRTT:
			wait += r.typical[k]
		default:
			wait += v
		}
	}
	if metrics != "" {
		x.Headers = record.Fields{"server-timing": {metrics[2:]}}
	}
	if x.Segments.Has(segment.QUIC) {
		x.Protocol, x.TCP, x.QUIC = "h3", nil, &record.QUIC{MinRTT: x.TCP.MinRTT}
	}
	x.Segments.Set(segment.Wait, ms(wait))
	if r.edit != nil {
		r.edit(i, &x)
	}
	x.Total = x.Segments.Sum()
	return x
}

var madeStart = time.Date(2026, time.November, 30, 1, 2, 3, 0, time.UTC)

// measured reads n rounds of the routes as one run, the order of each round by a coin.
func measured(t *testing.T, n int, started time.Time, routes ...route) *reading.Set {
	t.Helper()
	run := record.Run{Order: "random-pairs", Seed: 7, Interval: 200 * time.Millisecond, Started: started, Resolver: "system",
		Tool: "coldsplit 0.1.0 go1.26.8 linux/amd64", Vantage: record.Vantage{From: "sao-paulo"}}
	for i := range routes {
		if routes[i].URL == "" {
			routes[i].URL = "https://" + routes[i].Name + ".example.com/translate"
		}
		routes[i].State, routes[i].Method = "cold", "GET"
		run.Routes = append(run.Routes, routes[i].Route)
	}
	b := reading.NewBuilder(run, reading.Options{})
	noise := rand.New(rand.NewPCG(7, uint64(n)))
	at, seq := started, 0
	asked := record.Counts{}
	for i := range n {
		for _, which := range noise.Perm(len(routes)) {
			x := routes[which].exchange(i, noise)
			x.Seq, x.Started = seq, at
			seq, at = seq+1, at.Add(x.Total+200*time.Millisecond)
			if err := b.Add(&x); err != nil {
				t.Fatal(err)
			}
			asked.Add(x.Outcome)
		}
	}
	set := b.Finish(record.End{Counts: asked}, true)
	for _, a := range set.Arms {
		a.Counts.Asked = a.Counts.Done()
	}
	return set
}

// comparedLive compares the two routes of one run.
func comparedLive(t *testing.T, n int, before, after route) *ledger.Comparison {
	t.Helper()
	set := measured(t, n, madeStart, before, after)
	return ledger.Compare(ledger.Arm{Arm: set.Arms[0], Set: set}, ledger.Arm{Arm: set.Arms[1], Set: set})
}

// savedArm reads the only route of a run file.
func savedArm(t *testing.T, name string) ledger.Arm {
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
	set, err := reading.Read(r, reading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ledger.Arm{Arm: set.Arms[0], Set: set}
}
