package probe_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// dualStack gives the host an address of each family.
func (w *world) dualStack() {
	w.net.Zone[host] = probetest.Records{A: []string{origin4}, AAAA: []string{origin6}}
}

func TestIPv6BlackHoleCostsTheAttemptDelay(t *testing.T) {
	for _, protocol := range []probe.Protocol{probe.HTTP2, probe.HTTP3} {
		t.Run(string(protocol), func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.dualStack()
				w.net.Silence(origin6)
				want := split{segment.DNS: 20 * ms, segment.Race: 250 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms}
				if protocol == probe.HTTP3 {
					w.serveQUIC(probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
					want[segment.QUIC] = 20 * ms
				} else {
					w.serve(origin4+":443", probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
					want[segment.TCP], want[segment.TLS] = 20*ms, 20*ms
				}
				got := w.do(w.target(protocol))
				expect(t, got, record.OK, want)
				if got.Family != 4 || got.Remote != origin4+":443" {
					t.Errorf("won by %s, family %d", got.Remote, got.Family)
				}
				expectAttempts(t, got.Attempts, []record.Attempt{
					{Addr: "[" + origin6 + "]:443", Start: 20 * ms, End: 290 * ms, Err: "canceled"},
					{Addr: origin4 + ":443", Start: 270 * ms, End: 290 * ms},
				})
			})
		})
	}
}

func expectAttempts(t *testing.T, got, want []record.Attempt) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("attempts %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("attempt %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestRefusedFirstAddressIsLeftAtOnce(t *testing.T) {
	inBubble(t, func(w *world) {
		w.dualStack()
		w.serve(origin4+":80", probetest.Origin{Handler: thinking})
		got := w.do(w.plain())
		expect(t, got, record.OK, split{
			segment.DNS: 20 * ms, segment.Race: 20 * ms, segment.TCP: 20 * ms,
			segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
		})
	})
}

func TestUnroutableFamilyComesLast(t *testing.T) {
	inBubble(t, func(w *world) {
		w.dualStack()
		w.net.NoRoute(6)
		w.serve(origin4+":80", probetest.Origin{Handler: thinking})
		got := w.do(w.plain())
		expect(t, got, record.OK, split{
			segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
		})
	})
}

func TestSlowFirstAddressMayStillWin(t *testing.T) {
	inBubble(t, func(w *world) {
		w.dualStack()
		w.net.Far(origin6, 140*ms)
		w.net.Silence(origin4)
		w.serve("["+origin6+"]:80", probetest.Origin{Handler: thinking})
		got := w.do(w.plain())
		expect(t, got, record.OK, split{
			segment.DNS: 20 * ms, segment.TCP: 280 * ms, segment.Send: 0, segment.Wait: 330 * ms, segment.Transfer: 7 * ms,
		})
		expectAttempts(t, got.Attempts, []record.Attempt{
			{Addr: "[" + origin6 + "]:80", Start: 20 * ms, End: 300 * ms},
			{Addr: origin4 + ":80", Start: 270 * ms, End: 300 * ms, Err: "canceled"},
		})
	})
}

func TestSlowAAAAHoldsTheNameUp(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Zone[host] = probetest.Records{A: []string{origin4}, AAAADelay: 150 * ms, TTL: 60}
		w.serve(origin4+":80", probetest.Origin{Handler: thinking})
		got := w.do(w.plain())
		expect(t, got, record.OK, split{
			segment.DNS: 170 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
		})
		if d := got.DNS; d == nil || d.A != 20*ms || d.AAAA != 170*ms || !d.HasA || !d.HasAAAA || d.TTL != time.Minute {
			t.Errorf("dns facts %+v", d)
		}
	})
}

func TestForcedFamilyAsksForNothingElse(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Zone[host] = probetest.Records{A: []string{origin4}, AAAA: []string{origin6}, AAAADelay: 150 * ms}
		w.serve(origin4+":80", probetest.Origin{Handler: thinking})
		target := w.plain()
		target.Family = 4
		got := w.do(target)
		expect(t, got, record.OK, split{
			segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
		})
		if got.DNS.HasAAAA || w.net.Queries() != 1 {
			t.Errorf("%d queries, facts %+v", w.net.Queries(), got.DNS)
		}
	})
}

func TestWaysToAnotherAddressNeedNoLookup(t *testing.T) {
	for name, set := range map[string]func(*probe.Target){
		"via address": func(t *probe.Target) { t.Via = origin4 },
		"via bracketed IPv6": func(t *probe.Target) {
			t.Via = "[" + origin6 + "]"
		},
		"via bracketed IPv6 and port": func(t *probe.Target) { t.Via = "[" + origin6 + "]:443" },
		"resolve":                     func(t *probe.Target) { t.Resolve = pins(host+":443", origin4) },
		"resolve any host":            func(t *probe.Target) { t.Resolve = pins("*:443", origin4) },
		"connect-to":                  func(t *probe.Target) { t.ConnectTo = map[string]string{host + ":443": origin4 + ":443"} },
		"connect-to any":              func(t *probe.Target) { t.ConnectTo = map[string]string{":": origin4 + ":"} },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.net.Zone = nil
				o := probetest.Origin{Handler: thinking, TLS: w.serverTLS()}
				w.serve(origin4+":443", o)
				w.serve("["+origin6+"]:443", o)
				target := w.target(probe.HTTP11)
				set(target)
				got := w.do(target)
				expect(t, got, record.OK, split{
					segment.TCP: 20 * ms, segment.TLS: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
				})
				if got.TLS.ServerName != host {
					t.Errorf("SNI %q, want the URL's host", got.TLS.ServerName)
				}
			})
		})
	}
}

func pins(key string, addrs ...string) map[string][]netip.Addr {
	m := map[string][]netip.Addr{}
	for _, a := range addrs {
		m[key] = append(m[key], netip.MustParseAddr(a))
	}
	return m
}

func TestViaNameIsLookedUp(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Zone = probetest.Zone{"edge.test": {A: []string{origin4}}}
		w.serve(origin4+":443", probetest.Origin{Handler: thinking, TLS: w.serverTLS()})
		target := w.target(probe.HTTP11)
		target.Via = "edge.test"
		expect(t, w.do(target), record.OK, split{
			segment.DNS: 20 * ms, segment.TCP: 20 * ms, segment.TLS: 20 * ms, segment.Send: 0, segment.Wait: 70 * ms, segment.Transfer: 7 * ms,
		})
	})
}

func TestAMoreTellingFailureOutweighsTheFirst(t *testing.T) {
	inBubble(t, func(w *world) {
		w.dualStack()
		w.net.NoRoute(6)
		target := w.plain()
		target.Resolve = pins(host+":80", origin6, origin4)
		got := w.do(target)
		expect(t, got, record.Failed, split{segment.TCP: 20 * ms})
		expectError(t, got, record.ClassReset, segment.TCP)
	})
}

func TestResolverSilentAboutOneFamilyIsTold(t *testing.T) {
	inBubble(t, func(w *world) {
		w.net.Zone[host] = probetest.Records{A: []string{origin4}, AAAASilent: true}
		w.serve(origin4+":80", probetest.Origin{Handler: thinking})
		target := w.plain()
		target.Resolver.Timeout, target.MaxTime = time.Second, 10*time.Second
		got := w.do(target)
		expectNote(t, got, "dns: ")
		if got.Outcome != record.OK || got.DNS.HasAAAA {
			t.Errorf("outcome %s, dns %+v", got.Outcome, got.DNS)
		}
	})
}
