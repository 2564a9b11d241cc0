package resolver_test

import (
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

func TestParseSpecReadsEveryWay(t *testing.T) {
	for in, want := range map[string]string{
		"system":                               "system",
		"udp://192.0.2.53":                     "udp://192.0.2.53",
		"udp://192.0.2.53:53":                  "udp://192.0.2.53",
		"udp://192.0.2.53:5353/":               "udp://192.0.2.53:5353",
		"udp://[2001:db8::53]:53":              "udp://[2001:db8::53]",
		"udp://2001:db8::53":                   "udp://[2001:db8::53]",
		"tcp://192.0.2.53":                     "tcp://192.0.2.53",
		"tls://dns.example.net":                "tls://dns.example.net",
		"tls://dns.example.net:8853":           "tls://dns.example.net:8853",
		"tls://203.0.113.53":                   "tls://203.0.113.53",
		"https://dns.example.net":              "https://dns.example.net/dns-query",
		"https://dns.example.net/":             "https://dns.example.net/dns-query",
		"https://dns.example.net/q?token=a":    "https://dns.example.net/q?token=a",
		"https://dns.example.net/query{?dns}":  "https://dns.example.net/query",
		"https://[2001:db8::53]:8443/resolve":  "https://[2001:db8::53]:8443/resolve",
		"https://192.0.2.53:443/dns-query":     "https://192.0.2.53/dns-query",
		"https://dns.example.net:80/dns-query": "https://dns.example.net:80/dns-query",
	} {
		spec, err := resolver.ParseSpec(in)
		if err != nil {
			t.Errorf("ParseSpec(%q): %v", in, err)
			continue
		}
		if got := spec.String(); got != want {
			t.Errorf("ParseSpec(%q) = %s, want %s", in, got, want)
		}
		if again, err := resolver.ParseSpec(spec.String()); err != nil || again.String() != want {
			t.Errorf("ParseSpec(%q) does not read back: %v, %v", want, again, err)
		}
	}
}

func TestParseSpecRefusesInOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "want system, udp://IP",
		"192.0.2.53":                    "want system, udp://IP",
		"quic://192.0.2.53":             `unknown scheme "quic"`,
		"udp://dns.example.net":         `udp takes an IP address, not the name "dns.example.net"`,
		"tcp://dns.example.net":         "tcp takes an IP address",
		"udp://192.0.2.53:0":            `port "0" is not between 1 and 65535`,
		"udp://192.0.2.53:70000":        `port "70000" is not between 1 and 65535`,
		"udp://192.0.2.53/dns-query":    "udp takes a host and a port only",
		"tls://user@dns.example.net":    "tls takes a host and a port only",
		"tls://":                        "no host",
		"tls://a b":                     "neither a name nor an address",
		"https://":                      "no host",
		"https://user:pw@dns.example/q": "takes no credentials",
		"https://dns.example/q#frag":    "no fragment",
		"https://dns.example:x/q":       "not a URL",
	} {
		_, err := resolver.ParseSpec(in)
		if err == nil {
			t.Errorf("ParseSpec(%q) took it", in)
			continue
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseSpec(%q): %q, want one line with %q", in, err, want)
		}
	}
}
