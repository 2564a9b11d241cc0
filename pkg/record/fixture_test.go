package record_test

import (
	"encoding/json"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const ms = time.Millisecond

var started = time.Date(2026, 11, 30, 1, 2, 3, 4_000_000, time.UTC)

func fullRun() record.Run {
	return record.Run{
		ID: "r1", Tool: "coldsplit 0.1.0 go1.26.8 linux/amd64", Started: started,
		Vantage:  record.Vantage{From: "sydney", Lat: -33.87, Lon: 151.2, Located: true, OS: "linux", CPUs: 2, TimerTick: 40},
		Resolver: "system", Order: "random-pairs", Seed: 1<<64 - 1, Interval: 200 * ms, Timeout: 10 * time.Second,
		Prewarm: &record.Prewarm{Roots: 3 * ms, Resolver: 20, Protocols: 9 * ms},
		Plan:    json.RawMessage(`{"n":25,"headers":[{"name":"accept"}]}`),
		Routes: []record.Route{
			{Name: "before", URL: "https://api.example.com/v1/ping", Method: "GET", Protocol: "h2", Via: "203.0.113.9", State: "cold", Role: "before"},
			{Name: "after", URL: "https://api.example.com/v1/ping", Method: "GET", Protocol: "auto", Proxy: "http://proxy.example:3128", State: "cold", Role: "after", Family: 6, Resolver: "tls://192.0.2.53", Hop: 1},
		},
		Notes: []string{"environment proxy ignored"}, Rehearsed: true, Projected: true,
	}
}

// split returns the segments of a 469 ms exchange.
func split() (s segment.Split) {
	for k, d := range map[segment.Key]time.Duration{
		segment.DNS: 12 * ms, segment.TCP: 37 * ms, segment.TLS: 83 * ms,
		segment.Send: 150_000, segment.Wait: 297 * ms, segment.Transfer: 39_850_000,
	} {
		s.Set(k, d)
	}
	return s
}

// fullExchange has every field set to something that is not zero.
func fullExchange() record.Exchange {
	return record.Exchange{
		Route: "before", Seq: 3, Pair: 1, Started: started.Add(123456), State: "cold",
		Outcome: record.Throttled, Status: 429, Protocol: "h2", Remote: "203.0.113.9:443",
		Total: 469 * ms, Clock: "user", Segments: split(),
		First: true, Family: 4, Hop: 1, Prime: true,
		DNS:      &record.DNS{Name: "edge.example.net", Server: "192.0.2.53:53", A: 11 * ms, HasA: true, AAAA: 12 * ms, HasAAAA: true, TTL: time.Minute, HasTTL: true, CNAME: []string{"edge.example.net"}, Addrs: []string{"203.0.113.9"}, HTTPS: "h3,h2"},
		Attempts: []record.Attempt{{Addr: "[2001:db8::9]:443", Start: 12 * ms, End: 49 * ms, Err: "canceled"}, {Addr: "203.0.113.9:443", Start: 12 * ms, End: 49 * ms}},
		TLS:      fullTLS("api.example.com"), ProxyTLS: fullTLS("proxy.example"),
		TCP:     &record.TCP{ConnectRTT: 36 * ms, MinRTT: 35 * ms, TotalRetrans: 1},
		QUIC:    &record.QUIC{MinRTT: 35 * ms, Lost: 2, PTO: 1, Retry: true, VN: true, Stall: true, Used0RTT: true},
		Interim: []record.Interim{{Status: 103, At: 200 * ms}},

		SchedLag: 90_000, HasLag: true, SetupCPU: 2 * ms, Intended: -3 * ms, StartSkew: 700,
		Stream:   &record.Stream{FirstEvent: 430 * ms, FirstText: 440 * ms, LastEvent: 469 * ms, Events: 9, Texts: 7, HasText: true, GapP50: 1 * ms, GapP99: 4 * ms, Stall: 5 * ms, Done: true},
		Throttle: &record.Throttle{Reason: "bench_full", RetryAfter: 2 * time.Second, HasRetryAfter: true, Limit: "ratelimit-remaining: 0"},
		Stage:    2, HasStage: true, Instance: "m-a1", Template: "chat",

		Bytes: record.Bytes{Wire: 1000, Decoded: 3000, Sent: 10, Encoding: "br", Capped: true}, BodySHA: "ab12", Title: "Access denied",
		Headers:  record.Fields{"server-timing": {"cfEdge;dur=9", `x;desc="a\"b"`}, "cf-ray": {"8f0123456789abcd-NRT"}},
		Trailers: record.Fields{"server-timing": {"db;dur=3"}},
		Notes:    []string{"this machine was busy", "\x1b[31m \u202e \xff é \U0001F600"},
		Error:    &record.Error{Class: record.ClassStatus, Segment: segment.Wait, Text: "status 429"},
	}
}

func fullTLS(name string) *record.TLS {
	return &record.TLS{Version: "1.3", Cipher: "TLS_AES_128_GCM_SHA256", Group: "X25519MLKEM768", HRR: true, Resumed: true, ALPN: "h2",
		Issuer: "Example CA 3", Subject: name, Names: []string{name, "*." + name}, CertSHA: "cd34",
		NotAfter: time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC), ChainBytes: 4100, Verify: 400_000, ServerName: name, Verified: true}
}
