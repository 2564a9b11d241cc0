package provider

import (
	"fmt"
	"testing"
)

// ordinary are responses as most are: a few fields with rules, more without.
func ordinary() map[string]map[string][]string {
	return map[string]map[string][]string{
		"measured": {
			"content-type": {"application/json"}, "server-timing": {"cfEdge;dur=9.123,cfOrigin;dur=180.456"},
			"cf-ray": {"8f0123456789abcd-SYD"},
		},
		"two edges": {
			"date": {"Mon, 30 Nov 2026 01:02:03 GMT"}, "content-type": {"application/json"}, "content-length": {"1204"},
			"server": {"cloudflare"}, "cf-ray": {"8f0123456789abcd-SYD"}, "cf-cache-status": {"DYNAMIC"}, "via": {"2 fly.io"},
			"fly-request-id":            {"01JDXQ2V9S0V6J0T1V5K8ZC4WP-syd"},
			"server-timing":             {`cfEdge;dur=9.123,cfOrigin;dur=180.456`, `cfL4;desc="?proto=TCP&rtt=9580&min_rtt=9311"`},
			"strict-transport-security": {"max-age=31536000"}, "vary": {"accept-encoding"}, "x-frame-options": {"DENY"},
		},
		"an application": {
			"date": {"Mon, 30 Nov 2026 01:02:03 GMT"}, "content-type": {"text/html"}, "server": {"nginx"},
			"x-runtime": {"0.123456"}, "x-response-time": {"12.4ms"}, "x-request-id": {"6f8e"}, "server-timing": {"db;dur=12.5, total;dur=40.25"},
		},
		"nobody": {"date": {"Mon, 30 Nov 2026 01:02:03 GMT"}, "content-type": {"text/plain"}, "content-length": {"5"}},
	}
}

func BenchmarkReadOrdinary(b *testing.B) {
	for name, headers := range ordinary() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(headers, nil)
			}
		})
	}
}

// BenchmarkReadMapped reads what a user mapped and nothing of the providers'.
func BenchmarkReadMapped(b *testing.B) {
	m, err := ParseMapping([]string{"pre_forward=cfEdge", "upstream=cfOrigin"}, []string{"compute=header:fly-request-id"})
	if err != nil {
		b.Fatal(err)
	}
	headers := ordinary()["two edges"]
	b.ReportAllocs()
	for b.Loop() {
		m.Read(headers, nil)
	}
}

// BenchmarkReadLong reads a response with more of everything than anybody sends.
func BenchmarkReadLong(b *testing.B) {
	headers := map[string][]string{"server": {"cloudflare"}}
	for i := range 100 {
		headers["server-timing"] = append(headers["server-timing"], fmt.Sprintf("cfOrigin;dur=%d.5, m%d;dur=1", i, i))
		headers["x-served-by"] = append(headers["x-served-by"], fmt.Sprintf("cache-fra%d-FRA", i))
	}
	b.ReportAllocs()
	for b.Loop() {
		Read(headers, nil)
	}
}
