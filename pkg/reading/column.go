package reading

import (
	"math"
	"math/bits"
	"slices"

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
func (c Column) Present() []int64 { return c.AppendPresent(make([]int64, 0, len(c))) }

// clone copies piece by piece: the collector cannot interrupt one copy of megabytes into new pages, and
// would wait for it on another core.
func (c Column) clone() Column {
	if c == nil {
		return nil
	}
	const piece = 4096
	out := make(Column, len(c))
	for from := 0; from < len(c); from += piece {
		copy(out[from:], c[from:min(from+piece, len(c))])
	}
	return out
}

// AppendPresent appends the values that are not absent, in row order, to b.
func (c Column) AppendPresent(b []int64) []int64 {
	for _, v := range c {
		if v != Absent {
			b = append(b, v)
		}
	}
	return b
}

// table stores columns that come into being when the first row has them, at 8 bytes a row and
// segment; a segment no row has costs nothing.
type table struct {
	rows    int
	has     uint32 // the keys that have a column
	growing [segment.NumKeys]growing[int64]
	cols    [segment.NumKeys]Column // once all rows are in
}

// addRow appends a row; values absent from v become Absent.
func (t *table) addRow(v *values) {
	for set := v.set &^ t.has; set != 0; set &= set - 1 {
		g := &t.growing[bits.TrailingZeros32(set)]
		for range t.rows {
			g.add(Absent)
		}
	}
	t.has |= v.set
	for set := t.has; set != 0; set &= set - 1 {
		k := segment.Key(bits.TrailingZeros32(set))
		t.growing[k].add(v.get(k))
	}
	t.rows++
}

// expect lets columns that are not yet begun ask how many rows there will be.
func (t *table) expect(rows expected) {
	for k := range t.growing {
		t.growing[k].expect = rows
	}
}

// finish makes the columns.
func (t *table) finish() {
	for k := range t.growing {
		t.cols[k] = t.growing[k].join()
	}
}

// sum adds columns row by row, Absent where all of them are; nil when there is none of them.
func (t *table) sum(keys ...segment.Key) Column {
	var out Column
	for _, k := range keys {
		col := t.cols[k]
		if col == nil {
			continue
		}
		if out == nil {
			out = col.clone()
			continue
		}
		for i, v := range col {
			switch {
			case v == Absent:
			case out[i] == Absent:
				out[i] = v
			default:
				out[i] += v
			}
		}
	}
	return out
}

// expected tells from the rows there are how many there will be, 0 when nothing tells.
type expected func(rows int) int

// growing collects values: in one slice as long as it is told what room they will take, else in pieces
// of one size, since what grows by copying would hold, for a while, much more than it has.
type growing[T any] struct {
	full   [][]T
	last   []T
	expect expected // may be nil
}

// pieceRows is the size of a piece; a shorter collection grows by itself.
const pieceRows = 1 << 15

// mostAhead is how many times over a collection grows at once. Room that nobody writes to is not
// resident, but a file of which only the start compresses well could ask for any amount of it.
const mostAhead = 64

func (g *growing[T]) add(v T) {
	if len(g.last) == cap(g.last) && len(g.last) >= pieceRows {
		g.extend()
	}
	g.last = append(g.last, v)
}

// extend makes room behind a last piece that is full.
func (g *growing[T]) extend() {
	if room := g.room(); room > 0 {
		g.last = append(make([]T, 0, room), g.last...)
		return
	}
	g.full = append(g.full, g.last)
	g.last = make([]T, 0, pieceRows)
}

// room is what all values are expected to take, 0 when nothing tells or they are in pieces already.
func (g *growing[T]) room() int {
	rows := len(g.last)
	if g.expect == nil || g.full != nil {
		return 0
	}
	room := g.expect(rows)
	if room < rows+pieceRows {
		return 0
	}
	return min(room+room/64, mostAhead*rows)
}

// join returns everything in one slice and lets go of the pieces.
func (g *growing[T]) join() []T {
	out := g.last
	if g.full != nil {
		out = slices.Concat(append(g.full, g.last)...)
	}
	*g = growing[T]{}
	return out
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
