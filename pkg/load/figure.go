package load

import (
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Figure is the distribution of one duration over some exchanges, in nanoseconds. Percentiles are
// nearest rank; the zero Figure is of nothing.
type Figure struct {
	N             int
	Max           int64
	P50, P95, P99 stats.PercentileInterval
}

// HasP99 reports whether the 99th percentile is more than the slowest one.
func (f *Figure) HasP99() bool { return f.N >= stats.P99.UsefulFrom() }

func figureOf(values []int64) Figure {
	sorted := stats.Sorted(values)
	if len(sorted) == 0 {
		return Figure{}
	}
	return Figure{
		N:   len(sorted),
		Max: sorted[len(sorted)-1],
		P50: stats.IntervalOf(sorted, stats.P50),
		P95: stats.IntervalOf(sorted, stats.P95),
		P99: stats.IntervalOf(sorted, stats.P99),
	}
}
