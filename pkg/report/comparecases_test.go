package report

import (
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

func named(name string) record.Route { return record.Route{Name: name} }

// way is a route of one host that is told apart by its way.
func way(name, via string) record.Route {
	return record.Route{Name: name, URL: "https://api.example.com/v1/ping", Via: via}
}

var (
	blueTook = took{segment.DNS: 3, segment.TCP: 7, segment.TLS: 14, segment.Send: 0.1, segment.WaitEdgeRTT: 6, segment.WaitPreForward: 8,
		segment.WaitUpstreamNetwork: 119, segment.WaitUpstreamOrigin: 98, segment.WaitUnattributed: 122, segment.Transfer: 2}
	greenTook = took{segment.DNS: 3, segment.TCP: 7, segment.TLS: 14, segment.Send: 0.1, segment.WaitEdgeRTT: 6, segment.WaitPreForward: 126,
		segment.WaitUpstreamNetwork: 5, segment.WaitUpstreamOrigin: 97, segment.WaitUnattributed: 4, segment.Transfer: 2}
	farTook = took{segment.DNS: 30, segment.TCP: 248, segment.TLS: 252, segment.Send: 0.1, segment.WaitEdgeRTT: 246, segment.WaitUnattributed: 38, segment.Transfer: 2}
	cdnTook = took{segment.DNS: 37, segment.TCP: 11, segment.TLS: 16, segment.Send: 0.1, segment.WaitEdgeRTT: 10, segment.WaitUpstream: 269,
		segment.WaitUnattributed: 7, segment.Transfer: 1}
	h2Took    = took{segment.DNS: 12, segment.TCP: 187, segment.TLS: 190, segment.Send: 0.1, segment.WaitEdgeRTT: 186, segment.WaitUnattributed: 17, segment.Transfer: 1}
	h3Took    = took{segment.DNS: 12, segment.QUIC: 192, segment.Send: 0.1, segment.WaitEdgeRTT: 186, segment.WaitUnattributed: 17, segment.Transfer: 1}
	plainTook = took{segment.DNS: 12, segment.TCP: 60, segment.TLS: 62, segment.Send: 0.1, segment.WaitEdgeRTT: 59, segment.WaitUnattributed: 55, segment.Transfer: 4}
)

func changed(t took, k segment.Key, v float64) took {
	out := took{}
	for key, value := range t {
		out[key] = value
	}
	out[k] = v
	return out
}

func without(t took, k segment.Key) took {
	out := changed(t, k, 0)
	delete(out, k)
	return out
}

func mustRule(t *testing.T, text string) ledger.Rule {
	t.Helper()
	r, err := ledger.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gated holds rules against a comparison.
func gated(t *testing.T, c *ledger.Comparison, rules ...string) Compare {
	t.Helper()
	in := Compare{Result: c}
	for _, text := range rules {
		in.Gate = append(in.Gate, c.Gate([]ledger.Rule{mustRule(t, text)})...)
	}
	return in
}

// compareCases are the pictures of the comparison's golden files.
func compareCases(t *testing.T) map[string]Compare {
	t.Helper()
	a, b, c := savedArm(t, "ledger-A.jsonl"), savedArm(t, "ledger-B.jsonl"), savedArm(t, "ledger-C.jsonl")
	moved := ledger.Compare(a, b)
	cases := map[string]Compare{
		"moved": {Result: moved, Files: [2]string{"ledger-A.jsonl", "ledger-B.jsonl"}, Gate: moved.Gate([]ledger.Rule{
			mustRule(t, "total.p50=+10%"), mustRule(t, "wait.p90=250ms"), mustRule(t, "wait.pre_forward.p50=+20ms"), mustRule(t, "failed=1%")}),
			Repeat: []string{"coldsplit compare ledger-A.jsonl ledger-B.jsonl -f md"}},
		"fixed":   {Result: ledger.Compare(b, c)},
		"self":    {Result: ledger.Compare(a, a)},
		"live":    {Result: comparedLive(t, 25, route{Route: named("blue"), typical: blueTook, spread: 0.03, edit: coldFirst}, route{Route: named("green"), typical: greenTook, spread: 0.03, edit: coldFirst}), Places: livePlaces()},
		"few":     fewCase(t),
		"cdn":     cdnCase(t),
		"quic":    quicCase(t),
		"slower":  gated(t, comparedLive(t, 40, route{Route: way("before", ""), typical: plainTook, spread: 0.1}, route{Route: way("after", "edge.example.net"), typical: changed(plainTook, segment.WaitUnattributed, 110), spread: 0.1}), "total.p50=+10%", "total.p50=+200ms", "tls.p50=100ms"),
		"tiny":    {Result: comparedLive(t, 3, route{Route: way("before", ""), typical: plainTook, spread: 0.1}, route{Route: way("after", "edge.example.net"), typical: plainTook, spread: 0.1})},
		"open":    {Result: comparedLive(t, 12, route{Route: way("before", ""), typical: plainTook, spread: 0.6}, route{Route: way("after", "edge.example.net"), typical: plainTook, spread: 0.6})},
		"same":    {Result: comparedLive(t, 60, route{Route: way("before", ""), typical: plainTook, spread: 0.05}, route{Route: way("after", "edge.example.net"), typical: plainTook, spread: 0.05})},
		"small":   {Result: comparedLive(t, 100, route{Route: way("before", ""), typical: plainTook, spread: 0.02}, route{Route: way("after", "edge.example.net"), typical: changed(plainTook, segment.WaitUnattributed, 58), spread: 0.02})},
		"pinned":  {Result: comparedLive(t, 25, route{Route: way("before", ""), typical: plainTook, spread: 0.1}, route{Route: way("after", "203.0.113.9"), typical: without(changed(plainTook, segment.WaitUnattributed, 20), segment.DNS), spread: 0.1})},
		"edge":    {Result: comparedLive(t, 25, route{Route: named("near"), typical: edgeTook(5, 120), spread: 0.05}, route{Route: named("far"), typical: edgeTook(95, 30), spread: 0.05})},
		"answers": answersCase(t),
		"unlike":  {Result: unlikeCase(t)},
		"silent":  silentCase(t),
		"blocked": blockedCase(t),
		"lossy":   {Result: lossyCase(t)},
	}
	return cases
}

func livePlaces() [2][]Place {
	return [2][]Place{
		{{"accepted", "GRU", 25, 25, "cf-ray"}, {"compute", "IAD", 25, 25, "cf-placement"}, {Role: "state"}},
		{{"accepted", "GRU", 25, 25, "cf-ray"}, {"compute", "GRU", 25, 25, "cf-placement"}, {Role: "state"}},
	}
}

// coldFirst makes the first exchange pay for something behind the edge.
func coldFirst(i int, x *record.Exchange) {
	if i == 0 {
		wait, _ := x.Segments.Get(segment.Wait)
		x.Segments.Set(segment.Wait, wait+300*time.Millisecond)
	}
}

func fewCase(t *testing.T) Compare {
	t.Helper()
	c := comparedLive(t, 5, route{Route: way("before", ""), typical: took{segment.DNS: 20, segment.TCP: 190, segment.TLS: 194, segment.WaitEdgeRTT: 188, segment.WaitUnattributed: 14, segment.Transfer: 1}, spread: 0.02},
		route{Route: way("after", "edge.example.net"), typical: took{segment.DNS: 27, segment.TCP: 14, segment.TLS: 19, segment.WaitEdgeRTT: 12, segment.WaitUnattributed: 190, segment.Transfer: 1}, spread: 0.02})
	return Compare{Result: c, Short: "the 11th request was throttled for an hour (429)", Hints: []string{"10 an hour fit: --interval 6m takes 5 h for 25 pairs"}}
}

// cdnCase is two runs a week apart with a control that both measured.
func cdnCase(t *testing.T) Compare {
	t.Helper()
	control := route{Route: named("control"), typical: took{segment.TCP: 130, segment.TLS: 130, segment.WaitEdgeRTT: 130, segment.WaitUnattributed: 10, segment.Transfer: 2}, spread: 0.02}
	before := measured(t, 25, madeStart.Add(-week), route{Route: way("api.example.com", ""), typical: farTook, spread: 0.02}, control)
	after := measured(t, 25, madeStart, route{Route: way("api.example.com", "edge.example.net"), typical: cdnTook, spread: 0.02, edit: brotli}, control)
	c := ledger.Compare(ledger.Arm{Arm: before.Arms[0], Set: before}, ledger.Arm{Arm: after.Arms[0], Set: after})
	c.Control = ledger.ControlAcross(ledger.Arm{Arm: before.Arms[1], Set: before}, ledger.Arm{Arm: after.Arms[1], Set: after})
	return Compare{Result: c, Files: [2]string{"before.jsonl", "after.jsonl"}, Repeat: []string{"coldsplit again before.jsonl --save after.jsonl", "coldsplit compare before.jsonl after.jsonl -f md"}}
}

func brotli(i int, x *record.Exchange) {
	x.Bytes.Wire, x.Bytes.Encoding = 1402, "br"
	coldFirst(i, x)
}

func quicCase(t *testing.T) Compare {
	t.Helper()
	before := record.Route{Name: "h2", URL: "https://api.example.com/v1/ping", Protocol: "h2"}
	after := record.Route{Name: "h3", URL: "https://api.example.com/v1/ping", Protocol: "h3"}
	return Compare{Result: comparedLive(t, 25, route{Route: before, typical: h2Took, spread: 0.01}, route{Route: after, typical: h3Took, spread: 0.01})}
}

func edgeTook(rtt, upstream float64) took {
	return took{segment.DNS: 12, segment.TCP: rtt, segment.TLS: rtt, segment.WaitEdgeRTT: rtt, segment.WaitUpstream: upstream, segment.WaitUnattributed: 3, segment.Transfer: 2}
}

func answersCase(t *testing.T) Compare {
	t.Helper()
	home := func(_ int, x *record.Exchange) { x.Bytes.Decoded, x.BodySHA, x.Title = 51208, "77", "Example home" }
	return Compare{Result: comparedLive(t, 25, route{Route: named("blue"), typical: blueTook, spread: 0.03}, route{Route: named("green"), typical: greenTook, spread: 0.03, edit: home})}
}

// unlikeCase is two runs over different protocols and resolvers.
func unlikeCase(t *testing.T) *ledger.Comparison {
	t.Helper()
	other := func(_ int, x *record.Exchange) { x.DNS = &record.DNS{Server: "198.51.100.53"} }
	before := measured(t, 25, madeStart.Add(-3*day), route{Route: way("api", ""), typical: h2Took, spread: 0.02})
	after := measured(t, 25, madeStart, route{Route: way("api", ""), typical: h3Took, spread: 0.02, edit: other})
	return ledger.Compare(ledger.Arm{Arm: before.Arms[0], Set: before}, ledger.Arm{Arm: after.Arms[0], Set: after})
}

func failing(class record.Class, k segment.Key, text string) func(int, *record.Exchange) {
	return func(_ int, x *record.Exchange) {
		x.Outcome, x.Error = record.Failed, &record.Error{Class: class, Segment: k, Text: text}
		if class == record.ClassStatus {
			x.Status = 403
		}
	}
}

func silentCase(t *testing.T) Compare {
	t.Helper()
	c := comparedLive(t, 1, route{Route: way("before", "192.0.2.10"), typical: plainTook},
		route{Route: way("after", "edge.example.net"), typical: took{segment.TCP: 20, segment.TLS: 29}, edit: failing(record.ClassTLS, segment.TLS, "certificate is valid for *.edge.example.net")})
	in := gated(t, c, "total.p50=+10%")
	in.Trouble[1] = WrongCertificate{Address: "203.0.113.40:443", Name: "api.example.com", Presented: []string{"*.edge.example.net"},
		Reason: "name does not match", Chain: "verifies (issuer Example CA 3)", After: 29 * time.Millisecond}
	in.Hints = []string{"add api.example.com at the CDN first; -k measures anyway, marked on top"}
	return in
}

func blockedCase(t *testing.T) Compare {
	t.Helper()
	c := comparedLive(t, 3, route{Route: named("blue"), typical: plainTook, spread: 0.05}, route{Route: named("green"), typical: plainTook, edit: failing(record.ClassStatus, segment.Wait, "403")})
	in := Compare{Result: c}
	in.Trouble[1] = Blocked{Status: 403, Count: 3, Of: 3, Type: "text/html", Bytes: 4512, Title: "Access denied", After: 9 * time.Millisecond, RTT: 8 * time.Millisecond}
	return in
}

// lossyCase loses SYNs and throttles on one side.
func lossyCase(t *testing.T) *ledger.Comparison {
	t.Helper()
	lossy := func(i int, x *record.Exchange) {
		switch {
		case i == 14:
			x.TCP.TotalRetrans = 1
			x.Segments.Set(segment.TCP, 1019*time.Millisecond)
		case i%4 == 3:
			x.Outcome, x.Status = record.Throttled, 429
			x.Throttle = &record.Throttle{Reason: "429", RetryAfter: 2 * time.Second, HasRetryAfter: true}
		}
	}
	return comparedLive(t, 40, route{Route: named("blue"), typical: blueTook, spread: 0.03}, route{Route: named("green"), typical: blueTook, spread: 0.03, edit: lossy})
}
