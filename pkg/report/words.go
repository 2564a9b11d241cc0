package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// InWords writes a duration for prose with at most two units: "187 ms", "1.5 s", "10 s", "1 min 5 s",
// "3 h 20 min", "2 d 4 h". Below 1 ms it is "0.4 ms" or "less than 0.1 ms"; a negative one has a minus.
func InWords(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + InWords(-d)
	case d > 0 && d < 50*time.Microsecond:
		return "less than 0.1 ms"
	case d < 10*time.Millisecond:
		return trimZero(TenthsMS.MS(d)) + " ms"
	case d < time.Second-time.Millisecond/2:
		return WholeMS.MS(d) + " ms"
	case d < time.Minute-time.Second/20:
		return trimZero(strconv.FormatFloat(d.Seconds(), 'f', 1, 64)) + " s"
	case d < time.Hour-time.Second/2:
		return twoUnits(d.Round(time.Second), time.Minute, "min", time.Second, "s")
	case d < 24*time.Hour-time.Minute/2:
		return twoUnits(d.Round(time.Minute), time.Hour, "h", time.Minute, "min")
	}
	return twoUnits(d.Round(time.Hour), 24*time.Hour, "d", time.Hour, "h")
}

func twoUnits(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d %s", d/large, largeName)
	if rest := d % large / small; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smallName)
	}
	return text
}

// Bytes writes a size: "402 bytes" below 1,000, then "4.3 kB", "51 kB", "1.2 MB" (powers of 1,000).
func Bytes(n int64) string {
	if n < 1000 {
		return Plural(int(n), "byte", "bytes")
	}
	value, unit := float64(n), ""
	for _, unit = range []string{"kB", "MB", "GB", "TB"} {
		value /= 1000
		if value < 999.5 {
			break
		}
	}
	if value < 9.95 {
		return trimZero(strconv.FormatFloat(value, 'f', 1, 64)) + " " + unit
	}
	return strconv.FormatFloat(math.Round(value), 'f', 0, 64) + " " + unit
}

// Plural writes a count with its noun: "1 byte", "4,310 bytes".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(int64(n)) + " " + many
}

// Share writes how many of how many: "2 of 25".
func Share(k, n int) string { return fmt.Sprintf("%d of %d", k, n) }

// shareOf writes how many of how many of what: "1 of 1 request", "3 of 3 requests".
func shareOf(k, n int, one, many string) string {
	if n == 1 {
		return Share(k, n) + " " + one
	}
	return Share(k, n) + " " + many
}

// Percent writes a share in whole percent with a blank: "51 %". Of nothing it is "-".
func Percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return strconv.Itoa(int(math.Round(100*float64(part)/float64(whole)))) + " %"
}

// AndList joins words: "a", "a and b", "a, b and c".
func AndList(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// Limits writes a percentile's interval with its confidence: "95 %: 264 to 269". A limit that the
// sample cannot give is said to be missing: ">= 389, no upper limit below 36 requests". Without any
// limit it is "no limits below 6 requests"; from is the n at which both exist.
func (s Scale) Limits(iv stats.Interval, from int) string {
	below := fmt.Sprintf("below %d requests", from)
	switch {
	case iv.Complete():
		return Level(iv.Confidence) + ": " + s.Range(time.Duration(iv.Lo), time.Duration(iv.Hi))
	case iv.HasLo:
		return ">= " + s.MS(time.Duration(iv.Lo)) + ", no upper limit " + below
	case iv.HasHi:
		return "<= " + s.MS(time.Duration(iv.Hi)) + ", no lower limit " + below
	}
	return "no limits " + below
}

// LimitsCell writes the same for a table whose head names the confidence: "264 to 269", ">= 389",
// "-".
func (s Scale) LimitsCell(iv stats.Interval) string {
	switch {
	case iv.Complete():
		return s.Range(time.Duration(iv.Lo), time.Duration(iv.Hi))
	case iv.HasLo:
		return ">= " + s.MS(time.Duration(iv.Lo))
	case iv.HasHi:
		return "<= " + s.MS(time.Duration(iv.Hi))
	}
	return "-"
}
