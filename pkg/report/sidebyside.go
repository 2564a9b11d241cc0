package report

import (
	"fmt"
	"time"

	"github.com/coldsplit/coldsplit/pkg/segment"
)

// sideBySide is one sentence for arms that all have figures.
func sideBySide(arms []Arm, from string, s Scale) string {
	subject, each := grammar(arms)
	var parts []string
	for _, a := range arms {
		parts = append(parts, fmt.Sprintf("%s ms %s", p50Of(a, s), each(a)))
	}
	return fmt.Sprintf("%s takes %s%s (%s).", subject, AndList(parts), fromPlace(from), eachOf(arms))
}

func p50Of(a Arm, s Scale) string {
	return s.MS(time.Duration(figuresOf(a)[segment.Total].P50.Value))
}

// grammar chooses the subject and the words that tell arms apart: protocol, state, host, or the name
// when they differ in more than one.
func grammar(arms []Arm) (subject string, each func(Arm) string) {
	host, protocol, state := differ(arms, armHost), differ(arms, armProtocol), differ(arms, armState)
	first := arms[0]
	to := fmt.Sprintf("A %s request to %s", stateWord(first.State), destination(first))
	switch {
	case protocol && !host && !state:
		return to, func(a Arm) string { return "over " + Clip(a.Protocol, clipName) }
	case state && !host && !protocol:
		return "A request to " + destination(first), func(a Arm) string { return stateWord(a.State) }
	case host && !protocol && !state:
		return fmt.Sprintf("A %s request", stateWord(first.State)), func(a Arm) string { return "to " + destination(a) }
	case !state:
		return fmt.Sprintf("A %s request", stateWord(first.State)), byName
	}
	return "A request", byName
}

func byName(a Arm) string { return "by " + Clip(a.Name, clipName) }

func armHost(a Arm) string     { return destination(a) }
func armProtocol(a Arm) string { return a.Protocol }
func armState(a Arm) string    { return stateWord(a.State) }

func differ(arms []Arm, of func(Arm) string) bool {
	for _, a := range arms[1:] {
		if of(a) != of(arms[0]) {
			return true
		}
	}
	return false
}

// eachOf is "p50 of 25 each", or the n of every arm.
func eachOf(arms []Arm) string {
	var ns []string
	for _, a := range arms {
		ns = append(ns, fmt.Sprint(a.N()))
	}
	if !differ(arms, func(a Arm) string { return fmt.Sprint(a.N()) }) {
		return "p50 of " + ns[0] + " each"
	}
	return "p50 of " + AndList(ns)
}

// comparison is the small table above several arms' own: their p50s, no change and no verdict.
func comparison(arms []Arm, s Scale) Table {
	table := Table{Columns: []Column{
		{Head: "p50, ms", Min: 20},
		{Head: "ok", Align: Right, Min: 4, Gap: 3}, {Head: "setup", Align: Right, Min: 5, Gap: 3},
		{Head: "ttfb", Align: Right, Min: 5, Gap: 3}, {Head: "total", Align: Right, Min: 5, Gap: 3},
		{Head: "limits of total", Gap: 3},
	}}
	for _, a := range arms {
		fs := figuresOf(a)
		total := fs[segment.Total].P50
		limits := "-"
		if total.Complete() {
			limits = s.LimitsCell(total.Interval) + " (" + Level(total.Confidence) + ")"
		}
		table.Rows = append(table.Rows, Row{Cells: []Cell{
			{Text: short(a.Name, clipArm)}, {Text: fmt.Sprint(a.N())},
			p50Cell(fs, segment.Setup, s), p50Cell(fs, segment.TTFB, s), markedP50(fs, s), {Text: limits},
		}})
	}
	return table
}

const clipArm = 26 // the longest name of an arm in a table

// markedP50 is total's p50, with * where it is merely the fastest or the slowest.
func markedP50(fs figures, s Scale) Cell {
	cell := p50Cell(fs, segment.Total, s)
	if p50.extreme(fs[segment.Total]) {
		cell.Text += "*"
	}
	return cell
}

func p50Cell(fs figures, k segment.Key, s Scale) Cell { return percentileCell(fs[k].P50, s) }
