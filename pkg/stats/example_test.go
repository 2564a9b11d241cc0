package stats_test

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Seven requests in milliseconds: what they took in all, while connecting and
// while waiting.
func Example() {
	rows := stats.Rows{
		Total:   []int64{270, 262, 265, 1282, 259, 268, 257},
		Columns: [][]int64{{22, 20, 21, 1033, 19, 22, 19}, {248, 242, 244, 249, 240, 246, 238}},
	}
	sorted := stats.Sorted(rows.Total)
	p50, p99 := stats.IntervalOf(sorted, stats.P50), stats.QuantileOf(sorted, stats.P99)
	fmt.Printf("p50 %d (%d to %d), p99 %d, merely the slowest: %v; a p99 needs %d\n",
		p50.Value, p50.Lo, p50.Hi, p99.Value, p99.IsMax(), stats.P99.UsefulFrom())

	split := rows.SplitAt(rows.Order(), stats.P50)
	fmt.Printf("at p50: %.1f + %.1f = %d\n", split.Parts[0], split.Parts[1], split.Value)
	fmt.Println("shown: ", split.Whole())

	// Output:
	// p50 265 (258 to 540), p99 1282, merely the slowest: true; a p99 needs 100
	// at p50: 21.0 + 244.0 = 265
	// shown:  [21 244]
}

func ExampleChangeOf() {
	before := []int64{412, 421, 422, 440, 445, 467, 470, 473, 476, 496, 500, 505}
	after := []int64{294, 305, 308, 315, 331, 336, 340, 351, 367, 376, 403, 408}
	change := stats.ChangeOf(before, after, stats.P50, stats.ChangeOptions{})
	fmt.Printf("%d -> %d: %d (%d to %d), outside zero: %v\n",
		change.Before.Value, change.After.Value, change.Delta, change.Lo, change.Hi, change.ExcludesZero())

	// Output:
	// 467 -> 336: -131 (-166 to -76), outside zero: true
}
