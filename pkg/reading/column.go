package reading

import (
	"math"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Absent marks a row in which a segment did not occur or was not reported.
const Absent = math.MinInt64

// Column holds one segment of every row, in nanoseconds, [Absent] where a row has none.
type Column []int64

// Complete reports whether every row named has a value; with no rows it is false.
func (c Column) Complete(rows []int32) bool {
	if len(c) == 0 || len(rows) == 0 {
		return false
	}
	for _, r := range rows {
		if c[r] == Absent {
			return false
		}
	}
	return true
}

// Present returns the values that are not absent, in row order. The slice is the caller's.
func (c Column) Present() []int64 {
	out := make([]int64, 0, len(c))
	for _, v := range c {
		if v != Absent {
			out = append(out, v)
		}
	}
	return out
}

// table stores columns that come into being when the first row has them, at 8 bytes a row and
// segment; a segment no row has costs nothing.
type table struct {
	rows int
	cols [segment.NumKeys]Column
}

// addRow appends a row; values absent from v become Absent.
func (t *table) addRow(v *values) {
	for k := range t.cols {
		key := segment.Key(k)
		switch {
		case t.cols[k] != nil:
			t.cols[k] = append(t.cols[k], v.get(key))
		case v.has(key):
			t.cols[k] = append(absent(t.rows), v.get(key))
		}
	}
	t.rows++
}

func absent(n int) Column {
	c := make(Column, n, max(n+1, 32))
	for i := range c {
		c[i] = Absent
	}
	return c
}

// values is one row under construction.
type values struct {
	v   [segment.NumKeys]int64
	set uint32
}

func (v *values) put(k segment.Key, ns int64) {
	v.v[k] = ns
	v.set |= 1 << k
}

func (v *values) has(k segment.Key) bool { return v.set&(1<<k) != 0 }

func (v *values) get(k segment.Key) int64 {
	if !v.has(k) {
		return Absent
	}
	return v.v[k]
}
