package report

import (
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

const ms = time.Millisecond

// quantile makes a percentile of n; limits are in milliseconds, none when hi is 0.
func quantile(value float64, p stats.Percentile, n int, lo, hi, level float64) stats.PercentileInterval {
	q := stats.PercentileInterval{Quantile: stats.Quantile{Value: int64(value * 1e6), Rank: p.Rank(n), N: n}}
	if hi > 0 {
		q.Interval = stats.Interval{Lo: int64(lo * 1e6), Hi: int64(hi * 1e6), HasLo: true, HasHi: true, Confidence: level}
	}
	return q
}

// figure makes a row of milliseconds: at p50, p10, p50, p90, p99.
func figure(k segment.Key, n int, values ...float64) Figure {
	return Figure{
		Key: k, N: n, AtP50: time.Duration(values[0] * 1e6), HasAtP50: true,
		P10: quantile(values[1], stats.P10, n, 0, 0, 0), P50: quantile(values[2], stats.P50, n, 0, 0, 0),
		P90: quantile(values[3], stats.P90, n, 0, 0, 0), P99: quantile(values[4], stats.P99, n, 0, 0, 0),
	}
}

// once makes the row of a single exchange.
func once(k segment.Key, value float64) Figure {
	return figure(k, 1, value, value, value, value, value)
}

func withLimits(f Figure, lo, hi, level float64) Figure {
	f.P50.Interval = quantile(0, stats.P50, f.N, lo, hi, level).Interval
	return f
}

const source = "smallest round trip of the connection, from the kernel, not reported"

var runFacts = RunFacts{
	Started:  time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC),
	Ended:    time.Date(2026, 11, 30, 1, 2, 16, 0, time.UTC),
	Interval: 200 * ms, Resolver: "192.0.2.53", Tool: "coldsplit 0.1.0",
}

func greenArm() Arm {
	return Arm{
		Name: "green", Host: "green.example.com", URL: "https://green.example.com/translate", Protocol: "h2", State: "cold",
		Counts: record.Counts{Asked: 25, OK: 25},
		Figures: []Figure{
			figure(segment.DNS, 25, 3.2, 2, 3, 5, 6), figure(segment.TCP, 25, 6.7, 6, 7, 7, 1019),
			figure(segment.TLS, 25, 14.2, 13, 14, 15, 16), figure(segment.Send, 25, 0.1, 0.1, 0.1, 0.2, 0.4),
			figure(segment.Wait, 25, 238.7, 231, 239, 246, 623), figure(segment.WaitEdgeRTT, 25, 6.1, 6, 6, 6, 6),
			figure(segment.WaitPreForward, 25, 126.6, 124, 126, 132, 512), figure(segment.WaitUpstream, 25, 101.7, 97, 102, 108, 161),
			figure(segment.WaitUpstreamNetwork, 25, 5.1, 5, 5, 6, 6), figure(segment.WaitUpstreamOrigin, 25, 96.6, 92, 96, 102, 156),
			figure(segment.WaitUnattributed, 25, 4.3, 3, 4, 5, 6), figure(segment.Transfer, 25, 2.1, 2, 2, 3, 4),
			withLimits(figure(segment.Total, 25, 265, 257, 265, 324, 1282), 264, 269, .95),
			figure(segment.Setup, 25, 20.9, 19, 21, 22, 1033), figure(segment.TTFB, 25, 262.9, 255, 263, 322, 1280),
		},
		First: &First{1, 651 * ms},
		Slow: []Slow{
			{1, 651 * ms, segment.WaitPreForward, 512 * ms, "First request of the run: something behind the edge was not warm. A real first visitor may get this one."},
			{14, 1282 * ms, segment.TCP, 1019 * ms, "One SYN was lost and sent again after 1 s."},
		},
		Places: []Place{
			{"accepted", "GRU", 25, 25, "cf-ray; edge_rtt 6 ms puts it within 620 km"},
			{"compute", "GRU", 25, 25, "cf-placement"},
			{"state", "", 0, 0, "nothing reports it"},
		},
		RTTSource: source,
		Answer:    Answer{TLS: "1.3", Remotes: []string{"203.0.113.40:443"}, Status: 200, Decoded: 4310, Wire: 1790, Encoding: "br"},
	}
}

func greenOnce() Arm {
	a := greenArm()
	a.Counts = record.Counts{Asked: 1, OK: 1}
	a.Figures = []Figure{
		once(segment.DNS, 3), once(segment.TCP, 7), once(segment.TLS, 14), once(segment.Send, .1), once(segment.Wait, 238.9),
		once(segment.WaitEdgeRTT, 6), once(segment.WaitPreForward, 127), once(segment.WaitUpstream, 102),
		once(segment.WaitUnattributed, 3.9), once(segment.Transfer, 2), once(segment.Total, 265),
	}
	a.Slow, a.First = nil, nil
	return a
}

func throttledArm() Arm {
	return Arm{
		Name: "api", Host: "api.example.com", Protocol: "h2", State: "cold",
		Counts: record.Counts{Asked: 25, OK: 19, Throttled: 3, NotSent: 3},
		Figures: []Figure{
			figure(segment.DNS, 19, 14, 8, 13, 22, 24), figure(segment.TCP, 19, 38, 35, 38, 39, 39),
			figure(segment.TLS, 19, 43, 41, 44, 47, 48), figure(segment.Send, 19, 0, 0, 0, 0, 0),
			figure(segment.Wait, 19, 210, 186, 208, 227, 232), figure(segment.WaitEdgeRTT, 19, 37, 37, 37, 38, 38),
			figure(segment.WaitUnattributed, 19, 173, 149, 171, 189, 195), figure(segment.Transfer, 19, 6, 5, 6, 8, 8),
			withLimits(figure(segment.Total, 19, 311, 287, 311, 328, 331), 298, 317, .95),
			figure(segment.Setup, 19, 81, 76, 82, 85, 87), figure(segment.TTFB, 19, 305, 281, 305, 322, 326),
		},
		Throttling: &Throttling{
			Seqs: []int{12, 17, 22}, Status: 429, RetryAfter: 20 * time.Second, HasRetryAfter: true,
			Wait: 41 * ms, HasWait: true, Pauses: []Pause{{12, 20 * time.Second}, {17, 20 * time.Second}},
			Stopped: "stopped at the third",
		},
	}
}

func protocolArm(protocol string, figures ...Figure) Arm {
	return Arm{
		Name: protocol, Host: "api.example.com", Protocol: protocol, State: "cold", Figures: figures,
		Counts: record.Counts{Asked: 25, OK: 25},
		Answer: Answer{TLS: "1.3", Remotes: []string{"203.0.113.40:443"}, Status: 200, Decoded: 1204},
	}
}

func h2Arm() Arm {
	return protocolArm("h2",
		figure(segment.DNS, 25, 12, 9, 12, 20, 31), figure(segment.TCP, 25, 187, 186, 187, 190, 194),
		figure(segment.TLS, 25, 190, 188, 190, 199, 204), figure(segment.Send, 25, 0, 0, 0, 0, 1),
		figure(segment.Wait, 25, 203, 199, 203, 215, 260), figure(segment.Transfer, 25, 1, 0, 1, 1, 2),
		withLimits(figure(segment.Total, 25, 593, 588, 593, 612, 660), 590, 598, .95),
		figure(segment.Setup, 25, 377, 375, 377, 387, 396), figure(segment.TTFB, 25, 592, 587, 592, 611, 659))
}

func h3Arm() Arm {
	return protocolArm("h3",
		figure(segment.DNS, 25, 12, 9, 12, 20, 31), figure(segment.QUIC, 25, 192, 190, 192, 196, 201),
		figure(segment.Send, 25, 0, 0, 0, 0, 1), figure(segment.Wait, 25, 204, 199, 204, 215, 260),
		figure(segment.Transfer, 25, 1, 0, 1, 1, 2),
		withLimits(figure(segment.Total, 25, 409, 402, 409, 431, 480), 406, 415, .95),
		figure(segment.Setup, 25, 192, 190, 192, 196, 201), figure(segment.TTFB, 25, 408, 401, 408, 430, 479))
}

func failedArm(host string, trouble Trouble) Arm {
	return Arm{Name: host, Host: host, Protocol: "h2", State: "cold", Trouble: trouble,
		Counts: record.Counts{Asked: 25, Failed: 3, NotSent: 22}}
}

func oneArmRun(a Arm, run RunFacts, hints ...string) Probe {
	return Probe{Arms: []Arm{a}, Run: run, Hints: hints}
}

func failedRun(a Arm, run RunFacts, hints ...string) Probe {
	run.Stopped = &Stopped{After: 3, Asked: 25}
	return oneArmRun(a, run, hints...)
}

func smallArm() Arm {
	a := protocolArm("h2",
		figure(segment.DNS, 5, 20, 18, 20, 24, 24), figure(segment.TCP, 5, 190, 188, 190, 195, 195),
		figure(segment.TLS, 5, 194, 191, 194, 196, 196), figure(segment.Send, 5, 0, 0, 0, 0, 0),
		figure(segment.Wait, 5, 202, 200, 202, 206, 206), figure(segment.Transfer, 5, 1, 1, 1, 1, 1),
		withLimits(figure(segment.Total, 5, 607, 600, 607, 612, 612), 600, 612, .9375),
		figure(segment.Setup, 5, 384, 380, 384, 390, 390), figure(segment.TTFB, 5, 606, 599, 606, 611, 611))
	a.Counts = record.Counts{Asked: 5, OK: 5}
	return a
}

func fastArm() Arm {
	a := protocolArm("h2",
		figure(segment.TCP, 25, .31, .2, .3, .4, 1.1), figure(segment.TLS, 25, 2.34, 2.1, 2.3, 2.9, 9.4),
		figure(segment.Send, 25, .04, .03, .04, .06, .2), figure(segment.Wait, 25, 42.46, 41, 42.4, 45.2, 71.9),
		figure(segment.Transfer, 25, .15, .1, .1, .2, .3), figure(segment.Race, 3, 0, 250, 250, 251, 251),
		withLimits(figure(segment.Total, 25, 45.3, 43.9, 45.3, 48.8, 83), 44.8, 46, .95),
		figure(segment.Setup, 25, 2.65, 2.4, 2.7, 3.2, 9.8), figure(segment.TTFB, 25, 45.15, 43.8, 45.2, 48.7, 82.8))
	a.Figures[5].HasAtP50 = true
	return a
}

func mixedArm() Arm {
	a := greenArm()
	a.Counts = record.Counts{Asked: 29, OK: 25, Throttled: 1, Failed: 2, Invalid: 1}
	a.Throttling = &Throttling{Seqs: []int{7}, Status: 503, RetryAfter: 5 * time.Second, HasRetryAfter: true, Reason: "busy",
		Pauses: []Pause{{7, 5 * time.Second}}}
	a.Failures = []Failure{{segment.TCP, record.ClassTimeout, 2, []int{9, 21}, "no reply to any SYN"}}
	a.Invalid = []Failure{{Count: 1, Seqs: []int{3}, Text: "not cold: connection reused"}}
	a.Notes = []string{"process not prewarmed: the first exchange paid for loading the roots"}
	return a
}

func invalidArm() Arm {
	a := failedArm("api.example.com", nil)
	a.Counts = record.Counts{Asked: 3, Invalid: 3}
	a.Invalid = []Failure{
		{Count: 2, Seqs: []int{1, 3}, Text: "not cold: TLS session resumed"},
		{Count: 1, Seqs: []int{2}, Text: "wrong protocol: http/1.1 agreed, h2 asked"},
	}
	return a
}

const esc = "\x1b[31mred\x1b[0m \u202egpj.exe | <b> `x` *y* =1+1\r\n"

func hostileArm() Arm {
	a := greenArm()
	a.Name, a.Host = "=cmd|' /C calc'!A0", "xn--e1afmkfd.example"
	a.Slow[0].Cause = esc + strings.Repeat("A", 70_000)
	a.Places = []Place{{"accepted", esc, 25, 25, strings.Repeat("\u202e<|`", 30_000)}}
	a.Notes = []string{esc}
	a.Failures = []Failure{{segment.Wait, "status", 1, []int{4}, esc}}
	a.Counts.Asked, a.Counts.Failed = 26, 1
	return a
}

// probeCases are the situations whose reports are kept as golden files.
func probeCases() map[string]Probe {
	pinned := RunFacts{AddressFrom: "--via"}
	withFrom := func(p Probe, from string) Probe { p.From = from; return p }
	cases := map[string]Probe{
		"probe":       withFrom(oneArmRun(greenArm(), runFacts), "sao-paulo"),
		"probe-once":  oneArmRun(greenOnce(), runFacts),
		"probe-mixed": oneArmRun(mixedArm(), runFacts),
		"probe-small": withFrom(oneArmRun(smallArm(), runFacts), "jakarta"),
		"probe-fast":  oneArmRun(fastArm(), runFacts),
		"probe-protocols": withFrom(Probe{Arms: []Arm{h2Arm(), h3Arm()}, Run: runFacts,
			Repeat: []string{"coldsplit probe https://api.example.com/v1/ping --http 2 --http 3"}}, "jakarta"),
		"probe-throttled": withFrom(oneArmRun(throttledArm(), RunFacts{},
			"4 requests seem to fit into 20 s here: --interval 5s"), "frankfurt"),
		"probe-silent": failedRun(failedArm("api.example.com", NoAnswer{Address: "192.0.2.10:443", Segment: segment.TCP, Count: 3, Of: 3, Each: 10 * time.Second, SYNs: 7}), pinned,
			"a filter usually stays silent like this; a host without the service resets"),
		"probe-refused": failedRun(failedArm("api.example.com", Refused{Address: "192.0.2.10:443", Count: 3, Of: 3, After: 187 * ms, Lo: 186 * ms, Hi: 188 * ms}), pinned),
		"probe-blocked": failedRun(failedArm("shop.example.com", Blocked{403, 3, 3, "text/html", 4512, "Access denied", 9 * ms, 8 * ms,
			[]string{"cf-mitigated: challenge"}, "no upstream time, no cache status", "coldsplit/0.1.0"}), RunFacts{},
			"allow this agent from your address, or send what visitors send, with -A",
			"if 403 is the very answer you want to time: --ok 403"),
		"probe-impostor": oneArmRun(failedArm("api.example.com", Impostor{"api.example.com", "192.0.2.1", "192.0.2.53",
			"q7zk2.invalid", "192.0.2.1", "login.portal.example.net", true}),
			RunFacts{Sent: "1 request and 1 look-up of a reserved name"},
			"log in to the network, or try --resolver tls://203.0.113.53"),
		"probe-certificate": oneArmRun(failedArm("api.example.com", WrongCertificate{"203.0.113.40:443", "api.example.com",
			[]string{"*.edge.example.net"}, "name does not match", false, "verifies (issuer Example CA 3)", 29 * ms}),
			RunFacts{Sent: "1 request"}, "-k measures anyway, marked on top"),
		"probe-noquic":  failedRun(failedArm("api.example.com", NoQUIC{"192.0.2.10:443", 3, 3, 10 * time.Second, true}), RunFacts{}),
		"probe-invalid": oneArmRun(invalidArm(), runFacts),
		"probe-none":    oneArmRun(Arm{Name: "a", Host: "api.example.com", Counts: record.Counts{Asked: 25, NotSent: 25}}, runFacts),
		"probe-hostile": oneArmRun(hostileArm(), runFacts),
	}
	silent := failedArm("api.example.com", NoQUIC{"203.0.113.40:443", 3, 3, 10 * time.Second, true})
	silent.Name, silent.Protocol = "h3", "h3"
	silent.Failures = []Failure{{segment.QUIC, record.ClassTimeout, 3, []int{2, 4, 6}, "no reply"}}
	cases["probe-onesilent"] = Probe{Arms: []Arm{h2Arm(), silent}, Run: runFacts}
	cut := oneArmRun(greenArm(), runFacts)
	cut.Command, cut.Run.CutOff = "report", 25
	cut.Warnings = []string{Inspected("green.example.com", "Example Corp Proxy CA")}
	cases["report-cutoff"] = cut
	hop0, hop1 := h2Arm(), h2Arm()
	hop0.Name, hop0.Host, hop1.Name, hop1.Hop = "hop 0", "example.com", "hop 1", 1
	chain := Probe{Arms: []Arm{hop0, hop1}, Run: runFacts,
		Chain: &Chain{2, quantile(1190, stats.P50, 25, 1182, 1203, .95)}}
	chain.Run.Rehearsed = true
	cases["probe-chain"] = chain
	return cases
}
