package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/ledger"
	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// distributions are the percentiles of setup, ttfb and total in each arm, and the tails below.
func (v *view) distributions() Block {
	group := Group{v.distributionTable()}
	if lines := v.tailLines(); len(lines) > 0 {
		group = append(group, KeyValue{Width: compareLabels, Entries: []Entry{{"tail", lines}}})
	}
	return group
}

// compareLabels is the column of text beside "tail", "answers", "run".
const compareLabels = 11

func (v *view) distributionTable() Table {
	columns := columnsFor(min(v.arms[0].N(), v.arms[1].N()))
	t := Table{Columns: []Column{{Head: "ms", Min: 9}, {Min: 6}}}
	for i, p := range columns {
		c := Column{Head: p.name, Align: Right, Min: 5, Gap: 3}
		if i == 0 {
			c.Min, c.Gap = 9, 2
		}
		if v.extreme(p) {
			c.Head, c.Wide = p.name+"*", p.name+" (an extreme)"
		}
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, Column{Gap: 5})
	for _, k := range v.distributed() {
		t.Rows = append(t.Rows, v.armRow(k, 0, columns), v.armRow(k, 1, columns))
	}
	if v.c.Verdict != ledger.NotComparable && v.hasChange() && v.c.Fold&ledger.WithoutDNS == 0 {
		t.Rows = append(t.Rows, v.changeRow(columns))
	}
	return t
}

// distributed are the keys both arms have; few exchanges are worth the total only.
func (v *view) distributed() []segment.Key {
	keys := []segment.Key{segment.Setup, segment.TTFB, segment.FirstText, segment.Total}
	if v.few() && v.c.Verdict != ledger.NotComparable {
		keys = keys[3:]
	}
	var out []segment.Key
	for _, k := range keys {
		if v.arms[0].figure(k).N > 0 && v.arms[1].figure(k).N > 0 {
			out = append(out, k)
		}
	}
	return out
}

func (v *view) armRow(k segment.Key, side int, columns []percentile) Row {
	row := Row{Cells: []Cell{{}, {Text: v.heads[side]}}}
	if side == 0 {
		row.Cells[0] = Cell{Text: k.String(), Key: true}
		if k != segment.Setup && v.c.Fold&ledger.WithoutDNS != 0 {
			row.Cells[0].Note = "(with dns)"
		}
	}
	for _, p := range columns {
		row.Cells = append(row.Cells, percentileCell(p.get(v.arms[side].figure(k)), v.s))
	}
	return row
}

func (v *view) changeRow(columns []percentile) Row {
	row := Row{Cells: []Cell{{}, {Text: "change"}}}
	var untested []string
	for _, p := range columns {
		before, after := totalOf(v.arms[0], p), totalOf(v.arms[1], p)
		row.Cells = append(row.Cells, Cell{Text: v.s.ChangeOf(ns(before.Value), ns(after.Value))})
		if !v.changeAt(p.of).Complete() && !v.few() {
			untested = append(untested, p.name)
		}
	}
	switch {
	case v.c.Identical:
	case len(untested) == len(columns)-1:
		row.Cells = append(row.Cells, Cell{Text: "only p50 is tested"})
	case len(untested) > 0:
		row.Cells = append(row.Cells, Cell{Text: strings.Join(untested, ", ") + " not tested"})
	}
	return row
}

func (v *view) changeAt(p stats.Percentile) stats.Change {
	for i, q := range []percentile{p10, p50, p90, p99} {
		if q.of == p {
			return v.c.Percentiles[i]
		}
	}
	return stats.Change{}
}

func (v *view) extreme(p percentile) bool {
	return p.extreme(v.arms[0].figure(segment.Total)) || p.extreme(v.arms[1].figure(segment.Total))
}

// tailLines attribute what lies above p90 and name the slowest requests, then compare how often each
// cause was seen.
func (v *view) tailLines() []string {
	if v.c.Identical {
		return nil
	}
	var lines []string
	for side := range v.arms {
		lines = append(lines, v.excessLines(side)...)
	}
	for side := range v.arms {
		lines = append(lines, v.slowLines(side)...)
	}
	for i := range v.c.Shares {
		if s := &v.c.Shares[i]; s.Cause && !s.Significant() {
			lines = append(lines, v.causeLine(s))
		}
	}
	return lines
}

// excessLines tell a tail that anybody would ask about: a quarter over the p50 and 20 ms. It is
// "green: 2 above p90, 605 ms over the p50 on average: tcp 83 %, tls 19 %".
func (v *view) excessLines(side int) []string {
	tail := &v.c.Tails[side]
	if p50 := p50Total(v.arms[side]); len(tail.Rows) == 0 || tail.ExcessTotal < float64(max(p50/4, 20*time.Millisecond)) {
		return nil
	}
	var shares []string
	for i := range v.c.Entries {
		if share := tail.Share(i); share >= 0.095 {
			shares = append(shares, fmt.Sprintf("%s %.0f %%", Codes(entryName(&v.c.Entries[i])), 100*min(share, 1)))
		}
	}
	line := fmt.Sprintf("%s: %d above p90, %s ms over the p50 on average", v.names[side], len(tail.Rows), v.s.MS(ns(int64(tail.ExcessTotal))))
	if len(shares) > 0 {
		line += ": " + strings.Join(shares, ", ")
	}
	return []string{line}
}

// mostSlow is how many slow requests of an arm a comparison names.
const mostSlow = 2

// slowLines name the slowest requests of an arm that have a cause. The arm's first one is a finding
// already.
func (v *view) slowLines(side int) []string {
	var lines []string
	for _, slow := range slowest(v.arms[side].Slow, mostSlow) {
		first := v.arms[side].First
		if slow.Cause == "" || slow.Took == 0 || first != nil && first.Seq == slow.Seq {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s ms, %s %s. %s", v.names[side], Codes(fmt.Sprintf("#%d", slow.Seq)),
			v.s.MS(slow.Total), Codes(slow.Key.String()), v.s.MS(slow.Took), Clip(slow.Cause, clipText)))
	}
	return lines
}

func slowest(all []Slow, n int) []Slow {
	var out []Slow
	for range n {
		best := -1
		for i, s := range all {
			if !listed(out, s.Seq) && (best < 0 || s.Total > all[best].Total) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		out = append(out, all[best])
	}
	return out
}

func listed(slow []Slow, seq int) bool {
	for _, s := range slow {
		if s.Seq == seq {
			return true
		}
	}
	return false
}

func (v *view) causeLine(s *ledger.ShareChange) string {
	side, limits := 1, s.AfterRange
	if s.Counts[1] == 0 {
		side, limits = 0, s.BeforeRange
	}
	return fmt.Sprintf("%s: %s %s (%s), %s %s: no difference can be claimed (Fisher p %s)", s.What, v.names[side],
		Share(s.Counts[side], s.Of[side]), shareRange(limits), v.names[1-side], Share(s.Counts[1-side], s.Of[1-side]), probability(s.P))
}

// shareRange writes limits of a share: "0.1 to 20 %".
func shareRange(limits [2]float64) string {
	return shareText(limits[0]) + " to " + shareText(limits[1]) + " %"
}

// shareText is a share in percent, with a decimal below 10 %.
func shareText(share float64) string {
	if percent := 100 * share; percent > 0 && percent < 9.95 {
		return trimZero(fmt.Sprintf("%.1f", percent))
	}
	return fmt.Sprintf("%.0f", 100*share)
}

// tail90 is the ledger at p90: figures without limits.
func (v *view) tail90() []Block {
	if len(v.c.P90) == 0 || v.c.Identical {
		return nil
	}
	t := Table{Columns: []Column{
		{Head: "ms at p90, indicative", Min: 27},
		{Head: v.heads[0], Align: Right, Min: 6, Gap: 2},
		{Head: v.heads[1], Align: Right, Min: 5, Gap: 3},
		{Head: "change", Align: Right, Gap: 3},
	}}
	for i := range v.c.P90 {
		e := &v.c.P90[i]
		row := Row{Cells: []Cell{{Text: entryName(e), Key: true}}}
		t.Rows = append(t.Rows, p90Row(row, v.s, v.shown9.rows[i][0], v.shown9.rows[i][1]))
	}
	before, after := v.shown9.key(segment.Total)
	total := Row{Ruled: true, Cells: []Cell{{Text: segment.Total.String(), Key: true}}}
	t.Rows = append(t.Rows, p90Row(total, v.s, before, after))
	return []Block{Only{FormatMarkdown, []Block{
		Details{Summary: "At p90 (figures only; no interval is given there)", Blocks: []Block{t}},
	}}}
}

func p90Row(row Row, s Scale, before, after int64) Row {
	row.Cells = append(row.Cells, Cell{Text: s.text(before)}, Cell{Text: s.text(after)}, Cell{Text: s.signed(after - before)})
	return row
}
