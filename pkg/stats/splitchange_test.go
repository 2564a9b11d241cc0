package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func pairsOf(n int) [][2]int32 {
	pairs := make([][2]int32, n)
	for i := range pairs {
		pairs[i] = [2]int32{int32(i), int32(i)}
	}
	return pairs
}

func swapped(pairs [][2]int32) [][2]int32 {
	out := make([][2]int32, len(pairs))
	for i, pair := range pairs {
		out[i] = [2]int32{pair[1], pair[0]}
	}
	return out
}

// latencyRows have five columns like a measured run: smooth ones, a rare SYN
// loss in column 1 and the rest in column 4.
func latencyRows(r *rand.Rand, n int, moved float64) Rows {
	rows := Rows{Columns: make([][]int64, 5)}
	for range n {
		row := [5]float64{12 + 3*r.NormFloat64(), 40 + 2*r.NormFloat64(), 80 + 6*r.NormFloat64(), 120 + moved + 15*r.NormFloat64(), 1 + r.Float64()}
		if r.IntN(14) == 0 {
			row[1] += 1000
		}
		total := int64(0)
		for j, v := range row {
			ns := max(0, int64(v*1e6))
			rows.Columns[j] = append(rows.Columns[j], ns)
			total += ns
		}
		rows.Total = append(rows.Total, total)
	}
	return rows
}

func TestSplitChangeMirrorsExactly(t *testing.T) {
	r := newRand(30)
	for _, sizes := range [][3]int{{25, 25, 0}, {25, 25, 25}, {30, 26, 20}, {5, 6, 0}, {2100, 40, 0}, {2100, 2200, 0}, {2100, 2100, 2100}, {3000, 3000, 10}} {
		before, after := latencyRows(r, sizes[0], 0), latencyRows(r, sizes[1], 10)
		pairs := pairsOf(sizes[2])
		there, back := SplitChangeOf(before, after, P50, pairs), SplitChangeOf(after, before, P50, swapped(pairs))
		for j := -1; j < 5; j++ {
			columns := []int{j}
			if j < 0 {
				columns = nil
			}
			a, b := there.Interval(columns...), back.Interval(columns...)
			if a.Lo != -b.Hi || a.Hi != -b.Lo || !a.Complete() || there.Delta(columns...) != -back.Delta(columns...) || a.Lo > a.Hi {
				t.Errorf("%v column %d: %+v, mirrored %+v", sizes, j, a, b)
			}
		}
	}
}

func TestSplitChangeIgnoresOrderShiftAndScale(t *testing.T) {
	r := newRand(31)
	for range 5 {
		before, after := latencyRows(r, 25, 0), latencyRows(r, 30, 10)
		want := SplitChangeOf(before, after, P50, nil)
		for name, got := range map[string]*SplitChange{
			"permuted": SplitChangeOf(permuted(before, r), permuted(after, r), P50, nil),
			"shifted":  SplitChangeOf(addToColumn(before, 1, 7e6), addToColumn(after, 1, 7e6), P50, nil),
		} {
			for j := range 5 {
				if a, b := want.Interval(j), got.Interval(j); absolute(a.Lo-b.Lo) > 1 || absolute(a.Hi-b.Hi) > 1 {
					t.Errorf("%s column %d: %+v, want %+v", name, j, b, a)
				}
			}
		}
		one := SplitChangeOf(before, addToColumn(after, 3, 50e6), P50, nil)
		thousand := SplitChangeOf(scaledRows(before, 1000), scaledRows(after, 1000), P50, nil)
		for j := range 5 {
			a, moved, s := want.Interval(j), one.Interval(j), thousand.Interval(j)
			if j == 3 {
				a.Lo, a.Hi = a.Lo+50e6, a.Hi+50e6
			}
			if absolute(a.Lo-moved.Lo) > 1 || absolute(a.Hi-moved.Hi) > 1 {
				t.Errorf("50 ms added to column 3 of after: column %d %+v, want %+v", j, moved, a)
			}
			if a = want.Interval(j); absolute(s.Lo-1000*a.Lo) > 1000 || absolute(s.Hi-1000*a.Hi) > 1000 {
				t.Errorf("scaled column %d: %+v, want %+v times 1000", j, s, a)
			}
		}
	}
}

func absolute(v int64) int64 { return max(v, -v) }

func TestPermutedPairsGiveTheSameIntervals(t *testing.T) {
	r := newRand(32)
	before, after := latencyRows(r, 40, 0), latencyRows(r, 40, 10)
	want := SplitChangeOf(before, after, P50, pairsOf(40))
	mixedPairs := pairsOf(40)
	r.Shuffle(40, func(i, j int) { mixedPairs[i], mixedPairs[j] = mixedPairs[j], mixedPairs[i] })
	got := SplitChangeOf(before, after, P50, mixedPairs)
	for j := range 5 {
		if want.Interval(j) != got.Interval(j) {
			t.Errorf("column %d: %+v, want %+v", j, got.Interval(j), want.Interval(j))
		}
	}
}

func TestSplitChangeOfAnArmWithItself(t *testing.T) {
	rows := latencyRows(newRand(33), 50, 0)
	for name, c := range map[string]*SplitChange{
		"separate": SplitChangeOf(rows, rows, P50, nil), "paired": SplitChangeOf(rows, rows, P50, pairsOf(50)),
	} {
		for j := range 5 {
			if iv := c.Interval(j); iv.Lo != 0 || iv.Hi != 0 || iv.ExcludesZero() || c.Delta(j) != 0 {
				t.Errorf("%s column %d: %v, %+v", name, j, c.Delta(j), iv)
			}
		}
	}
}

// A copy moved by a constant draws from a stream of its own: sharing one would
// make the interval a point.
func TestShiftedCopyKeepsItsNoise(t *testing.T) {
	rows := latencyRows(newRand(34), 50, 0)
	iv := SplitChangeOf(rows, addToColumn(rows, 3, 40e6), P50, nil).Interval(3)
	if iv.Hi-iv.Lo < 1e6 || !iv.Contains(40e6) {
		t.Errorf("interval %+v around a shift of 40 ms", iv)
	}
}

func TestPairsTakeOutWhatTheyShare(t *testing.T) {
	r := newRand(35)
	before, after := latencyRows(r, 60, 0), latencyRows(r, 60, 10)
	for i := range before.Total {
		drift := int64(i) * 3e6
		for _, rows := range []Rows{before, after} {
			rows.Columns[2][i] += drift
			rows.Total[i] += drift
		}
	}
	apart, together := SplitChangeOf(before, after, P50, nil).Interval(2), SplitChangeOf(before, after, P50, pairsOf(60)).Interval(2)
	if together.Hi-together.Lo >= (apart.Hi-apart.Lo)*9/10 {
		t.Errorf("paired width %d, unpaired %d", together.Hi-together.Lo, apart.Hi-apart.Lo)
	}
}

func TestBlocksAndResamplesAgree(t *testing.T) {
	r := newRand(36)
	small, large := latencyRows(r, resampleUpTo, 0), latencyRows(r, resampleUpTo, 10)
	few := SplitChangeOf(small, large, P50, nil)
	more := SplitChangeOf(extended(small, r), extended(large, r), P50, nil)
	for j := range 5 {
		a, b := few.Interval(j), more.Interval(j)
		ratio := float64(b.Hi-b.Lo) / float64(a.Hi-a.Lo)
		if ratio < 0.6 || ratio > 1.7 {
			t.Errorf("column %d: resampled %+v, from blocks %+v", j, a, b)
		}
	}
}

func extended(rows Rows, r *rand.Rand) Rows {
	more := latencyRows(r, 30, 0)
	rows.Total = append(rows.Total, more.Total...)
	for j := range rows.Columns {
		rows.Columns[j] = append(rows.Columns[j], more.Columns[j]...)
	}
	return rows
}

// The chance that a resample's percentile is a given row is known in closed
// form.
func TestResamplesDrawRowsAsOftenAsTheyShould(t *testing.T) {
	for name, want := range vector[map[string][]float64](t, "boot_weights") {
		var n, rank int
		if _, err := fmt.Sscanf(name, "n%d_r%d", &n, &rank); err != nil {
			t.Fatal(err)
		}
		rows := Rows{Total: make([]int64, n), Columns: [][]int64{make([]int64, n)}}
		for i := range rows.Total {
			rows.Total[i], rows.Columns[0][i] = int64(i), int64(i)
		}
		resampler := newRowResampler(rows, Split{Quantile: Quantile{Rank: rank, N: n}}, []drawGroup{{stream: stream(40, 0), rows: rows.Order()}})
		const draws = 20_000
		counts, parts := make([]float64, n), make([]float64, 1)
		for range draws {
			resampler.next(parts)
			counts[int(math.Round(parts[0]))]++
		}
		for i, share := range want {
			if noise := 5*math.Sqrt(share*(1-share)/draws) + 1e-3; diff(counts[i]/draws, share) > noise {
				t.Errorf("%s: row %d at the percentile in %v of resamples, want %v", name, i, counts[i]/draws, share)
			}
		}
	}
}

func TestOffsetWithoutGain(t *testing.T) {
	r := newRand(37)
	c := SplitChangeOf(latencyRows(r, 25, 0), latencyRows(r, 25, 100), P50, nil)
	if o := c.Offset(3); o.HasValue || o.HasInterval || o.Loss < 80e6 {
		t.Errorf("a loss alone: %+v", o)
	}
	if o := c.Offset(); o != (Offset{}) {
		t.Errorf("nothing confirmed: %+v", o)
	}
}

func BenchmarkSplitChange(b *testing.B) {
	r := newRand(38)
	for _, n := range []int{25, 100, 2000, 100_000, 1_000_000} {
		before, after := latencyRows(r, n, 0), latencyRows(r, n, 10)
		b.Run(fmt.Sprintf("separate/%d", n), func(b *testing.B) {
			for b.Loop() {
				SplitChangeOf(before, after, P50, nil)
			}
		})
		b.Run(fmt.Sprintf("paired/%d", n), func(b *testing.B) {
			for b.Loop() {
				SplitChangeOf(before, after, P50, pairsOf(n))
			}
		})
	}
}
