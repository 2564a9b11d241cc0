package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/load"
)

// The chart's two halves, in columns. With labels and gaps a line stays below 80.
const (
	chartCounts = 30
	chartTimes  = 28
)

// chart draws every stage as a line: what became of its exchanges, and where p50 and p95 of the
// accepted lie.
func (v *rampView) chart() Block {
	pair := v.pairs()[0]
	most, slowest := 1, int64(1)
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		most = max(most, s.Counts.Done())
		slowest = max(slowest, pair.get(&s.Group).P95.Value)
	}
	lines := []string{fmt.Sprintf("%8s  %-*s  %s", "", chartCounts, "accepted =  throttled x  failed !", pair.over+": p50 o, p95 |")}
	for i := range v.r.Stages {
		s := &v.r.Stages[i]
		lines = append(lines, fmt.Sprintf("%8s  %-*s  %s", number(s), chartCounts+3, countBar(s, most), timeBar(pair.get(&s.Group), slowest)))
	}
	return Code{lines}
}

// countBar gives every outcome that occurred at least one column.
func countBar(s *load.Stage, most int) string {
	bar := ""
	for _, part := range []struct {
		n    int
		mark string
	}{{s.Counts.OK, "="}, {s.Counts.Throttled, "x"}, {s.Counts.Failed, "!"}} {
		if part.n > 0 {
			bar += strings.Repeat(part.mark, max(1, int(math.Round(float64(part.n)*chartCounts/float64(most)))))
		}
	}
	return bar
}

func timeBar(f load.Figure, slowest int64) string {
	if f.N == 0 {
		return "-"
	}
	at := func(ns int64) int { return int(float64(ns) / float64(slowest) * (chartTimes - 1)) }
	line := []byte(strings.Repeat(" ", chartTimes))
	for i := at(f.P50.Value); i < at(f.P95.Value); i++ {
		line[i] = '-'
	}
	line[at(f.P95.Value)] = '|'
	line[at(f.P50.Value)] = 'o'
	return strings.TrimRight(string(line), " ")
}
