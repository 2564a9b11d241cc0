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

// petty reports whether a confirmed change is too small to speak of: less than a tenth of what nobody
// notices, and no more than the last digit shown. With enough exchanges every row moves beyond doubt.
func (v *view) petty(e *ledger.Entry) bool {
	size := max(e.Change, -e.Change)
	near := min(max(e.Interval.Lo, -e.Interval.Lo), max(e.Interval.Hi, -e.Interval.Hi))
	return e.Standing == ledger.Confirmed && size < v.c.Delta/pettyShare && (size < int64(v.s) || v.s.units(ns(near)) == 0)
}

// pettyShare is the part of what nobody notices below which a row may be petty.
const pettyShare = 10

// saved and lost are the rows that got faster or slower beyond doubt and by something to speak of.
func (v *view) saved(e *ledger.Entry) bool { return e.Saved() && !v.petty(e) }
func (v *view) lost(e *ledger.Entry) bool  { return e.Lost() && !v.petty(e) }

// gains adds up what confirmed rows saved and lost, as shown, and names them.
func (v *view) gains() (g gains) {
	for i := range v.c.Entries {
		e, change := &v.c.Entries[i], v.shown.change(i)
		switch {
		case v.saved(e):
			g.gain -= change
			g.saved = append(g.saved, Codes(entryName(e)))
		case v.lost(e):
			g.loss += change
			g.lost = append(g.lost, Codes(entryName(e)))
		}
	}
	return g
}

// gains are the units that rows saved and lost, and what those rows are called.
type gains struct {
	gain, loss  int64
	saved, lost []string
}

// rowName is what the table calls the row of k.
func (v *view) rowName(k segment.Key) string {
	for i := range v.c.Entries {
		if e := &v.c.Entries[i]; e.Key == k {
			return Codes(entryName(e))
		}
	}
	return Codes(k.String())
}
