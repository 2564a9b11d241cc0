package stats

// Tail tells which columns make the slowest rows slow.
type Tail struct {
	Rows []TailRow // those ranked above the percentile, ascending by total
	// MeanTotal is the mean total of these rows, nanoseconds.
	MeanTotal float64
	// Excess is each column's mean over these rows above its part at the base
	// percentile; the entries sum to ExcessTotal, which is MeanTotal above
	// that percentile. Nanoseconds.
	Excess      []float64
	ExcessTotal float64
}

// TailRow is one slow row.
type TailRow struct {
	Row      int32 // index in send order
	Dominant int   // column furthest above its part of the base; -1 without columns
	Above    int64 // by how much, nanoseconds
}

// Share returns the column's share of the excess, 0 where there is none. It
// may be slightly negative.
func (t Tail) Share(column int) float64 {
	if t.ExcessTotal == 0 {
		return 0
	}
	return t.Excess[column] / t.ExcessTotal
}

// TailAbove attributes the rows ranked above the p-th percentile, against a
// split of the same rows at a lower percentile, usually p50. Below 10 rows
// nothing lies above p90 and the tail is empty.
func (r Rows) TailAbove(order []int32, p Percentile, base Split) Tail {
	tail := Tail{Excess: make([]float64, len(r.Columns))}
	slow := order[p.Rank(len(order)):]
	if len(slow) == 0 || len(base.Parts) != len(r.Columns) {
		return tail
	}
	tail.Rows = make([]TailRow, len(slow))
	for at, i := range slow {
		tail.Rows[at] = r.blame(i, base)
	}
	tail.MeanTotal = float64(base.Value) + meanAbove(r.Total, slow, float64(base.Value))
	tail.ExcessTotal = tail.MeanTotal - float64(base.Value)
	for j, column := range r.Columns {
		tail.Excess[j] = meanAbove(column, slow, base.Parts[j])
	}
	return tail
}

func (r Rows) blame(row int32, base Split) TailRow {
	worst, above := -1, 0.0
	for j, column := range r.Columns {
		if excess := float64(column[row]) - base.Parts[j]; worst < 0 || excess > above {
			worst, above = j, excess
		}
	}
	return TailRow{Row: row, Dominant: worst, Above: round(above)}
}

func meanAbove(values []int64, rows []int32, base float64) float64 {
	sum := 0.0
	for _, i := range rows {
		sum += float64(values[i]) - base
	}
	return sum / float64(len(rows))
}
