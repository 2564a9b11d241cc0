package report

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// shown are the figures of a ledger in units of a scale, as a reader sees them. Each column's rows are
// rounded together so that they add up to the total shown; everything else in a report that speaks of
// them is computed from these.
type shown struct {
	rows  [][2]int64 // per entry: before, after
	parts [][][2]int64
	above ledger.Parents // parents, setup, ttfb and total, summed from the rows
}

func shownOf(s Scale, entries []ledger.Entry, parents ledger.Parents) shown {
	out := shown{rows: make([][2]int64, len(entries)), parts: make([][][2]int64, len(entries))}
	for side := range 2 {
		lengths := make([]time.Duration, len(entries))
		for i, e := range entries {
			lengths[i] = ns(sideOf(e.Before, e.After, side))
		}
		whole := s.units(ns(sideOf(parents.Before[segment.Total], parents.After[segment.Total], side)))
		for i, units := range s.Round(whole, lengths) {
			out.rows[i][side] = units
		}
	}
	for i, e := range entries {
		out.parts[i] = partsShown(s, e.Parts, out.rows[i])
	}
	out.sum(entries, parents.Has)
	return out
}

func sideOf(before, after int64, side int) int64 {
	if side == 0 {
		return before
	}
	return after
}

// partsShown rounds the leaves of a folded row to what the row shows.
func partsShown(s Scale, parts []ledger.Part, row [2]int64) [][2]int64 {
	out := make([][2]int64, len(parts))
	for side := range row {
		var lengths []time.Duration
		var at []int
		for i, p := range parts {
			if p.Has[side] {
				lengths, at = append(lengths, ns(sideOf(p.Before, p.After, side))), append(at, i)
			}
		}
		for i, units := range s.Round(row[side], lengths) {
			out[at[i]][side] = units
		}
	}
	return out
}

// sum computes the rows above the entries from the entries, so that they add up as shown.
func (sh *shown) sum(entries []ledger.Entry, has [segment.NumKeys]bool) {
	lines := make([]ledger.Entry, len(entries))
	for i, e := range entries {
		e.Before, e.After = sh.rows[i][0], sh.rows[i][1]
		lines[i] = e
	}
	sh.above = ledger.ParentsOf(lines)
	sh.above.Has = has
}

// change is the difference of the two figures shown.
func (sh *shown) change(i int) int64 { return sh.rows[i][1] - sh.rows[i][0] }

// key finds the figures shown for a key, whether a row or above one.
func (sh *shown) key(k segment.Key) (before, after int64) {
	return sh.above.Before[k], sh.above.After[k]
}

// gains adds up what confirmed rows saved and lost, as shown, and names the losers.
func (v *view) gains() (gain, loss int64, lost []segment.Key) {
	for i := range v.c.Entries {
		e, change := &v.c.Entries[i], v.shown.change(i)
		switch {
		case e.Saved():
			gain -= change
		case e.Lost():
			loss += change
			lost = append(lost, e.Key)
		}
	}
	return gain, loss, lost
}
