package report

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Scale is the precision of all milliseconds of one report: nanoseconds in one unit of the last
// digit shown. One report has one Scale, so that the numbers of a row and of a column compare.
type Scale int64

// The two scales.
const (
	WholeMS  Scale = 1_000_000
	TenthsMS Scale = 100_000
)

// wholeFrom is the total from which tenths of a millisecond are noise.
const wholeFrom = 100 * time.Millisecond

// ScaleFor returns whole milliseconds when the largest of the totals is 100 ms or more (as a
// reader would see it: rounded), tenths below and without any total.
func ScaleFor(totals ...time.Duration) Scale {
	for _, total := range totals {
		if TenthsMS.units(total) >= TenthsMS.units(wholeFrom) {
			return WholeMS
		}
	}
	return TenthsMS
}

// units rounds d to units of the scale, half away from zero.
func (s Scale) units(d time.Duration) int64 {
	return int64(math.Round(float64(d) / float64(s)))
}

// MS writes d in milliseconds without a unit: "265", "45.3", "-4". A duration that rounds to zero
// has no sign.
func (s Scale) MS(d time.Duration) string { return s.text(s.units(d)) }

// Change writes d with its sign: "+119", "-117", "0".
func (s Scale) Change(d time.Duration) string { return s.signed(s.units(d)) }

// ChangeOf writes the difference of two figures as they are printed, so that a reader who subtracts
// them gets the same.
func (s Scale) ChangeOf(before, after time.Duration) string {
	return s.signed(s.units(after) - s.units(before))
}

func (s Scale) text(units int64) string {
	if s == WholeMS {
		return strconv.FormatInt(units, 10)
	}
	return strconv.FormatFloat(float64(units)/10, 'f', 1, 64)
}

func (s Scale) signed(units int64) string {
	if units > 0 {
		return "+" + s.text(units)
	}
	return s.text(units)
}

// Range writes two limits without sign or unit: "264 to 269".
func (s Scale) Range(lo, hi time.Duration) string { return s.MS(lo) + " to " + s.MS(hi) }

// ChangeRange writes two limits of a change: "-120 to -111".
func (s Scale) ChangeRange(lo, hi time.Duration) string { return s.Change(lo) + " to " + s.Change(hi) }

// Level writes a confidence in whole percent: "95 %". The five-value interval of 93.75 % is "94 %".
func Level(confidence float64) string {
	return strconv.Itoa(int(math.Round(confidence*100))) + " %"
}

// Round rounds parts that add up to a whole so that they still add up when read from the screen. whole
// is in units of the scale, as is the result ([stats.LargestRemainder]).
func (s Scale) Round(whole int64, parts []time.Duration) []int64 {
	units := make([]float64, len(parts))
	for i, part := range parts {
		units[i] = float64(part) / float64(s)
	}
	return stats.LargestRemainder(units, whole)
}

// trimZero drops a decimal that says nothing: "10.0" -> "10".
func trimZero(s string) string { return strings.TrimSuffix(s, ".0") }

func durationOf(ns int64) time.Duration { return time.Duration(ns) }
