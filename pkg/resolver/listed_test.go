package resolver_test

import (
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// listedHost is in nearly every machine's hosts file.
const listedHost = "localhost"

func needListed(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile("/etc/hosts")
	if err != nil || !slices.Contains(strings.Fields(string(text)), listedHost) {
		t.Skipf("%s is not in this machine's hosts file (%v)", listedHost, err)
	}
}

func prepared(t *testing.T, n resolver.Network, hosts ...string) resolver.Spec {
	t.Helper()
	spec, err := resolver.Spec{}.Prepare(t.Context(), n, hosts...)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestOnlyNamesOfTheMachinesFilesAreListed(t *testing.T) {
	needListed(t)
	for _, host := range []string{"not-listed.invalid", "192.0.2.1.invalid"} {
		if prepared(t, loopback{}, host, listedHost).Lists(host) {
			t.Errorf("%s is listed", host)
		}
	}
	if !prepared(t, loopback{}, "not-listed.invalid", listedHost).Lists(listedHost) {
		t.Errorf("%s is not listed", listedHost)
	}
}

// A network of its own has names of its own: the lab's localhost is not this machine's.
func TestANetworkWithServersOfItsOwnIsNotAnsweredFromTheMachinesFiles(t *testing.T) {
	own := loopback{resolvers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.53:53")}}
	if prepared(t, own, listedHost).Lists(listedHost) {
		t.Errorf("%s is listed", listedHost)
	}
}

func TestAListedHostIsAnsweredAsWithoutPreparation(t *testing.T) {
	needListed(t)
	for _, family := range []int{0, 4, 6} {
		want, wantErr := resolver.Spec{}.Lookup(t.Context(), loopback{}, listedHost, family)
		got, err := prepared(t, loopback{}, listedHost).Lookup(t.Context(), loopback{}, listedHost, family)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("family %d: error %v, want %v", family, err, wantErr)
		}
		if !slices.Equal(got.Addrs, want.Addrs) || got.Server != want.Server || got.HasA != want.HasA || got.HasAAAA != want.HasAAAA {
			t.Errorf("family %d: got %+v, want %+v", family, got, want)
		}
	}
}

// A burst's look-ups of a host in the hosts file took milliseconds: one family's question was put by a
// goroutine that had its turn after all the other starts.
func TestALookUpOfAListedHostWaitsForNoOtherGoroutine(t *testing.T) {
	needListed(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	spec := prepared(t, loopback{}, listedHost)
	for range 5 {
		var others atomic.Bool
		go others.Store(true)
		got, err := spec.Lookup(t.Context(), loopback{}, listedHost, 0)
		if err != nil || got.A != got.AAAA {
			t.Fatalf("A %s, AAAA %s, error %v, want one look for both", got.A, got.AAAA, err)
		}
		if !others.Load() {
			return
		}
	}
	t.Error("another goroutine had its turn within every one of five look-ups")
}
