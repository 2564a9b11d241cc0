package report

import (
	"math"
	"strings"
)

const (
	axisEnd   = 75 // the right edge of the axis and of the rule
	shortAxis = 10 // the axis is never shorter, whatever the labels
)

// axis maps nanoseconds to text columns.
type axis struct {
	columns int
	unit    int64 // nanoseconds in one column
}

// axisFor gives a column the smallest whole number of the scale's units with which all columns hold
// total.
func axisFor(total int64, columns int, scale Scale) axis {
	perColumn := float64(total) / float64(columns) / float64(scale)
	return axis{columns, max(int64(math.Ceil(perColumn)), 1) * int64(scale)}
}

// span is where a bar starts and how long it is; a bar is never shorter than one column and never
// leaves the axis.
func (a axis) span(start, length int64) (at, columns int) {
	at = min(max(a.at(start), 0), a.columns-1)
	end := min(max(a.at(start+length), at+1), a.columns)
	return at, end - at
}

// draw is a bar in its place; a negative remainder has a figure and no bar.
func (a axis) draw(bar Bar) string {
	if bar.Length < 0 {
		return ""
	}
	at, columns := a.span(bar.Start, bar.Length)
	return strings.Repeat(" ", at) + strings.Repeat(barRune(bar), columns)
}

func (a axis) at(ns int64) int { return int(math.Round(float64(ns) / float64(a.unit))) }

func (t *textWriter) waterfall(b Waterfall) {
	labels, values := waterfallWidths(b)
	edge := labels + 3 + values
	scale := ScaleFor(durationOf(b.Total.Length))
	ax := axisFor(b.Total.Length, max(axisEnd-edge-2, shortAxis), scale)
	end := b.Total.Value
	t.line(rightAligned("ms", edge) + "  0" + rightAligned(end, ax.columns-1))
	for _, bar := range b.Bars {
		t.line(figureLine(bar, edge) + "  " + ax.draw(bar))
	}
	t.line(strings.Repeat("-", edge+2+ax.columns))
	lead := figureLine(b.Total, edge) + "  "
	t.hanging(lead, plain(b.Tail), len(lead))
}

// barRune tells parts of a row from rows, and what took no time from what took some.
func barRune(bar Bar) string {
	switch {
	case isZero(bar.Value):
		return "."
	case bar.Depth > 0:
		return "-"
	}
	return "="
}

// isZero reports whether a printed figure shows no digit but 0.
func isZero(figure string) bool { return strings.Trim(figure, "-0.") == "" }

func waterfallWidths(b Waterfall) (labels, values int) {
	values = 3
	for _, bar := range append([]Bar{b.Total}, b.Bars...) {
		labels = max(labels, len(barLabel(bar)))
		values = max(values, len(ASCII(bar.Value)))
	}
	return labels, values
}

func barLabel(bar Bar) string {
	label := strings.Repeat("  ", bar.Depth) + ASCII(bar.Label.Text)
	if bar.Label.Note != "" {
		label += " " + ASCII(bar.Label.Note)
	}
	return label
}

func figureLine(bar Bar, edge int) string {
	label := barLabel(bar)
	return label + rightAligned(ASCII(bar.Value), edge-len(label))
}

func rightAligned(s string, width int) string {
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}
