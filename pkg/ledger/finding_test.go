package ledger

import (
	"math"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

func found(c *Comparison, kind FindingKind) (Finding, bool) {
	for _, f := range c.Findings() {
		if f.Kind == kind {
			return f, true
		}
	}
	return Finding{}, false
}

func compareLive(t *testing.T, before, after side) *Comparison {
	t.Helper()
	b, a := live(t, before, after)
	return Compare(b, a)
}

func TestLostRowsComeFirstAndTheLargestFirst(t *testing.T) {
	worse := with(with(typical, segment.TLS, 60), segment.WaitPreForward, 127)
	fs := compareLive(t, side{rows: noisy(25, 1, typical)}, side{rows: noisy(25, 2, worse)}).Findings()
	if len(fs) < 2 || fs[0].Key != segment.WaitPreForward || fs[1].Key != segment.TLS || fs[1].Kind != FoundLost {
		t.Errorf("findings %+v, want pre_forward, then tls lost", fs)
	}
}

func TestAFallOfWhatNothingReportsIsFound(t *testing.T) {
	c := compareLive(t, side{rows: noisy(25, 1, with(typical, segment.WaitUnattributed, 122))}, side{rows: noisy(25, 2, typical)})
	if f, ok := found(c, FoundUnexplained); !ok || f.Key != segment.WaitUnattributed || f.After >= f.Before {
		t.Errorf("findings %+v", c.Findings())
	}
}

func TestFirstExchangesStandApart(t *testing.T) {
	rows := noisy(25, 1, typical)
	rows[0] = with(rows[0], segment.WaitUpstream, 700)
	c := compareLive(t, side{rows: noisy(25, 2, typical)}, side{rows: rows})
	f, ok := found(c, FoundFirst)
	if !ok || f.Has != [2]bool{false, true} || f.After < int64(ms(700)) {
		t.Errorf("found %v: %+v", ok, f)
	}
}

func TestAnEdgeNextDoorIsFound(t *testing.T) {
	near := with(typical, segment.WaitEdgeRTT, 0.8)
	c := compareLive(t, side{rows: noisy(25, 1, typical)}, side{rows: noisy(25, 2, near)})
	if f, ok := found(c, FoundNearEdge); !ok || f.Has != [2]bool{false, true} {
		t.Errorf("findings %+v", c.Findings())
	}
	loopback := func(_ int, x *record.Exchange) { x.Remote = "127.0.0.1:443" }
	c = compareLive(t, side{rows: noisy(25, 1, typical)}, side{rows: noisy(25, 2, near), edit: loopback})
	if f, ok := found(c, FoundNearEdge); ok {
		t.Errorf("a server on this machine is taken for an edge: %+v", f)
	}
}

// A direct request takes 115 ms of wait; through an edge, what lies behind the edge alone takes 290.
func TestADetourThroughAnEdgeIsFound(t *testing.T) {
	straight := row{segment.DNS: 12, segment.TCP: 60, segment.TLS: 60, segment.Send: 0.1, segment.WaitEdgeRTT: 58, segment.WaitUnattributed: 57, segment.Transfer: 5}
	edge := row{segment.DNS: 12, segment.TCP: 8, segment.TLS: 9, segment.Send: 0.1, segment.WaitEdgeRTT: 7, segment.WaitUpstream: 290, segment.WaitUnattributed: 4, segment.Transfer: 5}
	c := compareLive(t, side{rows: noisy(25, 1, straight)}, side{rows: noisy(25, 2, edge)})
	f, ok := found(c, FoundDetour)
	if !ok || f.After-f.Before < int64(ms(150)) {
		t.Errorf("found %v: %+v", ok, f)
	}
	c = compareLive(t, side{rows: noisy(25, 1, direct)}, side{rows: noisy(25, 2, behindCDN)})
	if f, ok := found(c, FoundDetour); ok {
		t.Errorf("one ocean crossing either way is no detour: %+v", f)
	}
}

func TestSteadinessIsCompared(t *testing.T) {
	wide := noisy(40, 1, typical)
	for i := range wide {
		wide[i] = with(wide[i], segment.WaitUpstream, 60+4*float64(i))
	}
	c := compareLive(t, side{rows: wide}, side{rows: noisy(40, 2, typical)})
	if f, ok := found(c, FoundSteadiness); !ok || f.After >= f.Before {
		t.Errorf("steadiness %+v, findings %+v", c.Steadiness, c.Findings())
	}
}

func TestCausesOfSlowExchangesAreCountedAndTested(t *testing.T) {
	lossy := side{rows: noisy(40, 2, typical), edit: func(i int, x *record.Exchange) {
		if i%4 == 1 {
			x.TCP.TotalRetrans = 1
			x.Segments.Set(segment.TCP, ms(1030))
			x.Total = x.Segments.Sum()
		}
	}}
	c := compareLive(t, side{rows: noisy(40, 1, typical)}, lossy)
	f, ok := found(c, FoundShare)
	if !ok || f.Share.What != "SYN lost" || f.Share.Counts != [2]int{0, 10} || !f.Share.Cause {
		t.Errorf("shares %+v", c.Shares)
	}
	if tail := c.Tails[1]; len(tail.Rows) != 4 || tail.Share(1) < 0.9 {
		t.Errorf("tail of after is not tcp's: %+v", tail)
	}
}

func TestDriftOfAPairedRunIsFoundAndTakenOut(t *testing.T) {
	drifting := func(seed uint64, typical row) []row {
		rows := noisy(50, seed, typical)
		for i := range rows {
			rows[i] = with(rows[i], segment.WaitUpstream, rows[i][segment.WaitUpstream]+1.6*float64(i))
		}
		return rows
	}
	c := compareLive(t, side{rows: drifting(1, typical)}, side{rows: drifting(2, with(typical, segment.WaitPreForward, 60))})
	if f, ok := found(c, FoundDrift); !ok || f.Trend.Tau < 0.5 {
		t.Errorf("drift %+v", c.Drift)
	}
	if c.Verdict != Slower || math.Abs(float64(c.Total.Delta)/1e6-40) > 8 {
		t.Errorf("verdict %v by %d ns, want slower by about 40 ms", c.Verdict, c.Total.Delta)
	}
}

// The first exchange of a pair warms something for the second.
func TestOrderEffectInsidePairs(t *testing.T) {
	sb, sa := side{rows: noisy(40, 1, typical)}, side{rows: noisy(40, 2, typical)}
	before, after := live(t, sb, sa)
	for i := range sb.rows { // whoever goes second is 60 ms faster
		second := &sa
		if before.Seq.At(int32(i)) > after.Seq.At(int32(i)) {
			second = &sb
		}
		second.rows[i] = with(second.rows[i], segment.WaitUpstream, second.rows[i][segment.WaitUpstream]-60)
	}
	before, after = live(t, sb, sa)
	if f, ok := found(Compare(before, after), FoundOrderEffect); !ok || f.P > 0.001 {
		t.Errorf("order effect not found: %+v", Compare(before, after).Drift.OrderEffect)
	}
}

func TestControl(t *testing.T) {
	quiet := saved(t, side{rows: noisy(25, 1, typical)})
	same, slower := saved(t, side{rows: noisy(25, 2, typical)}), saved(t, side{rows: noisy(25, 3, with(typical, segment.WaitUpstream, 160))})
	if ControlAcross(quiet, same).Moved() {
		t.Error("a control that stayed is said to have moved")
	}
	if !ControlAcross(quiet, slower).Moved() {
		t.Error("a control that lost 60 ms is said to have stayed")
	}
	drifting := noisy(25, 4, typical)
	for i := range drifting {
		drifting[i] = with(drifting[i], segment.WaitUpstream, 100+5*float64(i))
	}
	if ControlDuring(quiet).Moved() || !ControlDuring(saved(t, side{rows: drifting})).Moved() {
		t.Error("drift of a live control is told wrongly")
	}
}

func TestValuesOfADimensionAreCorrectedForTheirNumber(t *testing.T) {
	var groups []Group
	for i, value := range []string{"blue", "green", "red", Rest} {
		moved := typical
		if value == "green" {
			moved = with(typical, segment.WaitUpstream, 170)
		}
		b, a := live(t, side{rows: noisy(12, uint64(i), typical)}, side{rows: noisy(12, uint64(10+i), moved)})
		groups = append(groups, Group{Value: value, Before: b, After: a})
	}
	by := CompareBy("header:x-backend", groups)
	for i, v := range by.Values {
		if want := v.Value == "green"; (v.Verdict == Slower && v.Stands()) != want {
			t.Errorf("%s: %v, Holm p %v", v.Value, v.Verdict, v.Adjusted)
		}
		if v.Adjusted < v.Test.P {
			t.Errorf("%s: adjusted p %v below its own %v", v.Value, v.Adjusted, by.Values[i].Test.P)
		}
	}
	if len(by.Shares) != 4 || by.Shares[0].Counts != [2]int{12, 12} || by.Shares[0].Of != [2]int{48, 48} {
		t.Errorf("shares %+v", by.Shares)
	}
}

func TestRareValuesArePooled(t *testing.T) {
	groups := Pool(map[string]int{"a": 20, "b": 4, "c": 9}, map[string]int{"a": 5, "b": 30, "d": 7})
	for value, want := range map[string]string{"a": "a", "b": Rest, "c": Rest, "d": Rest} {
		if groups[value] != want {
			t.Errorf("%s is compared in %q, want %q", value, groups[value], want)
		}
	}
}

func TestPlanSize(t *testing.T) {
	// The reference's run A: tau 62 ms gives 610, 153, 25, 7 a side for 10, 20, 50, 100 ms.
	a := fixture(t, "ledger-A.jsonl", 0)
	for detect, want := range map[float64]int{10: 610, 20: 160, 50: 30, 100: 10} {
		if s := PlanSize(a.Arm, int64(ms(detect))); !s.Known || s.PerArm != want {
			t.Errorf("%v ms: %d an arm, want %d", detect, s.PerArm, want)
		}
	}
	if s := PlanSize(fixture(t, "ledger-A.jsonl", 4).Arm, int64(ms(20))); s.Known || s.PerArm != 0 || s.Least != 6 {
		t.Errorf("a pilot of 4 plans %+v", s)
	}
	for _, e := range PlanSize(a.Arm, 1).Exists {
		if e.Percentile.String() == "p99" && (e.Useful != 100 || e.Limits != 368) {
			t.Errorf("p99 from %d, with limits from %d", e.Useful, e.Limits)
		}
	}
}

func TestNeededIsMoreThanThereIs(t *testing.T) {
	c := compareLive(t, side{rows: noisy(12, 1, typical)}, side{rows: noisy(12, 3, typical)})
	c.Total.Lo, c.Total.Hi = int64(ms(-16)), int64(ms(25))
	for _, n := range needed(c.Total, int64(ms(5))) {
		if n.N <= 12 || n.N%10 != 0 {
			t.Errorf("%d pairs for %d ns with 12 at hand", n.N, n.Detect)
		}
	}
}
