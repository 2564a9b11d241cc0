package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSplitAddsUpAndStaysInRange(t *testing.T) {
	r := newRand(20)
	shrunk := 0
	for range 3000 {
		rows := randomRows(r, 1+r.IntN(120), 1+r.IntN(6))
		order := rows.Order()
		for _, p := range []Percentile{P10, P50, P90, P99} {
			s := rows.SplitAt(order, p)
			wantClosedSplit(t, rows, order, s)
			shrunk += HalfWidth(s.N, s.Rank) - s.Half
		}
	}
	if shrunk == 0 {
		t.Error("no window ever shrank: the range rule went untested")
	}
}

func wantClosedSplit(t *testing.T, rows Rows, order []int32, s Split) {
	t.Helper()
	sum, weights, whole := 0.0, 0.0, int64(0)
	for _, part := range s.Parts {
		sum += part
	}
	for _, weight := range s.Weights {
		weights += weight
	}
	for _, part := range s.Whole() {
		whole += part
	}
	if diff(sum, float64(s.Value)) > 1e-6*max(1, float64(s.Value)/1e9) || diff(weights, 1) > 1e-9 || whole != s.Value {
		t.Fatalf("parts sum to %v, whole %d, weights %v; want %d, %d, 1", sum, whole, weights, s.Value, s.Value)
	}
	for j, part := range s.Parts {
		low, high := rangeIn(rows.Columns[j], order[s.Rank-1-s.Half:s.Rank+s.Half])
		if !rows.exempt(j) && (part < float64(low)-1e-3 || part > float64(high)+1e-3) {
			t.Fatalf("part %v of column %d lies outside %d..%d", part, j, low, high)
		}
	}
}

func rangeIn(column []int64, window []int32) (low, high int64) {
	values := gather(column, window)
	return slices.Min(values), slices.Max(values)
}

// Two rows above the percentile, one of them far, and a column that only that
// one has: the line through all five would be read below zero.
func TestWindowShrinksRatherThanInventANegativeTime(t *testing.T) {
	rows := Rows{Total: []int64{100, 101, 102, 200, 400}, Columns: [][]int64{
		{100, 101, 102, 200, 300}, {0, 0, 0, 0, 100},
	}}
	order := rows.Order()
	weights, parts := make([]float64, 5), make([]float64, 2)
	rows.line(order, weights)
	rows.parts(order, weights, parts)
	if parts[1] >= 0 {
		t.Fatalf("the unguarded line gives %v: the case does not test the rule", parts)
	}
	if half := rows.fit(order, 3, 2, weights, parts); half != 1 || parts[1] != 0 {
		t.Errorf("half width %d, parts %v, want 1, [102 0]", half, parts)
	}
	rows.Exempt = []bool{true, true}
	if half := rows.fit(order, 3, 2, weights, parts); half != 2 || parts[1] >= 0 {
		t.Errorf("exempt columns: half width %d, parts %v, want the negative part kept", half, parts)
	}
}

func TestSplitLaws(t *testing.T) {
	r := newRand(21)
	for range 300 {
		rows := randomRows(r, 1+r.IntN(60), 4)
		s := rows.SplitAt(rows.Order(), P50)
		moved := addToColumn(rows, 2, 40e6)
		m := moved.SplitAt(moved.Order(), P50)
		for j := range s.Parts {
			want := s.Parts[j]
			if j == 2 {
				want += 40e6
			}
			if diff(m.Parts[j], want) > 1e-3 {
				t.Fatalf("40 ms added to column 2 moved column %d from %v to %v", j, s.Parts[j], m.Parts[j])
			}
		}
		mixed := permuted(rows, r)
		if p := mixed.SplitAt(mixed.Order(), P50); !slices.Equal(p.Parts, s.Parts) {
			t.Fatalf("permuted rows: %v, want %v", p.Parts, s.Parts)
		}
	}
}

func addToColumn(rows Rows, column int, by int64) Rows {
	moved := Rows{Total: shifted(rows.Total, by), Columns: slices.Clone(rows.Columns), Exempt: rows.Exempt}
	moved.Columns[column] = shifted(rows.Columns[column], by)
	return moved
}

func permuted(rows Rows, r *rand.Rand) Rows {
	indexes := make([]int32, rows.Len())
	for at, i := range r.Perm(rows.Len()) {
		indexes[at] = int32(i)
	}
	return rows.pick(indexes)
}

func scaledRows(rows Rows, by int64) Rows {
	out := Rows{Total: times(rows.Total, by), Exempt: rows.Exempt}
	for _, column := range rows.Columns {
		out.Columns = append(out.Columns, times(column, by))
	}
	return out
}

func TestSplitOfDegenerateRows(t *testing.T) {
	flat := Rows{Total: []int64{9, 9, 9, 9, 9, 9, 9}, Columns: [][]int64{{4, 4, 4, 4, 4, 4, 4}, {5, 5, 5, 5, 5, 5, 5}}}
	if s := flat.SplitAt(flat.Order(), P50); !slices.Equal(s.Parts, []float64{4, 5}) {
		t.Errorf("equal rows: %v", s.Parts)
	}
	for name, rows := range map[string]Rows{
		"nothing": {}, "no rows": {Columns: [][]int64{{}, {}}}, "no columns": {Total: []int64{1, 2, 3}},
		"one row": {Total: []int64{3}, Columns: [][]int64{{1}, {2}}}, "short column": {Total: []int64{3, 4}, Columns: [][]int64{{1}, {2, 2}}},
	} {
		order := rows.Order()
		s := rows.SplitAt(order, P99)
		tail := rows.TailAbove(order, P90, s)
		change := SplitChangeOf(rows, rows, P50, [][2]int32{{0, 0}, {-1, 5}})
		if len(order) != rows.Len() || len(s.Parts) != len(rows.Columns) || len(tail.Rows) != 0 || change.Interval().HasLo || change.Offset().HasValue {
			t.Errorf("%s: order %v, split %+v, tail %+v", name, order, s, tail)
		}
	}
}

func TestArmsOfUnlikeColumnsHaveNoInterval(t *testing.T) {
	r := newRand(23)
	two, three := randomRows(r, 9, 2), randomRows(r, 9, 3)
	if iv := SplitChangeOf(two, three, P50, nil).Interval(); iv.HasLo || iv.HasHi {
		t.Errorf("interval %+v", iv)
	}
}

func TestLargestRemainderAlwaysHoldsItsTotal(t *testing.T) {
	r := newRand(22)
	for range 2000 {
		values, total := make([]float64, 1+r.IntN(9)), int64(r.IntN(2000))-500
		for i := range values {
			values[i] = 300*r.Float64() - 50
		}
		sum := int64(0)
		for _, v := range LargestRemainder(values, total) {
			sum += v
		}
		if sum != total {
			t.Fatalf("%v rounded to a sum of %d, want %d", values, sum, total)
		}
	}
	if got := LargestRemainder([]float64{math.NaN(), math.Inf(1), -1e-12, 2.9999999999}, 3); !slices.Equal(got, []int64{0, 0, 0, 3}) {
		t.Errorf("odd values = %v", got)
	}
	if got := LargestRemainder(nil, 3); len(got) != 0 {
		t.Errorf("no values = %v", got)
	}
}
