package resolver_test

import (
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

// listedHost is in nearly every machine's hosts file; where it is not, the tests below say so.
const listedHost = "localhost"

func prepared(t *testing.T, host string) resolver.Spec {
	t.Helper()
	spec, err := resolver.Spec{}.Prepare(t.Context(), loopback{}, host)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestAListedHostIsAnsweredAsWithoutPreparation(t *testing.T) {
	for _, family := range []int{0, 4, 6} {
		want, wantErr := resolver.Spec{}.Lookup(t.Context(), loopback{}, listedHost, family)
		got, err := prepared(t, listedHost).Lookup(t.Context(), loopback{}, listedHost, family)
		if kindOf(err) != kindOf(wantErr) {
			t.Errorf("family %d: error %v, want %v", family, err, wantErr)
		}
		if !slices.Equal(got.Addrs, want.Addrs) || got.Server != want.Server || got.HasA != want.HasA || got.HasAAAA != want.HasAAAA {
			t.Errorf("family %d: got %+v, want %+v", family, got, want)
		}
	}
}

func kindOf(err error) resolver.Kind {
	var e *resolver.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// A burst's look-ups of a host in the hosts file took milliseconds: one family's question was put by a
// goroutine that had its turn after all the other starts.
func TestALookUpOfAListedHostWaitsForNoOtherGoroutine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	spec := prepared(t, listedHost)
	if got, err := spec.Lookup(t.Context(), loopback{}, listedHost, 0); err != nil || got.A != got.AAAA {
		t.Skipf("%s is not in this machine's hosts file: %v", listedHost, err)
	}
	for range 5 {
		var others atomic.Bool
		go others.Store(true)
		if _, err := spec.Lookup(t.Context(), loopback{}, listedHost, 0); err != nil {
			t.Fatal(err)
		}
		if !others.Load() {
			return
		}
	}
	t.Error("another goroutine had its turn within every one of five look-ups")
}

func TestOnlyNamesOfTheMachinesFilesAreListed(t *testing.T) {
	for _, host := range []string{"prepared.invalid", "192.0.2.1.example.invalid"} {
		if got, err := prepared(t, host).Lookup(t.Context(), loopback{}, host, 0); err == nil {
			t.Errorf("%s has the addresses %v", host, got.Addrs)
		}
	}
}
