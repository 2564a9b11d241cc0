package resolver_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/coldsplit/coldsplit/pkg/resolver"
)

const host = "api.example.com"

// byType answers each record type after its own delay.
func byType(delays map[uint16]time.Duration, answer func(dns.Question) *dns.Msg) script {
	return func(q dns.Question) (time.Duration, *dns.Msg) { return delays[q.Qtype], answer(q) }
}

func TestFamiliesAreTimedApartAndExactly(t *testing.T) {
	records := zone(t, "api.example.com. 300 CNAME lb.example.net.", "lb.example.net. 60 CNAME pop.example.net.",
		"pop.example.net. 30 A 192.0.2.10", "pop.example.net. 45 AAAA 2001:db8::10",
		`pop.example.net. 9 HTTPS 1 . alpn="h3,h2"`)
	delays := map[uint16]time.Duration{dns.TypeA: 5 * time.Millisecond, dns.TypeAAAA: 80 * time.Millisecond, dns.TypeHTTPS: 6 * time.Millisecond}
	for _, way := range []string{"udp://192.0.2.53", "tcp://192.0.2.53"} {
		t.Run(way, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &memory{servers: map[string]script{
					"udp 192.0.2.53:53": byType(delays, records), "tcp 192.0.2.53:53": byType(delays, records),
				}}
				spec := parse(t, way)
				spec.AskHTTPS = true
				got, err := spec.Lookup(t.Context(), n, host, 0)
				if err != nil {
					t.Fatal(err)
				}
				if got.A != 5*time.Millisecond || got.AAAA != 80*time.Millisecond || !got.HasA || !got.HasAAAA {
					t.Errorf("A %v AAAA %v, want 5ms and 80ms", got.A, got.AAAA)
				}
				if got.TTL != 30*time.Second || !got.HasTTL {
					t.Errorf("TTL %v, want the smallest of the chain, 30s", got.TTL)
				}
				want := []string{"lb.example.net", "pop.example.net"}
				if diff := cmp.Diff(want, got.CNAME); diff != "" {
					t.Errorf("aliases: %s", diff)
				}
				if got.HTTPS != "h3,h2" {
					t.Errorf("HTTPS %q, want h3,h2", got.HTTPS)
				}
				checkAddrs(t, got, "2001:db8::10", "192.0.2.10")
			})
		})
	}
}

func checkAddrs(t *testing.T, got resolver.Answer, want ...string) {
	t.Helper()
	var spelled []string
	for _, addr := range got.Addrs {
		spelled = append(spelled, addr.String())
	}
	if diff := cmp.Diff(want, spelled); diff != "" {
		t.Errorf("addresses: %s", diff)
	}
}

func TestHTTPSRecordNeverDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := zone(t, "api.example.com. 60 A 192.0.2.10", `api.example.com. 60 HTTPS 1 . alpn="h3"`)
		n := &memory{servers: map[string]script{
			"udp 192.0.2.53:53": byType(map[uint16]time.Duration{dns.TypeHTTPS: time.Second}, records),
		}}
		spec := parse(t, "udp://192.0.2.53")
		spec.AskHTTPS = true
		start := time.Now()
		got, err := spec.Lookup(t.Context(), n, host, 0)
		if err != nil || got.HTTPS != "" {
			t.Errorf("got %+v, %v, want addresses and no hint", got, err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("the lookup took %v of virtual time, want none", took)
		}
		time.Sleep(time.Second) // the server's late answer finds a closed pipe
	})
}

func TestOneFamilyAsksOneQuestion(t *testing.T) {
	records := zone(t, "api.example.com. 60 A 192.0.2.10", "api.example.com. 60 AAAA 2001:db8::10")
	for family, want := range map[int]string{4: "192.0.2.10", 6: "2001:db8::10"} {
		n := &memory{servers: map[string]script{"udp 192.0.2.53:53": at(0, records)}}
		got, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, family)
		if err != nil {
			t.Fatal(err)
		}
		checkAddrs(t, got, want)
		if got.HasA != (family == 4) || got.HasAAAA != (family == 6) || len(n.dialled()) != 1 {
			t.Errorf("family %d: %+v by %v, want one question", family, got, n.dialled())
		}
	}
}

func TestAddressIsItsOwnAnswer(t *testing.T) {
	n := &memory{}
	got, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, "2001:db8::1", 0)
	if err != nil || len(n.dialled()) != 0 || got.HasA || got.HasAAAA {
		t.Errorf("got %+v, %v after %v, want no question", got, err, n.dialled())
	}
	checkAddrs(t, got, "2001:db8::1")
}

func TestFailuresAreTold(t *testing.T) {
	four := zone(t, "api.example.com. 60 A 192.0.2.10")
	onlyAAAA := func(answer *dns.Msg) script {
		return func(q dns.Question) (time.Duration, *dns.Msg) {
			if q.Qtype == dns.TypeA {
				return 0, four(q)
			}
			return 0, answer
		}
	}
	for name, c := range map[string]struct {
		serve  script
		family int
		kind   resolver.Kind // "" for success
		aaaa   resolver.Kind
		text   string
		took   time.Duration
	}{
		"no such name":         {serve: always(rcode(dns.RcodeNameError)), kind: resolver.NoSuchName, aaaa: resolver.NoSuchName, text: "resolve api.example.com (A and AAAA) at 192.0.2.53: no such name"},
		"no address":           {serve: always(rcode(dns.RcodeSuccess)), kind: resolver.NoAddress, aaaa: resolver.NoAddress, text: "resolve api.example.com (A and AAAA) at 192.0.2.53: no address"},
		"server failure":       {serve: always(rcode(dns.RcodeServerFailure)), kind: resolver.ServerFailure, aaaa: resolver.ServerFailure, text: "resolve api.example.com (A and AAAA) at 192.0.2.53: server failure"},
		"refused":              {serve: always(rcode(dns.RcodeRefused)), kind: resolver.Refused, aaaa: resolver.Refused, text: "resolve api.example.com (A and AAAA) at 192.0.2.53: refused"},
		"another code":         {serve: always(rcode(dns.RcodeNotAuth)), kind: resolver.BadAnswer, aaaa: resolver.BadAnswer, text: "resolve api.example.com (A and AAAA) at 192.0.2.53: unusable answer: response code NOTAUTH"},
		"silence":              {serve: silence, kind: resolver.NoAnswer, aaaa: resolver.NoAnswer, text: "resolve api.example.com (A and AAAA) at 192.0.2.53: no answer: waited 5s", took: 10 * time.Second},
		"no such family":       {serve: at(0, four), family: 6, kind: resolver.NoAddress, aaaa: resolver.NoAddress, text: "resolve api.example.com (AAAA) at 192.0.2.53: no address"},
		"one family is enough": {serve: at(0, four), aaaa: resolver.NoAddress},
		"one family fails":     {serve: onlyAAAA(rcode(dns.RcodeServerFailure)), aaaa: resolver.ServerFailure},
		"one family is silent": {serve: onlyAAAA(nil), aaaa: resolver.NoAnswer, took: 10 * time.Second},
		"NXDOMAIN beside an A": {serve: onlyAAAA(rcode(dns.RcodeNameError)), aaaa: resolver.NoAddress},
		"weightier of the two": {serve: func(q dns.Question) (time.Duration, *dns.Msg) {
			return 0, map[uint16]*dns.Msg{dns.TypeA: rcode(dns.RcodeServerFailure), dns.TypeAAAA: rcode(0)}[q.Qtype]
		}, kind: resolver.ServerFailure, aaaa: resolver.NoAddress, text: "resolve api.example.com (A) at 192.0.2.53: server failure"},
		"silence and no record": {serve: func(q dns.Question) (time.Duration, *dns.Msg) {
			return 0, map[uint16]*dns.Msg{dns.TypeAAAA: rcode(0)}[q.Qtype]
		}, kind: resolver.NoAnswer, aaaa: resolver.NoAddress, text: "resolve api.example.com (A) at 192.0.2.53: no answer: waited 5s", took: 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &memory{servers: map[string]script{"udp 192.0.2.53:53": c.serve}}
				start := time.Now()
				got, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, c.family)
				checkKind(t, "lookup", err, c.kind)
				if err != nil && err.Error() != c.text {
					t.Errorf("text %q, want %q", err, c.text)
				}
				if got.ErrAAAA == nil || got.ErrAAAA.Kind != c.aaaa {
					t.Errorf("AAAA: %v, want %q", got.ErrAAAA, c.aaaa)
				}
				if got.HasAAAA != (c.aaaa != resolver.NoAnswer) {
					t.Errorf("HasAAAA %v with %q", got.HasAAAA, c.aaaa)
				}
				if took := time.Since(start); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
			})
		})
	}
}

func checkKind(t *testing.T, what string, err error, want resolver.Kind) {
	t.Helper()
	var typed *resolver.Error
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v, want success", what, err)
	case want != "" && !errors.As(err, &typed):
		t.Errorf("%s: %v, want %q", what, err, want)
	case want != "" && typed.Kind != want:
		t.Errorf("%s: kind %q (%v), want %q", what, typed.Kind, err, want)
	}
}

func TestServersOfTheNetworkAreAskedInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &memory{
			resolvers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:53"), netip.MustParseAddrPort("192.0.2.2:5353"), netip.MustParseAddrPort("192.0.2.3:53")},
			servers: map[string]script{
				"udp 192.0.2.1:53":   silence,
				"udp 192.0.2.2:5353": always(rcode(dns.RcodeServerFailure)),
				"udp 192.0.2.3:53":   at(time.Millisecond, zone(t, "api.example.com. 60 A 192.0.2.10")),
			},
		}
		got, err := resolver.Spec{}.Lookup(t.Context(), n, host, 4)
		if err != nil || got.Server != "192.0.2.3" || got.A != 5*time.Second+time.Millisecond {
			t.Errorf("server %q, A %v, %v, want 192.0.2.3 after 5.001s", got.Server, got.A, err)
		}
	})
}

func TestAFailureIsNotAskedForTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &memory{servers: map[string]script{"udp 192.0.2.53:53": always(rcode(dns.RcodeServerFailure))}}
		_, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, 4)
		checkKind(t, "lookup", err, resolver.ServerFailure)
		if got := n.dialled(); len(got) != 1 {
			t.Errorf("asked %v, want once", got)
		}
	})
}

func TestTruncatedAnswerIsAskedForByTCP(t *testing.T) {
	cut := &dns.Msg{MsgHdr: dns.MsgHdr{Truncated: true}}
	n := &memory{servers: map[string]script{
		"udp 192.0.2.53:53": always(cut),
		"tcp 192.0.2.53:53": at(0, zone(t, "api.example.com. 60 A 192.0.2.10")),
	}}
	got, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, 4)
	if err != nil {
		t.Fatal(err)
	}
	checkAddrs(t, got, "192.0.2.10")
	if want := []string{"udp 192.0.2.53:53", "tcp 192.0.2.53:53"}; !slices.Equal(n.dialled(), want) {
		t.Errorf("dialled %v, want %v", n.dialled(), want)
	}
}

func TestServerWithoutEDNSIsAskedPlainly(t *testing.T) {
	asked := 0
	records := zone(t, "api.example.com. 60 A 192.0.2.10")
	n := &memory{servers: map[string]script{"udp 192.0.2.53:53": func(q dns.Question) (time.Duration, *dns.Msg) {
		if asked++; asked == 1 {
			return 0, rcode(dns.RcodeFormatError)
		}
		return 0, records(q)
	}}}
	if _, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, 4); err != nil || asked != 2 {
		t.Errorf("%v after %d queries, want success at the second", err, asked)
	}
}

func TestAliasesInACircleEnd(t *testing.T) {
	n := &memory{servers: map[string]script{"udp 192.0.2.53:53": at(0,
		zone(t, "api.example.com. 60 CNAME b.example.", "b.example. 60 CNAME api.example.com."))}}
	got, err := parse(t, "udp://192.0.2.53").Lookup(t.Context(), n, host, 4)
	checkKind(t, "lookup", err, resolver.NoAddress)
	if len(got.CNAME) > 2 {
		t.Errorf("followed %v", got.CNAME)
	}
}

func TestTheContextEndsTheLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := zone(t, "api.example.com. 60 A 192.0.2.10")
		n := &memory{servers: map[string]script{"udp 192.0.2.53:53": byType(map[uint16]time.Duration{dns.TypeAAAA: time.Minute}, records)}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		got, err := parse(t, "udp://192.0.2.53").Lookup(ctx, n, host, 0)
		checkKind(t, "lookup", err, resolver.NoAnswer)
		if took := time.Since(start); took != time.Second || !got.HasA || got.HasAAAA {
			t.Errorf("took %v, %+v, want 1s and the A answer kept", took, got)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		_, err = parse(t, "udp://192.0.2.53").Lookup(ctx, n, host, 6)
		checkKind(t, "canceled lookup", err, resolver.Canceled)
		time.Sleep(time.Minute) // the server's late answers find a closed pipe
	})
}

func TestUnreachableResolver(t *testing.T) {
	_, err := parse(t, "tcp://192.0.2.53").Lookup(t.Context(), &memory{}, host, 4)
	checkKind(t, "lookup", err, resolver.NoConnection)
	if want := "resolve api.example.com (A) at tcp://192.0.2.53: no connection: dial 192.0.2.53:53: connection refused"; err.Error() != want {
		t.Errorf("text %q, want %q", err, want)
	}
}

func TestResolverByNameIsFoundBeforeTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &memory{
			resolvers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.53:53")},
			servers:   map[string]script{"udp 192.0.2.53:53": at(time.Second, zone(t, "dns.example.net. 60 A 203.0.113.53"))},
		}
		spec, err := parse(t, "tls://dns.example.net").Prepare(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		got, err := spec.Lookup(t.Context(), n, host, 4)
		checkKind(t, "lookup", err, resolver.NoConnection)
		if took := time.Since(start); took != 0 || got.HasA {
			t.Errorf("a prepared resolver was looked up again: %v", took)
		}
		n.servers["udp 192.0.2.53:53"] = always(rcode(dns.RcodeNameError))
		_, err = parse(t, "tls://dns.example.net").Lookup(t.Context(), n, host, 4)
		checkKind(t, "lookup", err, resolver.NoSuchName)
		if want := "resolver tls://dns.example.net: resolve dns.example.net (A and AAAA) at 192.0.2.53: no such name"; err.Error() != want {
			t.Errorf("text %q, want %q", err, want)
		}
	})
}
