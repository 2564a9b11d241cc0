package probe

import (
	"net/netip"
	"net/url"
	"slices"
	"testing"
)

func TestDestination(t *testing.T) {
	addr := netip.MustParseAddr
	for _, c := range []struct {
		name   string
		target Target
		host   string
		port   uint16
		pinned []netip.Addr
	}{
		{"name", Target{}, "api.test", 443, nil},
		{"name in Unicode", Target{URL: &url.URL{Scheme: "https", Host: "bücher.test"}}, "xn--bcher-kva.test", 443, nil},
		{"port", Target{URL: &url.URL{Scheme: "http", Host: "api.test:8080"}}, "api.test", 8080, nil},
		{"literal", Target{URL: &url.URL{Scheme: "http", Host: "[2001:db8::1]"}}, "2001:db8::1", 80, []netip.Addr{addr("2001:db8::1")}},
		{"via bare IPv6", Target{Via: "2001:db8::2"}, "2001:db8::2", 443, []netip.Addr{addr("2001:db8::2")}},
		{"via bracketed IPv6 with port", Target{Via: "[2001:db8::2]:8443"}, "2001:db8::2", 8443, []netip.Addr{addr("2001:db8::2")}},
		{"via name", Target{Via: "edge.test"}, "edge.test", 443, nil},
		{"via name with port", Target{Via: "edge.test:8443"}, "edge.test", 8443, nil},
		{"resolve", Target{Resolve: map[string][]netip.Addr{"api.test:443": {addr("192.0.2.7")}}}, "api.test", 443, []netip.Addr{addr("192.0.2.7")}},
		{"resolve another port", Target{Resolve: map[string][]netip.Addr{"api.test:80": {addr("192.0.2.7")}}}, "api.test", 443, nil},
		{"connect-to host and port", Target{ConnectTo: map[string]string{"api.test:443": "edge.test:8443"}}, "edge.test", 8443, nil},
		{"connect-to any port, same port", Target{ConnectTo: map[string]string{"api.test:": "edge.test:"}}, "edge.test", 443, nil},
		{"connect-to another host", Target{ConnectTo: map[string]string{"shop.test:443": "edge.test:"}}, "api.test", 443, nil},
		{"connect-to IPv6", Target{ConnectTo: map[string]string{":443": "[2001:db8::3]:"}}, "2001:db8::3", 443, []netip.Addr{addr("2001:db8::3")}},
		{"connect-to, then resolve", Target{
			ConnectTo: map[string]string{":": "edge.test:"}, Resolve: map[string][]netip.Addr{"edge.test:443": {addr("192.0.2.9")}},
		}, "edge.test", 443, []netip.Addr{addr("192.0.2.9")}},
		{"proxy", Target{Proxy: &url.URL{Scheme: "socks5", Host: "proxy.test"}}, "proxy.test", 1080, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.target.URL == nil {
				c.target.URL = &url.URL{Scheme: "https", Host: "api.test"}
			}
			got, err := c.target.destination()
			if err != nil || got.host != c.host || got.port != c.port || !slices.Equal(got.pinned, c.pinned) {
				t.Errorf("%+v, %v, want %s %d %v", got, err, c.host, c.port, c.pinned)
			}
		})
	}
}

func TestAttemptOrderTakesFamiliesInTurn(t *testing.T) {
	var addrs []netip.Addr
	for _, a := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1"} {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	var got []string
	for _, a := range attemptOrder(addrs, 443) {
		got = append(got, a.Addr().String())
	}
	want := []string{"2001:db8::1", "192.0.2.1", "2001:db8::2", "2001:db8::3"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(attemptOrder(slices.Repeat(addrs, 10), 443)); n != maxAttempts {
		t.Errorf("%d attempts of 40 addresses, want %d", n, maxAttempts)
	}
}

func FuzzInitialToken(f *testing.F) {
	f.Add([]byte{0xc0, 0, 0, 0, 1, 0, 0, 0})
	f.Add([]byte{0xc0, 0, 0, 0, 1, 1, 9, 1, 9, 3, 1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) { initialToken(b) })
}

func TestInitialToken(t *testing.T) {
	for name, c := range map[string]struct {
		datagram []byte
		want     bool
	}{
		"none":          {[]byte{0xc0, 0, 0, 0, 1, 2, 7, 7, 1, 8, 0, 9}, false},
		"some":          {[]byte{0xc0, 0, 0, 0, 1, 2, 7, 7, 1, 8, 3, 9, 9, 9}, true},
		"two-byte size": {[]byte{0xc0, 0, 0, 0, 1, 0, 0, 0x40, 0x50}, true},
		"handshake":     {[]byte{0xe0, 0, 0, 0, 1, 2, 7, 7, 1, 8, 3, 9, 9, 9}, false},
		"short header":  {[]byte{0x40, 1, 2, 3, 4, 5, 6, 7}, false},
		"cut":           {[]byte{0xc0, 0, 0, 0, 1, 20}, false},
	} {
		if got := initialToken(c.datagram); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
