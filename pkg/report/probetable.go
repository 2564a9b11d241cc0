package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// percentilesFrom is the n from which p10 and p90 are worth a column; below, both are extremes
// and the columns are called by what they are.
const percentilesFrom = 10

// percentile is one column of a table of percentiles.
type percentile struct {
	name string
	of   stats.Percentile
	get  func(Figure) stats.PercentileInterval
}

var (
	p10 = percentile{"p10", stats.P10, func(f Figure) stats.PercentileInterval { return f.P10 }}
	p50 = percentile{"p50", stats.P50, func(f Figure) stats.PercentileInterval { return f.P50 }}
	p90 = percentile{"p90", stats.P90, func(f Figure) stats.PercentileInterval { return f.P90 }}
	p99 = percentile{"p99", stats.P99, func(f Figure) stats.PercentileInterval { return f.P99 }}
)

// columnsFor chooses the columns an arm of n can fill.
func columnsFor(n int) []percentile {
	if n >= percentilesFrom {
		return []percentile{p10, p50, p90, p99}
	}
	fastest, slowest := p10, p99
	fastest.name, slowest.name = "fastest", "slowest"
	return []percentile{fastest, p50, slowest}
}

// extreme reports whether the column is merely the fastest or the slowest of n, and not called so.
func (p percentile) extreme(total Figure) bool {
	q := p.get(total).Quantile
	return q.N > 1 && (q.IsMin() || q.IsMax()) && p.name[0] == 'p'
}

// probeTable is the one table that adds up, with the percentiles that do not beside it.
func probeTable(a Arm, s Scale) Table {
	fs := figuresOf(a)
	columns := columnsFor(a.N())
	table := Table{Columns: []Column{
		{Head: "ms", Min: 27},
		{Head: "at p50", Align: Right, Min: 6, Gap: 2},
	}}
	for i, p := range columns {
		table.Columns = append(table.Columns, percentileColumn(p, fs[segment.Total], i == 0))
	}
	c := fs.atP50(s)
	for _, k := range fs.rows() {
		row := figureRow(fs, k, a.N())
		row.Cells = append(row.Cells, Cell{Text: c.text(s, k)})
		for _, p := range columns {
			row.Cells = append(row.Cells, percentileCell(p.get(fs[k]), s))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

func percentileColumn(p percentile, total Figure, first bool) Column {
	column := Column{Head: p.name, Align: Right, Min: 4, Gap: 3}
	if first {
		column.Gap = 6
	}
	if p.extreme(total) {
		column.Head += "*"
	}
	return column
}

func percentileCell(q stats.PercentileInterval, s Scale) Cell {
	if q.N == 0 {
		return Cell{Text: "-"}
	}
	return Cell{Text: s.MS(time.Duration(q.Value))}
}

// figureRow starts a row with its label. setup, ttfb and first_text stand below total, indented.
func figureRow(fs figures, k segment.Key, n int) Row {
	row := Row{Depth: k.Depth(), Ruled: k == segment.Total, Cells: []Cell{{Text: k.String(), Key: true}}}
	if k.Derived() && k != segment.Total {
		row.Depth = 1
	}
	row.Cells[0].Note = rowNote(fs, k, n)
	return row
}

func rowNote(fs figures, k segment.Key, n int) string {
	switch {
	case k == segment.WaitEdgeRTT:
		return "(est.)"
	case k == segment.Setup:
		return "(" + setupNames(fs) + ")"
	case k == segment.TTFB:
		return " (all but transfer)"
	case fs[k].N > 0 && fs[k].N < n:
		return "(" + Share(fs[k].N, n) + ")"
	}
	return ""
}

func setupNames(fs figures) string {
	var names []string
	for _, k := range setupParts {
		if fs.has(k) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " + ")
}

// markNotes explain the marks of tables of percentiles; a waterfall explains its own below it.
func markNotes(arms []Arm) []Entry {
	var lines []string
	estimate := ""
	for _, a := range arms {
		if a.N() < 2 {
			continue
		}
		lines = addNew(lines, extremeNotes(a)...)
		if fs := figuresOf(a); fs.has(segment.WaitEdgeRTT) && estimate == "" {
			estimate = Clip(a.RTTSource, clipText)
		}
	}
	var notes []Entry
	if len(lines) > 0 {
		notes = append(notes, Entry{"*", lines})
	}
	if estimate != "" && !aboutThrottling(arms) {
		notes = append(notes, Entry{"(est.)", []string{estimate}})
	}
	return notes
}

func addNew(lines []string, more ...string) []string {
	for _, line := range more {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func extremeNotes(a Arm) []string {
	total := figuresOf(a)[segment.Total]
	var lines []string
	for _, p := range columnsFor(a.N()) {
		if !p.extreme(total) {
			continue
		}
		which := "slowest"
		if p.get(total).IsMin() {
			which = "fastest"
		}
		lines = append(lines, fmt.Sprintf("%s of %d is the %s one; a %s needs %d",
			p.name, a.N(), which, p.name, p.of.UsefulFrom()))
	}
	return lines
}
