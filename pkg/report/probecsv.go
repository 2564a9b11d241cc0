package report

import (
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/stats"
)

// probeColumns are the columns of probe's CSV. A row is one statistic of one segment of one arm, or
// one count of an arm:
//
//	arm         the arm's name
//	host        the URL's host
//	protocol    "h2", "h3", "http/1.1"
//	state       "cold", "warm", "resumed", "early"
//	segment     the key, empty in a row of counts
//	statistic   at_p50, p10, p50, p90, p99; asked, ok, throttled, failed, invalid, not_sent; where there
//	            are any: capped (bodies), interim_103 (ok exchanges that had one), not_verified (of -k)
//	value_ns    the time in nanoseconds, empty in a row of counts
//	count       the count, empty in a row of times
//	n           exchanges the statistic is over
//	rank        its nearest rank, empty for at_p50
//	extreme     "min" or "max" when the percentile is merely that
//	lo_ns hi_ns the limits, empty where the sample has none
//	confidence  of the limits, 0.95
var probeColumns = [...]string{"arm", "host", "protocol", "state", "segment", "statistic", "value_ns", "count",
	"n", "rank", "extreme", "lo_ns", "hi_ns", "confidence"}

func probeRecords(p Probe) Records {
	r := Records{Columns: append([]string{}, probeColumns[:]...)}
	for _, a := range p.Arms {
		r.Rows = append(r.Rows, countRows(a)...)
		for _, c := range asideCounts(a, notVerified(p.Run)) {
			r.Rows = append(r.Rows, append(armCells(a, nil, c.name), nil, c.n))
		}
		fs := figuresOf(a)
		for _, k := range fs.keys() {
			r.Rows = append(r.Rows, figureRows(a, fs[k])...)
		}
	}
	return r
}

func armCells(a Arm, k any, statistic string) []any {
	return []any{Clip(a.Name, clipText), Clip(a.Host, clipText), Clip(a.Protocol, clipName), stateOf(a), k, statistic}
}

func stateOf(a Arm) string {
	if a.State == "" {
		return "cold"
	}
	return Clip(a.State, clipName)
}

func countRows(a Arm) [][]any {
	c := a.Counts
	var rows [][]any
	for _, count := range []struct {
		name string
		n    int
	}{
		{"asked", c.Asked}, {"ok", c.OK}, {"throttled", c.Throttled},
		{"failed", c.Failed}, {"invalid", c.Invalid}, {"not_sent", c.NotSent},
	} {
		rows = append(rows, append(armCells(a, nil, count.name), nil, count.n))
	}
	return rows
}

type namedCount struct {
	name string
	n    int
}

// asideCounts are what a reader of an arm's figures alone has to know; what there was none of is not
// among them.
func asideCounts(a Arm, unverified bool) []namedCount {
	var counts []namedCount
	if a.Capped > 0 {
		counts = append(counts, namedCount{"capped", a.Capped})
	}
	for _, in := range a.Interims {
		counts = append(counts, namedCount{fmt.Sprintf("interim_%d", in.Status), in.N})
	}
	if unverified {
		counts = append(counts, namedCount{"not_verified", a.Counts.Done()})
	}
	return counts
}

func figureRows(a Arm, f Figure) [][]any {
	var rows [][]any
	key := f.Key.String()
	if f.HasAtP50 {
		rows = append(rows, append(armCells(a, key, "at_p50"), int64(f.AtP50), nil, a.N()))
	}
	for _, p := range []percentile{p10, p50, p90, p99} {
		if q := p.get(f); q.N > 0 {
			rows = append(rows, append(armCells(a, key, p.name), percentileCells(q)...))
		}
	}
	return rows
}

func percentileCells(q stats.PercentileInterval) []any {
	cells := []any{q.Value, nil, q.N, q.Rank, nil, nil, nil, nil}
	if e := extremeOf(q.Quantile); e != "" {
		cells[4] = e
	}
	if q.HasLo {
		cells[5] = q.Lo
	}
	if q.HasHi {
		cells[6] = q.Hi
	}
	if q.HasLo || q.HasHi {
		cells[7] = q.Confidence
	}
	return cells
}

// extremeOf is "min" or "max" when a percentile is merely that. One exchange is both.
func extremeOf(q stats.Quantile) string {
	switch {
	case q.IsMax():
		return "max"
	case q.IsMin():
		return "min"
	}
	return ""
}
