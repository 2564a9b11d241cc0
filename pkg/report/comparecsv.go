package report

import (
	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
	"github.com/coldsplit/coldsplit/pkg/summary"
)

// compareFields are the columns of compare's CSV. A row is one line of the ledger, one percentile of
// a whole segment, or one count:
//
//	statistic   at_p50, at_p90 (the ledger), p10, p50, p90, p99; asked, ok, throttled, failed, invalid, not_sent;
//	            where there are any: capped, interim_103, not_verified, as in probe's CSV
//	segment     the key; of a folded row the keys it adds up, joined by "+"; empty in a row of counts
//	adds_up     true for the rows of the ledger that sum to total
//	before_ns after_ns change_ns   times in nanoseconds
//	lo_ns hi_ns confidence         the interval of the change, empty where there is none
//	p p_holm    of the row's rank test, alone and within the family
//	standing    confirmed, suggested, noise, untested; of total at_p50 the verdict
//	before_count after_count       counts
var compareFields = [...]string{"statistic", "segment", "adds_up", "before_ns", "after_ns", "change_ns", "lo_ns", "hi_ns",
	"confidence", "p", "p_holm", "standing", "before_count", "after_count"}

func (v *view) records() Records {
	r := Records{Columns: append([]string{}, compareFields[:]...)}
	r.Rows = append(r.Rows, v.countRows()...)
	if !v.bothOK() {
		return r
	}
	r.Rows = append(r.Rows, v.ledgerRows()...)
	for _, e := range v.c.P90 {
		r.Rows = append(r.Rows, entryCells("at_p90", e))
	}
	return Records{Columns: r.Columns, Rows: append(r.Rows, v.percentileRows()...)}
}

func (v *view) countRows() [][]any {
	var rows [][]any
	b, a := v.arms[0].Counts, v.arms[1].Counts
	for _, c := range []struct {
		name          string
		before, after int
	}{
		{"asked", b.Asked, a.Asked}, {"ok", b.OK, a.OK}, {"throttled", b.Throttled, a.Throttled},
		{"failed", b.Failed, a.Failed}, {"invalid", b.Invalid, a.Invalid}, {"not_sent", b.NotSent, a.NotSent},
	} {
		row := make([]any, len(compareFields))
		row[0], row[12], row[13] = c.name, c.before, c.after
		rows = append(rows, row)
	}
	return append(rows, v.asideRows()...)
}

// asideRows are counts that only one arm may have.
func (v *view) asideRows() [][]any {
	var rows [][]any
	at := map[string]int{}
	for side := range v.arms {
		for _, c := range asideCounts(v.arms[side], notVerified(v.facts(side))) {
			if _, known := at[c.name]; !known {
				row := make([]any, len(compareFields))
				row[0], row[12], row[13] = c.name, 0, 0
				at[c.name], rows = len(rows), append(rows, row)
			}
			rows[at[c.name]][12+side] = c.n
		}
	}
	return rows
}

// ledgerRows are the entries and the total the verdict is on.
func (v *view) ledgerRows() [][]any {
	var rows [][]any
	for _, e := range v.c.Entries {
		rows = append(rows, entryCells("at_p50", e))
	}
	total := changeCells("at_p50", segment.Total, v.c.Total)
	total[9], total[11] = v.c.Test.P, v.c.Verdict.String()
	return append(rows, total)
}

func entryCells(statistic string, e ledger.Entry) []any {
	row := make([]any, len(compareFields))
	row[0], row[1], row[2] = statistic, joinKeys(e), true
	row[3], row[4], row[5] = e.Before, e.After, e.Change
	putLimits(row, e.Interval)
	if e.Varies {
		row[9], row[10] = e.P, e.Adjusted
	}
	row[11] = e.Standing.String()
	return row
}

// joinKeys names a row; one that edge_rtt is folded into names all it adds up.
func joinKeys(e ledger.Entry) string {
	if !withEdge(&e) {
		return e.Key.String()
	}
	name := ""
	for _, k := range e.Of {
		if name != "" {
			name += "+"
		}
		name += k.String()
	}
	return name
}

func changeCells(statistic string, k segment.Key, c stats.Change) []any {
	row := make([]any, len(compareFields))
	row[0], row[1], row[2] = statistic, k.String(), false
	row[3], row[4], row[5] = c.Before.Value, c.After.Value, c.Delta
	putLimits(row, c.Interval)
	return row
}

func putLimits(row []any, iv stats.Interval) {
	if iv.Complete() {
		row[6], row[7], row[8] = iv.Lo, iv.Hi, iv.Confidence
	}
}

// percentileRows are each segment's own percentiles, which do not add up, where both arms have it.
func (v *view) percentileRows() [][]any {
	var rows [][]any
	for _, k := range segment.TableOrder() {
		changes, ok := v.changesOf(k)
		for i := range changes {
			if ok {
				rows = append(rows, changeCells(summary.Percentiles[i].String(), k, changes[i]))
			}
		}
	}
	return rows
}
