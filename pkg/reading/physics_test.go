package reading_test

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/geo"
	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// found lists the kinds of an arm's findings that concern what a row is about.
func found(t *testing.T, from string, ex ...*record.Exchange) []reading.Finding {
	t.Helper()
	opt := reading.Options{}
	if from != "" {
		at, err := geo.Find(from)
		if err != nil {
			t.Fatal(err)
		}
		opt.From = &at
	}
	return read(t, opt, run(), ex...).Arms[0].Findings
}

func kinds(list []reading.Finding) string {
	text := ""
	for _, f := range list {
		text += f.Kind.String()
		if f.Fit != geo.Fits {
			text += "(" + f.Fit.String() + ")"
		}
		text += " "
	}
	return text
}

// The distances are great circles between the cities; light needs 1 ms of round trip for 102.1 km in
// fibre and for 149.9 km in vacuum. Frankfurt to Tokyo is 9,300 km, less 25 and 50 of radius: 90 ms
// and 62 ms. Dubai to Zurich is 4,770 km less 100: 46 and 31 ms.
func TestTimesAgainstPlaces(t *testing.T) {
	nrt, hkgAms, dxbZrh := "cf-ray: 8f0123456789abcd-NRT", "cf-ray: 8f0123456789abcd-HKG", "cf-ray: 8f0123456789abcd-DXB"
	for _, row := range []struct {
		name string
		from string
		rtt  time.Duration
		wait time.Duration
		head []string
		want string
	}{
		{"a sign light cannot reach", "Frankfurt", 8 * ms, 100 * ms, []string{nrt}, "sign_contradicted(impossible) "},
		{"a sign only vacuum reaches", "Frankfurt", 75 * ms, 100 * ms, []string{nrt}, "sign_contradicted(implausible) "},
		{"a sign fibre reaches", "Frankfurt", 95 * ms, 120 * ms, []string{nrt}, ""},
		{"a sign next door", "Tokyo", 2 * ms, 120 * ms, []string{nrt}, ""},
		{"a sign without a vantage", "", 8 * ms, 100 * ms, []string{nrt}, ""},
		{"a code nobody knows", "Frankfurt", 8 * ms, 100 * ms, []string{"cf-ray: 8f0123456789abcd-QZQ"}, ""},
		{"work elsewhere", "", 5 * ms, 200 * ms, []string{hkgAms, "cf-placement: remote-AMS"}, "compute_apart "},
		{"work elsewhere in no time", "", 5 * ms, 30 * ms, []string{dxbZrh, "cf-placement: remote-ZRH"}, "compute_contradicted(impossible) "},
		{"work elsewhere in less than fibre takes", "", 5 * ms, 45 * ms, []string{dxbZrh, "cf-placement: remote-ZRH"}, "compute_contradicted(implausible) "},
		{"work elsewhere, replayed", "", 5 * ms, 9 * ms, []string{dxbZrh, "cf-placement: remote-ZRH", "cf-cache-status: HIT"}, "compute_apart "},
		{"work in the same metropolis", "", 5 * ms, 6 * ms, []string{"cf-ray: 8f0123456789abcd-IAD", "x-vercel-id: iad1::iad1::a"}, ""},
		{"work without an accepting site", "Frankfurt", 5 * ms, 20 * ms, []string{"cf-placement: remote-NRT"}, "compute_contradicted(impossible) "},
		{"a wait that crossed an ocean", "", 10 * ms, 400 * ms, []string{nrt, "cf-placement: local-NRT", "server-timing: pre_forward;dur=175, upstream;dur=200"}, "long_pre_forward "},
		{"a wait that did not", "", 10 * ms, 400 * ms, []string{nrt, "server-timing: pre_forward;dur=12, upstream;dur=65"}, ""},
		{"a way that crossed an ocean", "", 10 * ms, 500 * ms, []string{nrt, "server-timing: pre_forward;dur=20, upstream.network;dur=290, origin;dur=135"}, "long_network "},
		{"an edge that sees somebody nearer", "", 120 * ms, 200 * ms, []string{nrt, `server-timing: cfL4;desc="?proto=TCP&rtt=11729&min_rtt=10955"`}, "connection_ended_between "},
		{"an edge that sees this client", "", 12 * ms, 100 * ms, []string{nrt, `server-timing: cfL4;desc="?proto=TCP&rtt=11729&min_rtt=10955"`}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := kinds(found(t, row.from, exchange(0, row.rtt, row.wait, row.head...))); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func TestTheSmallestTimeBounds(t *testing.T) {
	near := exchange(0, 40*ms, 300*ms, "cf-ray: 8f0123456789abcd-NRT")
	far := exchange(1, 120*ms, 300*ms, "cf-ray: 8f0123456789abcd-NRT")
	list := found(t, "Frankfurt", far, near)
	if len(list) != 1 || list[0].Time != 40*ms || list[0].TLS != 80*ms || list[0].N != 2 {
		t.Errorf("findings %+v", list)
	}
}

func TestTheVantageOfTheRunCounts(t *testing.T) {
	r := run()
	r.Vantage = record.Vantage{From: "frankfurt", Lat: 50.11, Lon: 8.68, Located: true}
	set := read(t, reading.Options{}, r, exchange(0, 8*ms, 100*ms, "cf-ray: 8f0123456789abcd-NRT"))
	if got := kinds(set.Arms[0].Findings); got != "sign_contradicted(impossible) " {
		t.Errorf("findings %q", got)
	}
}

func TestStateElsewhere(t *testing.T) {
	opt := mapped(t, nil, "state=header:x-do-colo")
	ex := exchange(0, 10*ms, 400*ms, "cf-ray: 8f0123456789abcd-NRT", "x-do-colo: ORD", "server-timing: pre_forward;dur=175, upstream;dur=65")
	list := read(t, opt, run(), ex).Arms[0].Findings
	if got := kinds(list); got != "long_pre_forward state_apart " {
		t.Fatalf("findings %q", got)
	}
	if f := list[1]; f.Site.Site != "ORD" || f.Near.Site != "NRT" || f.Time != 175*ms || f.KM < 9900 || f.KM > 10100 {
		t.Errorf("finding %+v", f)
	}
}

func TestPlacesAreCountedBySite(t *testing.T) {
	set := read(t, reading.Options{}, run(),
		exchange(0, 6*ms, 99*ms, "cf-ray: 01-GRU"), exchange(1, 9*ms, 99*ms, "cf-ray: 02-GRU"), exchange(2, 5*ms, 99*ms, "cf-ray: 03-EZE"))
	got := set.Arms[0].Places
	if len(got) != 2 || got[0].Site != "GRU" || got[0].N != 2 || got[0].MinRTT != 6*ms || got[1].Site != "EZE" {
		t.Errorf("places %+v", got)
	}
}

func TestTrips(t *testing.T) {
	tls := func(change func(*record.TLS)) *record.Exchange {
		ex := exchange(0, 10*ms, 50*ms)
		change(ex.TLS)
		return ex
	}
	quic := func(q record.QUIC) *record.Exchange {
		ex := &record.Exchange{Outcome: record.OK, QUIC: &q}
		ex.Segments.Set(segment.QUIC, 12*ms)
		return ex
	}
	for _, row := range []struct {
		name string
		ex   *record.Exchange
		sum  int
		why  reading.Extra
	}{
		{"tcp and tls 1.3", tls(func(*record.TLS) {}), 2, 0},
		{"tls 1.2", tls(func(x *record.TLS) { x.Version = "1.2" }), 3, reading.ExtraTLS12},
		{"tls 1.2 resumed", tls(func(x *record.TLS) { x.Version, x.Resumed = "1.2", true }), 2, 0},
		{"hello retry", tls(func(x *record.TLS) { x.HRR = true }), 3, reading.ExtraHRR},
		{"long chain", tls(func(x *record.TLS) { x.ChainBytes = 17_000 }), 3, reading.ExtraChain},
		{"long chain and hello retry", tls(func(x *record.TLS) { x.ChainBytes, x.HRR = 17_000, true }), 4, reading.ExtraChain | reading.ExtraHRR},
		{"quic", quic(record.QUIC{}), 1, 0},
		{"quic with Retry", quic(record.QUIC{Retry: true}), 2, reading.ExtraRetry},
		{"quic stalled", quic(record.QUIC{Stall: true}), 2, reading.ExtraStall},
	} {
		got, ok := reading.TripsOf(row.ex)
		if !ok || got.Sum() != row.sum || got.Extra != row.why {
			t.Errorf("%s: %+v, %v, want %d trips for %b", row.name, got, ok, row.sum, row.why)
		}
	}
	warm := &record.Exchange{Outcome: record.OK}
	warm.Segments.Set(segment.Wait, 5*ms)
	if _, ok := reading.TripsOf(warm); ok {
		t.Error("a reused connection was set up")
	}
}

func TestProjectionSpendsRoundTripsAndNothingElse(t *testing.T) {
	small, large, nearer := exchange(0, 10*ms, 110*ms), exchange(1, 10*ms, 110*ms), exchange(2, 300*ms, 400*ms)
	large.Bytes.Wire = 50_000 // ten segments, twenty, and the rest: two waits for the window
	set := read(t, reading.Options{AtRTT: 250 * ms}, run(), small, large, nearer)
	a := set.Arms[0]
	for k, want := range map[segment.Key][]time.Duration{
		segment.DNS: {3 * ms, 3 * ms, 3 * ms}, segment.TCP: {250 * ms, 250 * ms, 300 * ms}, segment.TLS: {260 * ms, 260 * ms, 600 * ms},
		segment.Wait: {350 * ms, 350 * ms, 400 * ms}, segment.WaitEdgeRTT: {250 * ms, 250 * ms, 300 * ms},
		segment.Transfer: {2 * ms, 482 * ms, 2 * ms}, segment.Total: {865 * ms, 1345 * ms, 1305 * ms},
	} {
		for i, w := range want {
			if got := time.Duration(a.Column(k)[i]); got != w {
				t.Errorf("%s of exchange %d: %v, want %v", k, i, got, w)
			}
		}
	}
	if !set.Run.Projected || set.AtRTT != 250*ms || set.Slowly != 1 || len(set.Warnings) != 1 {
		t.Errorf("set is not marked: %v %v %d %q", set.Run.Projected, set.AtRTT, set.Slowly, set.Warnings)
	}
	if small.Total != 145*ms {
		t.Errorf("the exchange itself changed: %v", small.Total)
	}
}
