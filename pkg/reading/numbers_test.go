package reading

import (
	"math"
	"slices"
	"testing"
)

// TestNumbersAreThoseAdded: evenly or not, and wherever the evenness ends, also where adding up wraps.
func TestNumbersAreThoseAdded(t *testing.T) {
	const rows = pieceRows + 40
	for name, of := range map[string]func(row int) int32{
		"one by one":     func(row int) int32 { return int32(row) },
		"from the third": func(row int) int32 { return int32(2*row + 2) },
		"all the same":   func(int) int32 { return 7 },
		"downwards":      func(row int) int32 { return int32(-3 * row) },
		"wrapping":       func(row int) int32 { return int32(row) * math.MaxInt32 },
		"uneven at once": func(row int) int32 { return int32(row ^ 1) },
		"uneven late":    func(row int) int32 { return int32(row + row/pieceRows) },
	} {
		var n Numbers
		var want []int32
		for row := range rows {
			n.add(of(row))
			want = append(want, of(row))
		}
		n.finish()
		got := make([]int32, n.Len())
		for row := range got {
			got[row] = n.At(int32(row))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the numbers differ", name)
		}
		if n.Ascending() != slices.IsSorted(want) {
			t.Errorf("%s: ascending is %v", name, n.Ascending())
		}
	}
}

func TestNumbersOfFewRows(t *testing.T) {
	for _, want := range [][]int32{nil, {5}, {5, 3}, {5, 3, 1}, {5, 3, 2}} {
		var n Numbers
		for _, v := range want {
			n.add(v)
		}
		n.finish()
		for row, v := range want {
			if n.At(int32(row)) != v {
				t.Errorf("%v: row %d is %d", want, row, n.At(int32(row)))
			}
		}
		if n.Len() != len(want) {
			t.Errorf("%v: %d rows", want, n.Len())
		}
	}
}
