package reading

// Numbers is a whole number for each row. While they go up evenly, as the send order and the rounds of a
// route measured by itself do, they take no memory; from the first that does not on, 4 bytes a row. The
// zero Numbers is empty.
type Numbers struct {
	n           int
	first, step int32
	grown       growing[int32] // of uneven ones, until all rows are in
	uneven      []int32
}

// Len is how many numbers there are.
func (n *Numbers) Len() int { return n.n }

// At is the number of a row, which must be at least 0 and below Len.
func (n *Numbers) At(row int32) int32 {
	if n.uneven != nil {
		return n.uneven[row]
	}
	return n.evenly(row)
}

// Ascending reports whether no number is below the one before it.
func (n *Numbers) Ascending() bool {
	for row := int32(1); int(row) < n.n; row++ {
		if n.At(row) < n.At(row-1) {
			return false
		}
	}
	return true
}

func (n *Numbers) evenly(row int32) int32 { return n.first + row*n.step }

// add appends v.
func (n *Numbers) add(v int32) {
	switch row := int32(n.n); {
	case row == 0:
		n.first = v
	case row == 1:
		n.step = v - n.first
	case n.grown.last == nil && v != n.evenly(row):
		for i := range row {
			n.grown.add(n.evenly(i))
		}
	}
	if n.n++; n.grown.last != nil {
		n.grown.add(v)
	}
}

// finish is to be called once all rows are in; before, At may not be.
func (n *Numbers) finish() { n.uneven = n.grown.join() }
