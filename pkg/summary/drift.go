package summary

import "github.com/coldsplit/coldsplit/pkg/stats"

// mostForDrift bounds the exchanges drift is looked for in: above it any trend is beyond chance and
// none is news.
const mostForDrift = 10_000

// leastForDrift is the n below which a trend cannot be told from noise.
const leastForDrift = 10

// Drift is what changed while the arm was measured.
type Drift struct {
	Known  bool
	Trend  stats.Trend  // of total in send order
	Serial stats.Serial // how far neighbouring exchanges depend on each other
}

// noticed is the share of a p50 that somebody would notice: one fiftieth, 2 %.
const noticed = 50

// Drifts reports whether the trend is beyond chance (p below .05) and large enough to matter.
func (d *Drift) Drifts() bool {
	change := max(d.Trend.Late-d.Trend.Early, d.Trend.Early-d.Trend.Late)
	return d.Known && d.Trend.P < 0.05 && change >= max(d.Trend.Early, d.Trend.Late)/noticed
}

func driftOf(totals []int64, p50 int64) Drift {
	if len(totals) < leastForDrift || len(totals) > mostForDrift {
		return Drift{}
	}
	return Drift{Known: true, Trend: stats.TrendOf(totals), Serial: stats.Correlation(totals, p50)}
}
