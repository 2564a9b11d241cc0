package scenario_test

import (
	"bytes"
	"testing"
	"time"
)

// longer asks two arms a few times and wants the second's p50 longer by about more.
func longer(t *testing.T, name string, pick func(sample) (time.Duration, bool), more time.Duration) {
	t.Helper()
	w := open(t, name, 9)
	protocol := armOf(t, w, "before").HTTP
	agree(t, func() []figure {
		before, after := both(t, w, protocol, 3)
		grown := rank(after, 50, pick) - rank(before, 50, pick)
		return []figure{{name + ": longer by", grown, more, more / 4}}
	})
}

func TestOneMoreRoundTrip(t *testing.T) {
	t.Parallel()
	longer(t, "quic-retry", setup, 138*ms)
	longer(t, "oversized-chain", setup, 129*ms)
	longer(t, "slow-aaaa", setup, 296*ms)
}

func TestIPv6BlackHole(t *testing.T) {
	t.Parallel()
	w := open(t, "ipv6-black-hole", 1)
	arm := armOf(t, w, "after")
	if s := exchange(t, w, arm, "2"); s.err != nil {
		t.Errorf("over IPv4: %v", s.err)
	}
	host := arm.URL[len("https://") : len(arm.URL)-1]
	addrs, err := w.Client().Lookup(t.Context(), host)
	if err != nil || len(addrs) != 2 {
		t.Fatalf("lookup: %v, %v; want both families", addrs, err)
	}
	owner, _ := w.Internet().Owner(addrs[1])
	v6, _ := owner.Addr(6)
	before := w.Internet().Traffic(w.Client(), owner)
	pc, err := w.Client().ListenPacket(t.Context(), "udp6")
	if err != nil {
		t.Fatal(err)
	}
	defer pc.Close()
	_, _ = pc.WriteTo([]byte("lost"), udpAddr(v6, 443))
	if got := w.Internet().Traffic(w.Client(), owner).Ruled; got != before.Ruled+1 {
		t.Errorf("swallowed %d packets over IPv6, want one more than %d", got, before.Ruled)
	}
}

func TestSYNLoss(t *testing.T) {
	t.Parallel()
	w := open(t, "syn-loss", 4)
	arm := armOf(t, w, "after")
	slow := 0
	for _, s := range run(t, w, arm, 12) {
		if s.setup > time.Second {
			slow++
		}
	}
	if slow == 0 || slow > 8 {
		t.Errorf("%d of 12 connections lost a SYN, want some and not most", slow)
	}
}

func TestQUICBlocked(t *testing.T) {
	t.Parallel()
	w := open(t, "quic-blocked", 1)
	if s := exchange(t, w, armOf(t, w, "h2"), "2"); s.err != nil {
		t.Errorf("over TCP: %v", s.err)
	}
	if s := exchange(t, w, armOf(t, w, "h3"), "3"); s.err == nil {
		t.Error("QUIC went through")
	}
}

func TestEarlyHintsComeLongBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	w := open(t, "early-hints", 1)
	for _, protocol := range []string{"1.1", "2"} {
		s := exchange(t, w, armOf(t, w, "hints"), protocol)
		if s.interim != 103 || s.status != 200 || s.total-s.interimAt < 90*ms {
			t.Errorf("HTTP/%s: interim %d, final %d, %v after the interim one; want 103, 200, 180 ms, or half of it where hints are read late",
				protocol, s.interim, s.status, s.total-s.interimAt)
		}
	}
}

func TestTenantStripped(t *testing.T) {
	t.Parallel()
	w := open(t, "tenant-stripped", 1)
	pages := map[string]string{}
	for _, name := range []string{"before", "after", "fixed"} {
		pages[name] = string(run(t, w, armOf(t, w, name), 1)[0].body[:30])
	}
	if pages["before"] != pages["fixed"] || pages["before"] == pages["after"] {
		t.Errorf("pages %v; want the shop before and fixed, another after", pages)
	}
}

func TestDriftMovesTheSameRoute(t *testing.T) {
	t.Parallel()
	w := open(t, "drift", 1)
	time.Sleep(8 * time.Second) // a fifth of this world's day
	day := run(t, w, armOf(t, w, "before"), 1)[0]
	const night = 26 * ms // the most the work takes when the day begins
	if got, _ := day.metric("origin"); got < night+14*ms {
		t.Errorf("work took %v a fifth of a day later, want well over %v", got, night)
	}
}

func TestRoundRobinHasTwoHumps(t *testing.T) {
	t.Parallel()
	w := open(t, "round-robin", 1)
	humps, least := map[string]int{}, map[string]time.Duration{}
	for _, s := range run(t, w, armOf(t, w, "both"), 8) {
		name := s.header.Get("X-Backend")
		up, _ := s.metric("upstream")
		if humps[name]++; humps[name] == 1 || up < least[name] {
			least[name] = up
		}
	}
	if near, far := least["both/near"], least["both/far"]; far < 120*ms || near > far/2 {
		t.Errorf("the near backend answers after %v at the least, the far one after %v", near, far)
	}
	if humps["both/near"] != 4 || humps["both/far"] != 4 {
		t.Errorf("backends %v, want 4 each", humps)
	}
}

func TestStalledStream(t *testing.T) {
	t.Parallel()
	w := open(t, "stalled-stream", 1)
	stalled := run(t, w, armOf(t, w, "stalled"), 1)[0]
	cut := exchange(t, w, armOf(t, w, "cut"), "2")
	if least := 500*ms + 1200*ms; stalled.total < least {
		t.Errorf("stalled stream took %v, want its pause of 1.2 s beside the 0.5 s of work", stalled.total)
	}
	if cut.status != 200 || bytes.Contains(cut.body, []byte("message_stop")) || !bytes.Contains(cut.body, []byte("content_block_delta")) {
		t.Errorf("cut stream: status %d, %q; want text and no terminal event", cut.status, cut.body)
	}
}
