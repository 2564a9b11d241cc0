package summary

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Slow is one request that took clearly longer than the typical one, with what is known of why.
type Slow struct {
	Row       int32
	Seq       int
	Total     int64         // nanoseconds
	Segment   segment.Key   // the line furthest above its part of the p50
	Took      int64         // what that line took, nanoseconds
	Above     int64         // by how much it is above
	Marks     reading.Mark  // reading.Busy only when lateness explains the excess, see [reading.Arm.BusyMade]
	Late      time.Duration // how late this machine ran at worst; 0 unless Marks has reading.Busy
	Resent    int           // segments sent again, SYN included; 0 unless Marks has reading.SYNLost
	Resembles Signature     // a pattern the excess fits; Unknown when none does
	Beyond    bool          // Took is at least twice the p90 of its own segment
}

// MaxSlow is how many slow requests a summary lists; the report says how many there were.
const MaxSlow = 8

// A request is slow when it takes a quarter more than the p50 and at least 20 ms more: below that
// nobody would ask why.
const (
	slowShare = 4
	slowLeast = 20_000_000
)

// beyond is the factor over its own p90 from which a line left what is usual for it.
const beyond = 2

// slow lists the slow requests among the candidates, in send order.
func slow(s *Summary, rows stats.Rows) []Slow {
	p50 := s.Split.Value
	var out []Slow
	for _, r := range candidates(s, rows.Total) {
		if excess := rows.Total[r.Row] - p50; excess < max(p50/slowShare, slowLeast) {
			continue
		}
		out = append(out, s.explain(rows, r))
	}
	slices.SortFunc(out, func(a, b Slow) int { return int(a.Row) - int(b.Row) })
	return out
}

// candidates are the tail and, wherever it ranks, the arm's first exchange. Where nothing lies above
// p90, because there are too few, all above p50 are.
func candidates(s *Summary, totals []int64) []stats.TailRow {
	rows := slices.Clone(s.Tail.Rows)
	if len(rows) == 0 {
		rows = above(totals, s.Split.Value)
	}
	if len(rows) > MaxSlow {
		rows = rows[len(rows)-MaxSlow:]
	}
	for i, m := range s.Arm.Marks {
		if m&reading.First == 0 {
			continue
		}
		known := slices.ContainsFunc(rows, func(r stats.TailRow) bool { return int(r.Row) == i })
		if !known {
			rows = append(rows, stats.TailRow{Row: int32(i), Dominant: -1})
		}
		break
	}
	return rows
}

// above are the rows that took longer than limit, in send order.
func above(totals []int64, limit int64) []stats.TailRow {
	var out []stats.TailRow
	for i, total := range totals {
		if total > limit {
			out = append(out, stats.TailRow{Row: int32(i), Dominant: -1})
		}
	}
	return out
}

func (s *Summary) explain(rows stats.Rows, r stats.TailRow) Slow {
	if r.Dominant < 0 {
		r.Dominant = dominant(rows, r.Row, s.Split.Parts)
	}
	out := Slow{Row: r.Row, Seq: int(s.Arm.Seq.At(r.Row)), Total: rows.Total[r.Row], Marks: s.Arm.Marks[r.Row], Resent: s.Arm.ResentBy(r.Row)}
	if r.Dominant < 0 {
		out.lateness(s.Arm, out.Total-s.Split.Value)
		return out
	}
	out.Segment = s.Lines[r.Dominant].Key
	out.Took = rows.Columns[r.Dominant][r.Row]
	out.Above = out.Took - int64(s.Split.Parts[r.Dominant])
	p90, _ := s.Figures[out.Segment].At(stats.P90)
	out.Beyond = out.Took >= beyond*p90.Value
	out.Resembles = signature(out, s.Figures[segment.WaitEdgeRTT].Percentiles[1].Value)
	out.lateness(s.Arm, out.Above)
	return out
}

// lateness keeps the mark of a busy machine when it explains an excess of that many nanoseconds.
func (s *Slow) lateness(a *reading.Arm, excess int64) {
	if a.BusyMade(s.Row, time.Duration(excess)) {
		s.Late = a.LateBy(s.Row)
		return
	}
	s.Marks &^= reading.Busy
}

func dominant(rows stats.Rows, row int32, parts []float64) int {
	best, above := -1, 0.0
	for j, column := range rows.Columns {
		if e := float64(column[row]) - parts[j]; best < 0 || e > above {
			best, above = j, e
		}
	}
	return best
}
