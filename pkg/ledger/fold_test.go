package ledger

import (
	"slices"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

var (
	overQUIC = row{segment.DNS: 12, segment.QUIC: 32, segment.Send: 0.1, segment.WaitEdgeRTT: 28, segment.WaitPreForward: 20,
		segment.WaitUpstream: 100, segment.WaitUnattributed: 5, segment.Transfer: 8}
	direct    = row{segment.DNS: 12, segment.TCP: 250, segment.TLS: 252, segment.Send: 0.1, segment.WaitEdgeRTT: 248, segment.WaitUnattributed: 35, segment.Transfer: 2}
	behindCDN = row{segment.DNS: 12, segment.TCP: 11, segment.TLS: 16, segment.Send: 0.1, segment.WaitEdgeRTT: 10, segment.WaitUpstream: 269, segment.WaitUnattributed: 7, segment.Transfer: 1}
	pinned    = row{segment.TCP: 30, segment.TLS: 35, segment.Send: 0.1, segment.WaitEdgeRTT: 28, segment.WaitPreForward: 20, segment.WaitUpstream: 100, segment.WaitUnattributed: 5, segment.Transfer: 8}
	bare      = row{segment.DNS: 12, segment.TCP: 30, segment.TLS: 35, segment.Send: 0.1, segment.WaitEdgeRTT: 28, segment.WaitUnattributed: 125, segment.Transfer: 8}
	farEdge   = with(with(typical, segment.WaitEdgeRTT, 90), segment.WaitUpstream, 40)
	divided   = row{segment.DNS: 12, segment.TCP: 30, segment.TLS: 35, segment.Send: 0.1, segment.WaitEdgeRTT: 28, segment.WaitPreForward: 20,
		segment.WaitUpstreamNetwork: 40, segment.WaitUpstreamOrigin: 60, segment.WaitUnattributed: 5, segment.Transfer: 8}
	dividedFar = with(with(divided, segment.WaitEdgeRTT, 90), segment.WaitUpstreamNetwork, 5)
)

// foldCases are comparisons of unlike arms, by what must be folded.
func foldCases(t *testing.T) map[string]*Comparison {
	t.Helper()
	compare := func(before, after row) *Comparison {
		b, a := live(t, side{rows: noisy(25, 4, before)}, side{rows: noisy(25, 5, after)})
		return Compare(b, a)
	}
	return map[string]*Comparison{
		"alike":        compare(typical, typical),
		"quic":         compare(typical, overQUIC),
		"one child":    compare(direct, behindCDN),
		"no child":     compare(bare, bare),
		"edge moved":   compare(typical, farEdge),
		"edge divided": compare(divided, dividedFar),
		"dns":          compare(typical, pinned),
		"one divided":  compare(typical, divided),
	}
}

func TestFolding(t *testing.T) {
	cases := foldCases(t)
	for _, test := range []struct {
		name string
		fold Fold
		want []segment.Key
	}{
		{"alike", 0, []segment.Key{segment.DNS, segment.TCP, segment.TLS, segment.Send, segment.WaitEdgeRTT, segment.WaitPreForward,
			segment.WaitUpstream, segment.WaitUnattributed, segment.Transfer}},
		{"quic", FoldSetup, []segment.Key{segment.DNS, segment.Setup, segment.Send, segment.WaitEdgeRTT, segment.WaitPreForward,
			segment.WaitUpstream, segment.WaitUnattributed, segment.Transfer}},
		{"one child", FoldWait, []segment.Key{segment.DNS, segment.TCP, segment.TLS, segment.Send, segment.Wait, segment.Transfer}},
		{"no child", FoldWaitBare, []segment.Key{segment.DNS, segment.TCP, segment.TLS, segment.Send, segment.Wait, segment.Transfer}},
		{"edge moved", FoldEdgeRTT, []segment.Key{segment.DNS, segment.TCP, segment.TLS, segment.Send, segment.WaitPreForward,
			segment.WaitUpstream, segment.WaitUnattributed, segment.Transfer}},
		{"edge divided", FoldEdgeRTT, []segment.Key{segment.DNS, segment.TCP, segment.TLS, segment.Send, segment.WaitPreForward,
			segment.WaitUpstreamNetwork, segment.WaitUpstreamOrigin, segment.WaitUnattributed, segment.Transfer}},
		{"dns", WithoutDNS, []segment.Key{segment.TCP, segment.TLS, segment.Send, segment.WaitEdgeRTT, segment.WaitPreForward,
			segment.WaitUpstream, segment.WaitUnattributed, segment.Transfer}},
		{"one divided", FoldUpstream, []segment.Key{segment.DNS, segment.TCP, segment.TLS, segment.Send, segment.WaitEdgeRTT,
			segment.WaitPreForward, segment.WaitUpstream, segment.WaitUnattributed, segment.Transfer}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := cases[test.name]
			if c.Fold != test.fold {
				t.Errorf("fold %b, want %b", c.Fold, test.fold)
			}
			if got := keysIn(c.Entries); !slices.Equal(got, test.want) {
				t.Errorf("rows %v, want %v", got, test.want)
			}
		})
	}
}

// A CDN route crosses the ocean once less, yet leaf by leaf it would read "upstream lost 269 ms".
func TestAnOceanCrossingMovedBehindTheEdgeIsNoLoss(t *testing.T) {
	c := foldCases(t)["one child"]
	wait := entryOf(t, c, segment.Wait)
	if wait.Lost() {
		t.Errorf("wait reads lost by %d ms", wait.Change/1e6)
	}
	upstream := slices.IndexFunc(wait.Parts, func(p Part) bool { return p.Key == segment.WaitUpstream })
	if upstream < 0 || wait.Parts[upstream].Has != [2]bool{false, true} {
		t.Errorf("parts %+v, want upstream of after alone", wait.Parts)
	}
	for _, f := range c.Findings() {
		if f.Kind == FoundLost {
			t.Errorf("finding: %s lost", f.Key)
		}
	}
}

func TestMovedEdgeIsOneRowWithWhatLiesBehindIt(t *testing.T) {
	e := entryOf(t, foldCases(t)["edge moved"], segment.WaitUpstream)
	if want := []segment.Key{segment.WaitEdgeRTT, segment.WaitUpstream}; !slices.Equal(e.Of, want) {
		t.Errorf("the row adds up %v, want %v", e.Of, want)
	}
	e = entryOf(t, foldCases(t)["edge divided"], segment.WaitUpstreamNetwork)
	if want := []segment.Key{segment.WaitEdgeRTT, segment.WaitUpstreamNetwork}; !slices.Equal(e.Of, want) {
		t.Errorf("the row adds up %v, want %v", e.Of, want)
	}
}

func TestTheVerdictLeavesOutDNSWhenOneArmHasNone(t *testing.T) {
	c := foldCases(t)["dns"]
	if diff := c.Total.Before.Value - c.Before.Total().Value; diff > -int64(ms(10)) {
		t.Errorf("total without dns is %d ns from total, want about -12 ms", diff)
	}
	if c.Total.After.Value != c.After.Total().Value {
		t.Error("the arm without dns lost something")
	}
}

func TestAnEdgeRoundTripCopiedFromTCPIsNoRow(t *testing.T) {
	c := Compare(fixture(t, "ledger-A.jsonl", 0), fixture(t, "ledger-B.jsonl", 0))
	if c.Fold != FoldEdgeOpen || slices.Contains(keysIn(c.Entries), segment.WaitEdgeRTT) {
		t.Errorf("fold %b, rows %v", c.Fold, keysIn(c.Entries))
	}
}
