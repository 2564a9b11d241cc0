package segment_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

func TestEveryKeyIsSpelledOnceAndParsesBack(t *testing.T) {
	seen := map[string]bool{}
	for k := range segment.Key(segment.NumKeys) {
		name := k.String()
		if name == "" || seen[name] {
			t.Errorf("key %d is spelled %q, which is empty or taken", k, name)
		}
		seen[name] = true
		if got, ok := segment.Parse(name); !ok || got != k {
			t.Errorf("Parse(%q) = %v, %v", name, got, ok)
		}
	}
	if _, ok := segment.Parse("ssl"); ok {
		t.Error(`Parse("ssl") found a key`)
	}
}

func TestTableOrderHoldsEveryKeyOnceParentsFirst(t *testing.T) {
	at := map[segment.Key]int{}
	for i, k := range segment.TableOrder() {
		if _, twice := at[k]; twice {
			t.Errorf("%s stands twice", k)
		}
		at[k] = i
		if p, ok := k.Parent(); ok {
			if _, before := at[p]; !before {
				t.Errorf("%s stands before its parent %s", k, p)
			}
		}
	}
	if len(at) != segment.NumKeys {
		t.Errorf("table order has %d keys, want %d", len(at), segment.NumKeys)
	}
}

func TestDepth(t *testing.T) {
	for k, want := range map[segment.Key]int{segment.Wait: 0, segment.WaitUpstream: 1, segment.WaitUpstreamOrigin: 2, segment.TransferText: 1} {
		if got := k.Depth(); got != want {
			t.Errorf("%s: depth %d, want %d", k, got, want)
		}
	}
}

func TestTimelineTilesWhateverTheBoundaries(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var tl segment.Timeline
		latest := time.Duration(0)
		for range rng.IntN(12) {
			at := time.Duration(rng.Int64N(1000)) - 100
			tl.End(segment.Key(rng.IntN(segment.NumMeasured)), at)
			latest = max(latest, at)
		}
		s := tl.Split()
		if tl.At() != latest {
			t.Fatalf("the timeline ends at %d, the latest boundary was %d", tl.At(), latest)
		}
		if err := s.Check(tl.At()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAbsentIsNotZero(t *testing.T) {
	var s segment.Split
	if _, ok := s.Get(segment.TLS); ok {
		t.Error("an empty split has a tls segment")
	}
	s.Set(segment.TLS, 0)
	if d, ok := s.Get(segment.TLS); !ok || d != 0 {
		t.Errorf("a measured 0 came back as %v, %v", d, ok)
	}
	if _, ok := s.TTFB(); ok {
		t.Error("a split without a first byte has a ttfb")
	}
}

func TestCheckNamesTheBrokenLaw(t *testing.T) {
	var s segment.Split
	s.Set(segment.DNS, 5)
	s.Set(segment.Wait, 7)
	if err := s.Check(12); err != nil {
		t.Error(err)
	}
	if err := s.Check(13); err == nil {
		t.Error("a sum one nanosecond short was accepted")
	}
	s.Set(segment.Wait, -1)
	if err := s.Check(4); err == nil {
		t.Error("a negative segment was accepted")
	}
}

func TestSetupAndTTFB(t *testing.T) {
	var s segment.Split
	for k, d := range map[segment.Key]time.Duration{segment.DNS: 3, segment.Race: 250, segment.TCP: 7, segment.TLS: 14, segment.Send: 1, segment.Wait: 239, segment.Transfer: 2} {
		s.Set(k, d)
	}
	if d, _ := s.Setup(); d != 271 {
		t.Errorf("setup = %d, want 271", d)
	}
	if d, _ := s.TTFB(); d != 514 {
		t.Errorf("ttfb = %d, want 514", d)
	}
}
