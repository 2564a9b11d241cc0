package ledger

import (
	"testing"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Straight to the pod a request has 115 ms of round trip and 135 of work; through an edge 7 ms away
// it waits 440 ms after the edge's own round trip, and no header says why.
func TestADetourIsFoundWithoutAnybodysHeader(t *testing.T) {
	straight := row{segment.DNS: 12, segment.TCP: 115, segment.TLS: 118, segment.WaitEdgeRTT: 115, segment.WaitUnattributed: 135, segment.Transfer: 5}
	edge := row{segment.DNS: 12, segment.TCP: 7, segment.TLS: 9, segment.WaitEdgeRTT: 7, segment.WaitUnattributed: 425, segment.Transfer: 5}
	c := compareLive(t, side{rows: noisy(25, 1, straight)}, side{rows: noisy(25, 2, edge)})
	f, ok := found(c, FoundDetour)
	if extra := f.After - f.Before; !ok || f.Key != segment.Wait || extra < int64(ms(160)) || extra > int64(ms(190)) {
		t.Errorf("found %v: %+v", ok, f)
	}
	c = compareLive(t, side{rows: noisy(25, 1, edge)}, side{rows: noisy(25, 2, straight)})
	if f, ok := found(c, FoundDetour); !ok || f.Before <= f.After {
		t.Errorf("the other way round: found %v: %+v", ok, f)
	}
}

// An edge on the way takes nothing away and adds nothing: 7 + 108 is the direct 115.
func TestAnEdgeOnTheWayIsNoDetour(t *testing.T) {
	straight := row{segment.TCP: 115, segment.TLS: 118, segment.WaitEdgeRTT: 115, segment.WaitUnattributed: 135, segment.Transfer: 5}
	onTheWay := row{segment.TCP: 7, segment.TLS: 9, segment.WaitEdgeRTT: 7, segment.WaitUnattributed: 243, segment.Transfer: 5}
	slowServer := row{segment.TCP: 110, segment.TLS: 113, segment.WaitEdgeRTT: 110, segment.WaitUnattributed: 425, segment.Transfer: 5}
	for name, after := range map[string]row{"an edge on the way": onTheWay, "another server as far away": slowServer} {
		c := compareLive(t, side{rows: noisy(25, 1, straight)}, side{rows: noisy(25, 2, after)})
		if f, ok := found(c, FoundDetour); ok {
			t.Errorf("%s is found to be a detour: %+v", name, f)
		}
	}
}
