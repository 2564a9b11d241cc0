package stats

import (
	"testing"
)

type rankReference struct {
	Old, New    []int64
	Diff        []int64
	MannWhitney struct {
		U       float64
		PExact  float64 `json:"p_exact"`
		PNormal float64 `json:"p_normal_cc"`
	} `json:"mann_whitney"`
	SignedRank struct {
		V       float64
		Nonzero int     `json:"n_nonzero"`
		PExact  float64 `json:"p_exact"`
	} `json:"wilcoxon_signed_rank"`
	Mover *moverReference `json:"delta_p50_mover"`
	Phi   float64         `json:"phi_p50"`
}

func TestMannWhitneyReference(t *testing.T) {
	for name, want := range vector[map[string]rankReference](t, "two_sample") {
		got := MannWhitney(want.Old, want.New)
		wantNear(t, name+" U", got.Statistic, want.MannWhitney.U)
		wantNear(t, name+" p", got.P, want.MannWhitney.PExact)
		_, ties := midranks(append(append([]int64{}, want.Old...), want.New...))
		normal := normalMannWhitney(got.Statistic, len(want.Old), len(want.New), ties)
		if diff := normal - want.MannWhitney.PNormal; diff > 1e-6 || diff < -1e-6 {
			t.Errorf("%s normal p = %v, want %v", name, normal, want.MannWhitney.PNormal)
		}
	}
}

func TestSignedRankReference(t *testing.T) {
	for name, want := range vector[map[string]rankReference](t, "paired") {
		got := SignedRank(want.Diff)
		wantNear(t, name+" V", got.Statistic, want.SignedRank.V)
		wantNear(t, name+" p", got.P, want.SignedRank.PExact)
		if got.N != want.SignedRank.Nonzero || !got.Exact {
			t.Errorf("%s: N = %d, exact %v, want %d, exact", name, got.N, got.Exact, want.SignedRank.Nonzero)
		}
	}
}

// Every deal of the ranks, counted one by one.
func TestMannWhitneyMatchesEnumeration(t *testing.T) {
	r := newRand(4)
	for range 200 {
		m, n := 1+r.IntN(5), 1+r.IntN(5)
		before, after := randomSample(r, m), randomSample(r, n)
		all := append(append([]int64{}, before...), after...)
		ranks, _ := midranks(all)
		far, deals := 0.0, 0.0
		seen, mean := sumOf(ranks, 1<<(m+n)-1<<m), n*(m+n+1)
		for deal := range 1 << (m + n) {
			if onesIn(deal) == n {
				deals++
				far += indicator(abs(sumOf(ranks, deal)-mean) >= abs(seen-mean))
			}
		}
		wantNear(t, "enumerated p", MannWhitney(before, after).P, far/deals)
	}
}

func sumOf(ranks []int, mask int) int {
	sum := 0
	for i, rank := range ranks {
		if mask>>i&1 == 1 {
			sum += rank
		}
	}
	return sum
}

func onesIn(mask int) int {
	count := 0
	for ; mask > 0; mask &= mask - 1 {
		count++
	}
	return count
}

func TestExactAndNormalTestsMeet(t *testing.T) {
	r := newRand(5)
	for range 20 {
		before, after := make([]int64, 50), make([]int64, 50)
		for i := range before {
			before[i], after[i] = int64(r.Uint64()>>1), int64(r.Uint64()>>1)
		}
		got := MannWhitney(before, after)
		_, ties := midranks(append(append([]int64{}, before...), after...))
		if normal := normalMannWhitney(got.Statistic, 50, 50, ties); !got.Exact || normal-got.P > 0.003 || got.P-normal > 0.003 {
			t.Errorf("50 against 50: exact %v (%v), normal %v", got.P, got.Exact, normal)
		}
		if MannWhitney(append(before, 1), after).Exact {
			t.Error("51 observations are tested exactly")
		}
	}
}

func TestRankTestsOfNothingToTell(t *testing.T) {
	same := []int64{7, 7, 7, 7, 7, 7}
	many := make([]int64, 400)
	for name, got := range map[string]RankTest{
		"empty": MannWhitney(nil, nil), "one arm": MannWhitney(same, nil), "all equal": MannWhitney(same, same),
		"many equal": MannWhitney(many, many), "no pairs": SignedRank(nil), "no difference": SignedRank(many),
		"order of none": OrderEffect(nil, nil), "order of one kind": OrderEffect(same, make([]bool, 6)),
	} {
		if got.P != 1 {
			t.Errorf("%s: p = %v, want 1", name, got.P)
		}
	}
}

func TestRankTestsMirror(t *testing.T) {
	r := newRand(6)
	for range 300 {
		before, after := randomSample(r, 1+r.IntN(70)), randomSample(r, 1+r.IntN(70))
		there, back := MannWhitney(before, after), MannWhitney(after, before)
		if there.P != back.P && !near(there.P, back.P) || there.Statistic+back.Statistic != float64(len(before)*len(after)) {
			t.Fatalf("Mann-Whitney %+v, mirrored %+v", there, back)
		}
		differences, negated := make([]int64, len(before)), make([]int64, len(before))
		for i, v := range before {
			differences[i], negated[i] = v-200e6, 200e6-v
		}
		if a, b := SignedRank(differences), SignedRank(negated); a.P != b.P {
			t.Fatalf("signed rank %+v, mirrored %+v", a, b)
		}
	}
}

func TestOrderEffectFindsAWarmSecond(t *testing.T) {
	r := newRand(7)
	differences, beforeFirst := make([]int64, 40), make([]bool, 40)
	for i := range differences {
		beforeFirst[i] = r.IntN(2) == 0
		differences[i] = int64(5e6 * r.NormFloat64())
		if beforeFirst[i] {
			differences[i] -= 20e6
		} else {
			differences[i] += 20e6
		}
	}
	if p := OrderEffect(differences, beforeFirst).P; p > 0.001 {
		t.Errorf("p = %v for a second exchange 20 ms faster in each pair", p)
	}
}
