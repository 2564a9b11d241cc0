package stats

import (
	"cmp"
	"slices"
)

// Rows are one arm's exchanges in send order, by column. Every row's columns
// sum to its total; the split of a percentile adds up only because they do.
type Rows struct {
	Total   []int64   // nanoseconds
	Columns [][]int64 // Columns[j][i] belongs to Total[i]; nanoseconds
	// Exempt marks columns whose part may lie outside what the rows around the
	// percentile took; nil exempts none. Such is a remainder that is never
	// clamped.
	Exempt []bool
}

// Len returns the number of rows that are complete in every column.
func (r Rows) Len() int {
	n := len(r.Total)
	for _, column := range r.Columns {
		n = min(n, len(column))
	}
	return n
}

// Order returns the row indexes by total, ties by the columns' values from
// left to right and then by send order, so that permuting rows changes no
// result.
func (r Rows) Order() []int32 {
	order := OrderOf(r.Total[:r.Len()])
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && r.Total[order[to]] == r.Total[order[from]] {
			to++
		}
		if to-from > 1 {
			slices.SortStableFunc(order[from:to], r.compareColumns)
		}
		from = to
	}
	return order
}

func (r Rows) compareColumns(a, b int32) int {
	for _, column := range r.Columns {
		if c := cmp.Compare(column[a], column[b]); c != 0 {
			return c
		}
	}
	return 0
}

// pick returns the rows at the given indexes, in that order.
func (r Rows) pick(indexes []int32) Rows {
	picked := Rows{Total: gather(r.Total, indexes), Exempt: r.Exempt}
	for _, column := range r.Columns {
		picked.Columns = append(picked.Columns, gather(column, indexes))
	}
	return picked
}

func (r Rows) exempt(column int) bool { return column < len(r.Exempt) && r.Exempt[column] }

func gather(values []int64, indexes []int32) []int64 {
	out := make([]int64, len(indexes))
	for i, index := range indexes {
		out[i] = values[index]
	}
	return out
}
