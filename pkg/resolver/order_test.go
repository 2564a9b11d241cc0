package resolver_test

import (
	"net/netip"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// routes is a network that knows from where an address is reached.
type routes struct {
	*memory
	sources map[string]string
}

func (r routes) Source(addr netip.Addr) (netip.Addr, bool) {
	from, err := netip.ParseAddr(r.sources[addr.String()])
	return from, err == nil
}

// The cases of RFC 6724 section 10.2 that the rules kept here decide.
func TestOrderOfAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		records []string
		sources map[string]string
		want    []string
	}{
		"both families routable": {
			[]string{"api.example.com. 60 A 198.51.100.121", "api.example.com. 60 AAAA 2001:db8:1::1"},
			map[string]string{"198.51.100.121": "198.51.100.117", "2001:db8:1::1": "2001:db8:1::2"},
			[]string{"2001:db8:1::1", "198.51.100.121"},
		},
		"no route for IPv6": {
			[]string{"api.example.com. 60 A 198.51.100.121", "api.example.com. 60 AAAA 2001:db8:1::1"},
			map[string]string{"198.51.100.121": "198.51.100.117"},
			[]string{"198.51.100.121", "2001:db8:1::1"},
		},
		"IPv6 source of smaller scope": {
			[]string{"api.example.com. 60 A 198.51.100.121", "api.example.com. 60 AAAA 2001:db8:1::1"},
			map[string]string{"198.51.100.121": "198.51.100.117", "2001:db8:1::1": "fe80::1"},
			[]string{"198.51.100.121", "2001:db8:1::1"},
		},
		"IPv6 source of another label": {
			[]string{"api.example.com. 60 A 198.51.100.121", "api.example.com. 60 AAAA 2001:db8:1::1"},
			map[string]string{"198.51.100.121": "198.51.100.117", "2001:db8:1::1": "fd00::1"},
			[]string{"198.51.100.121", "2001:db8:1::1"},
		},
		"a native address before a transition one": {
			[]string{"api.example.com. 60 AAAA 2002:c633:6401::1", "api.example.com. 60 AAAA 2001:db8:1::1"},
			map[string]string{"2002:c633:6401::1": "2002:c633:6401::2", "2001:db8:1::1": "2001:db8:1::2"},
			[]string{"2001:db8:1::1", "2002:c633:6401::1"},
		},
		"the server's order otherwise": {
			[]string{"api.example.com. 60 A 192.0.2.9", "api.example.com. 60 A 192.0.2.1", "api.example.com. 60 A 192.0.2.5"},
			map[string]string{"192.0.2.9": "192.0.2.2", "192.0.2.1": "192.0.2.2", "192.0.2.5": "192.0.2.2"},
			[]string{"192.0.2.9", "192.0.2.1", "192.0.2.5"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := routes{&memory{servers: map[string]script{"udp 192.0.2.53:53": at(0, zone(t, c.records...))}}, c.sources}
			got, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, 0)
			if err != nil {
				t.Fatal(err)
			}
			checkAddrs(t, got, c.want...)
		})
	}
}

func TestSystemNetworkIsAskedForRoutesWithoutSending(t *testing.T) {
	n := &memory{servers: map[string]script{
		"udp 192.0.2.53:53": at(0, zone(t, "api.example.com. 60 A 192.0.2.10", "api.example.com. 60 AAAA 2001:db8::10")),
		"udp 192.0.2.10:53": silence,
	}}
	got, err := resolver.Spec.Lookup(parse(t, "udp://192.0.2.53"), t.Context(), n, host, 0)
	if err != nil {
		t.Fatal(err)
	}
	checkAddrs(t, got, "192.0.2.10", "2001:db8::10")
}
