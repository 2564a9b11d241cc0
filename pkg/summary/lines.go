package summary

import (
	"slices"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Line is one row of a table that adds up: a segment, or several folded into one.
type Line struct {
	Key segment.Key   // what the row is called
	Of  []segment.Key // the segments it adds up
}

// single makes a line of one segment.
func single(k segment.Key) Line { return Line{Key: k, Of: []segment.Key{k}} }

// waitParts are the parts of wait that a response may report or a connection tell.
var waitParts = []segment.Key{segment.WaitEdgeRTT, segment.WaitPreForward, segment.WaitUpstream}

// Lines returns the finest rows that tile the total of the arm: every measured leaf some exchange
// has, with wait and transfer replaced by their parts where every exchange around the percentile p
// has them. wait.unattributed is what the parts leave of wait.
func Lines(a *reading.Arm, p stats.Percentile) []Line {
	window := around(a, p)
	var lines []Line
	for k := range segment.Key(segment.NumMeasured) {
		switch {
		case a.Column(k) == nil:
		case k == segment.Wait:
			lines = append(lines, waitLines(a, window)...)
		case k == segment.Transfer && complete(a, window, segment.TransferBeforeText):
			lines = append(lines, single(segment.TransferBeforeText), single(segment.TransferText))
		default:
			lines = append(lines, single(k))
		}
	}
	return lines
}

func waitLines(a *reading.Arm, window []int32) []Line {
	var lines []Line
	for _, k := range waitParts {
		switch {
		case !complete(a, window, k):
		case k == segment.WaitUpstream && complete(a, window, segment.WaitUpstreamNetwork, segment.WaitUpstreamOrigin):
			lines = append(lines, single(segment.WaitUpstreamNetwork), single(segment.WaitUpstreamOrigin))
		default:
			lines = append(lines, single(k))
		}
	}
	if lines == nil {
		return []Line{single(segment.Wait)}
	}
	return append(lines, single(segment.WaitUnattributed))
}

func complete(a *reading.Arm, rows []int32, keys ...segment.Key) bool {
	for _, k := range keys {
		if !a.Column(k).Complete(rows) {
			return false
		}
	}
	return true
}

// around lists the rows closest to the percentile, before any shrinking: what a part must be
// reported by to count as reported.
func around(a *reading.Arm, p stats.Percentile) []int32 {
	order := stats.OrderOf(a.Totals())
	rank := p.Rank(len(order))
	if rank == 0 {
		return nil
	}
	half := stats.HalfWidth(len(order), rank)
	return order[rank-1-half : rank+half]
}

// Rows lays the arm's exchanges out along lines; every row sums to its total. A segment an exchange
// does not have took no time of it and stands as 0 here, which is right for adding up and for
// nothing else. The columns may be the arm's own: they must not be changed.
func Rows(a *reading.Arm, lines []Line) stats.Rows {
	rows := stats.Rows{Total: a.Totals(), Exempt: make([]bool, len(lines))}
	for i, l := range lines {
		rows.Columns = append(rows.Columns, column(a, l, lines))
		rows.Exempt[i] = l.Key == segment.WaitUnattributed
	}
	return rows
}

// column is what a line took in every exchange. One segment that every exchange has is shared with
// the arm: a million rows are not copied to be read.
func column(a *reading.Arm, l Line, lines []Line) []int64 {
	if len(l.Of) == 1 {
		if col := part(a, l.Of[0], lines); col != nil && !slices.Contains(col, reading.Absent) {
			return col
		}
	}
	sum := make([]int64, a.N())
	for _, k := range l.Of {
		for i, v := range part(a, k, lines) {
			if v != reading.Absent {
				sum[i] += v
			}
		}
	}
	return sum
}

// part is the column of one segment, wait.unattributed being what lines leave of wait.
func part(a *reading.Arm, k segment.Key, lines []Line) reading.Column {
	if k == segment.WaitUnattributed {
		return a.Unattributed(partsIn(lines))
	}
	return a.Column(k)
}

// partsIn lists the parts of wait that lines show.
func partsIn(lines []Line) []segment.Key {
	var parts []segment.Key
	for _, l := range lines {
		for _, k := range l.Of {
			if k > segment.Transfer && k < segment.WaitUnattributed {
				parts = append(parts, k)
			}
		}
	}
	return parts
}
