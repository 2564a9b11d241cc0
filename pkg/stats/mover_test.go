package stats

import (
	"testing"
)

type moverReference struct {
	Old, New, Delta int64
	Lo, Hi, Rho     float64
	OldCI           [2]float64 `json:"old_ci"`
	NewCI           [2]float64 `json:"new_ci"`
	UsedExtremes    bool       `json:"used_extremes"`
}

func wantChange(t *testing.T, name string, got Change, want *moverReference) {
	t.Helper()
	if want == nil {
		if got.HasLo || got.HasHi {
			t.Errorf("%s: interval %+v, want none", name, got.Interval)
		}
		return
	}
	if got.Before.Value != want.Old*unit || got.After.Value != want.New*unit || got.Delta != want.Delta*unit {
		t.Errorf("%s: %d -> %d, change %d, want %+v", name, got.Before.Value, got.After.Value, got.Delta, want)
	}
	wantNear(t, name+" rho", got.Rho, want.Rho)
	wantLimit(t, name+" lo", got.HasLo, got.Lo, &want.Lo)
	wantLimit(t, name+" hi", got.HasHi, got.Hi, &want.Hi)
	wantLimit(t, name+" before lo", true, got.Before.Lo, &want.OldCI[0])
	wantLimit(t, name+" before hi", true, got.Before.Hi, &want.OldCI[1])
	wantLimit(t, name+" after lo", true, got.After.Lo, &want.NewCI[0])
	wantLimit(t, name+" after hi", true, got.After.Hi, &want.NewCI[1])
	if extremes := got.Confidence == 0.9375; extremes != want.UsedExtremes {
		t.Errorf("%s: confidence %v, range used %v", name, got.Confidence, want.UsedExtremes)
	}
}

func TestChangeOfSeparateRunsReference(t *testing.T) {
	for name, want := range vector[map[string]rankReference](t, "two_sample") {
		wantChange(t, name, ChangeOf(scaled(Sorted(want.Old)), scaled(Sorted(want.New)), P50, ChangeOptions{}), want.Mover)
	}
}

func TestChangeOfPairsReference(t *testing.T) {
	for name, want := range vector[map[string]rankReference](t, "paired") {
		before, after := Sorted(want.Old), Sorted(want.New)
		levels := [2]int64{QuantileOf(before, P50).Value, QuantileOf(after, P50).Value}
		wantNear(t, name+" phi", phiOf(want.Old, want.New, levels[0], levels[1]), want.Phi)
		rho := PairingTerm(want.Old, want.New, levels[0], levels[1])
		wantChange(t, name, ChangeOf(scaled(before), scaled(after), P50, ChangeOptions{Rho: rho}), want.Mover)
	}
}

func TestPairingTermTrustsFewPairsOnlyWhenTheyDisagree(t *testing.T) {
	up, down := []int64{1, 2, 3, 4, 5, 6, 7, 8}, []int64{8, 7, 6, 5, 4, 3, 2, 1}
	for n, want := range map[int][2]float64{4: {0, 0}, 5: {0, -1}, 7: {0, -1}, 8: {1, -1}} {
		level := int64(n / 2)
		same, opposite := PairingTerm(up[:n], up[:n], level, level), PairingTerm(up[:n], down[8-n:], level, int64(n)-level)
		if same != want[0] || opposite != want[1] {
			t.Errorf("%d pairs: %v, %v, want %v", n, same, opposite, want)
		}
	}
	if rho := PairingTerm(make([]int64, 9), up, 0, 4); rho != 0 {
		t.Errorf("constant arm: rho = %v", rho)
	}
}

func TestChangeMirrorsShiftsAndScales(t *testing.T) {
	r := newRand(8)
	for range 2000 {
		before, after := Sorted(randomSample(r, r.IntN(60))), Sorted(randomSample(r, r.IntN(60)))
		p := []Percentile{P10, P50, P90}[r.IntN(3)]
		options := ChangeOptions{Rho: 2*r.Float64() - 1}
		c := ChangeOf(before, after, p, options)
		if m := ChangeOf(after, before, p, options); m.Delta != -c.Delta || m.Lo != -c.Hi || m.Hi != -c.Lo || m.HasLo != c.HasHi {
			t.Fatalf("change %+v, mirrored %+v", c, m)
		}
		if s := ChangeOf(shifted(before, 55), shifted(after, 55), p, options); s.Interval != c.Interval || s.Delta != c.Delta {
			t.Fatalf("change %+v, shifted %+v", c, s)
		}
		if s := ChangeOf(times(before, 1000), times(after, 1000), p, options); s.Lo/1000-c.Lo > 3 || c.Lo-s.Lo/1000 > 3 {
			t.Fatalf("change %+v, scaled %+v", c, s)
		}
		if c.Complete() && (c.Lo > c.Delta || c.Hi < c.Delta) {
			t.Fatalf("change %+v lies outside its interval", c)
		}
	}
}

func shifted(x []int64, by int64) []int64 {
	out := make([]int64, len(x))
	for i, v := range x {
		out[i] = v + by
	}
	return out
}

func times(x []int64, by int64) []int64 {
	out := make([]int64, len(x))
	for i, v := range x {
		out[i] = v * by
	}
	return out
}

func TestRatioTurnsWhereTheScaledChangeDoes(t *testing.T) {
	r := newRand(9)
	for range 300 {
		before, after := make([]int64, 30), make([]int64, 25)
		for i := range before {
			before[i] = 250e6 + int64(20e6*r.NormFloat64())
		}
		for i := range after {
			after[i] = 270e6 + int64(20e6*r.NormFloat64())
		}
		Sort(before)
		Sort(after)
		options := ChangeOptions{Rho: r.Float64()}
		ratio := ChangeOf(before, after, P50, options).Ratio()
		if !ratio.HasInterval || ratio.Lo > ratio.Value || ratio.Hi < ratio.Value {
			t.Fatalf("ratio %+v", ratio)
		}
		for limit, edge := range map[float64]func(Change) int64{
			ratio.Lo: func(c Change) int64 { return c.Lo }, ratio.Hi: func(c Change) int64 { return c.Hi },
		} {
			grown := make([]int64, len(before))
			for i, v := range before {
				grown[i] = round(limit * float64(v))
			}
			if at := edge(ChangeOf(grown, after, P50, options)); at < -5 || at > 5 {
				t.Fatalf("change against %v times before is %d ns from zero", limit, at)
			}
		}
	}
}

func TestRatioOfDegenerateSamples(t *testing.T) {
	same, zero := []int64{5, 5, 5, 5, 5, 5, 5}, make([]int64, 7)
	if r := ChangeOf(same, same, P50, ChangeOptions{}).Ratio(); r != (Ratio{Value: 1, Lo: 1, Hi: 1, HasValue: true, HasInterval: true}) {
		t.Errorf("equal constants: %+v", r)
	}
	for name, r := range map[string]Ratio{
		"zero before": ChangeOf(zero, same, P50, ChangeOptions{}).Ratio(),
		"no before":   ChangeOf(nil, same, P50, ChangeOptions{}).Ratio(),
	} {
		if r.HasValue || r.HasInterval {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
