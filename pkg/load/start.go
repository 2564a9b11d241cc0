package load

import (
	"cmp"
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/reading"
	"github.com/coldsplit/coldsplit/pkg/stats"
)

// Start tells how far a stage's bursts were what they claim: everything at once.
type Start struct {
	N       int           // exchanges that left behind the barrier
	P50     time.Duration // connect call minus barrier release, without the time its name took to resolve
	Max     time.Duration
	Connect time.Duration // first to last completed connection of one burst, the widest; 0 when none was made
}

// Doubt says why a stage is not what it claims to be.
type Doubt uint8

// The doubts.
const (
	Skewed    Doubt = iota // the starts lie too far apart for one burst
	Starved                // this machine was short of processor time
	Short                  // fewer were in flight at once than the stage asks for
	Unreached              // fewer were started a second than the stage's rate asks for
)

// String is the word JSON carries.
func (d Doubt) String() string {
	return [...]string{Skewed: "skewed", Starved: "starved", Short: "short", Unreached: "unreached"}[d]
}

// A burst's starts and the machine's lateness are judged against what an exchange of the stage takes:
// a twentieth of it would move a percentile by no more than that. Below the floors neither matters.
const (
	tolerated  = 20
	skewFloor  = 2 * time.Millisecond
	leastTimed = 2
)

// startOf measures the bursts among rows.
func startOf(rows []*row, held bool) Start {
	var s Start
	var skews []int64
	for _, burst := range byPair(rows) {
		if held && burst[0].pair > 0 {
			continue // a hold's later exchanges follow their worker's own pace
		}
		for _, r := range burst {
			skews = append(skews, int64(r.skew))
			s.Max = max(s.Max, r.skew)
		}
		s.Connect = max(s.Connect, spread(burst))
	}
	s.N = len(skews)
	s.P50 = time.Duration(stats.QuantileOf(stats.Sorted(skews), stats.P50).Value)
	return s
}

func byPair(rows []*row) [][]*row {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b *row) int { return cmp.Compare(a.pair, b.pair) })
	var out [][]*row
	for i, r := range sorted {
		if i == 0 || r.pair != sorted[i-1].pair {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

// spread is the time from the first completed connection to the last.
func spread(burst []*row) time.Duration {
	var first, last time.Duration
	n := 0
	for _, r := range burst {
		if r.connected <= 0 {
			continue
		}
		if n == 0 || r.connected < first {
			first = r.connected
		}
		last = max(last, r.connected)
		n++
	}
	if n < leastTimed {
		return 0
	}
	return last - first
}

// mostAtOnce is the largest number of rows under way at one instant: started and not ended.
func mostAtOnce(rows []*row) int {
	type edge struct {
		at   time.Time
		step int
	}
	edges := make([]edge, 0, 2*len(rows))
	for _, r := range rows {
		edges = append(edges, edge{r.started, 1}, edge{r.ended(), -1})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return a.step - b.step // what ends at an instant makes room for what starts then
	})
	now, most := 0, 0
	for _, e := range edges {
		now += e.step
		most = max(most, now)
	}
	return most
}

// doubtsOf judges a stage.
func doubtsOf(s *Stage, rows []*row) []Doubt {
	typical := time.Duration(s.Total.P50.Value)
	if typical == 0 {
		typical = time.Duration(s.Throttled.Latency.P50.Value)
	}
	var out []Doubt
	if s.Start.P50 > max(skewFloor, typical/tolerated) {
		out = append(out, Skewed)
	}
	if s.Lag > max(reading.BusyLag, typical/tolerated) {
		out = append(out, Starved)
	}
	if s.Rate == 0 && s.InFlight < s.Parallel && len(rows) >= s.Parallel {
		out = append(out, Short)
	}
	if s.Rate > 0 && s.Sent < reached*s.Rate {
		out = append(out, Unreached)
	}
	return out
}

// reached is the share of a rate that has to be started for the stage to be of that rate.
const reached = 0.95

// sentOf is how many of an open stage's rows were started a second, from the instant the first was due
// to one interval behind the last start, and never more than rate: a stage that catches up after a
// stall has reached it. Late is how long after its time the middle one was started.
func sentOf(rows []*row, rate float64) (sent float64, late time.Duration) {
	due, last := rows[0].started.Add(-rows[0].late), rows[0].started
	var lates []int64
	for _, r := range rows {
		if at := r.started.Add(-r.late); at.Before(due) {
			due = at
		}
		if r.started.After(last) {
			last = r.started
		}
		lates = append(lates, int64(r.late))
	}
	seconds := last.Sub(due).Seconds() + 1/rate
	return min(rate, float64(len(rows))/seconds), time.Duration(stats.QuantileOf(stats.Sorted(lates), stats.P50).Value)
}

// lengthOf is the time from the first start to the end of the last exchange.
func lengthOf(rows []*row) time.Duration {
	began, ended := rows[0].started, rows[0].ended()
	for _, r := range rows {
		if r.started.Before(began) {
			began = r.started
		}
		if end := r.ended(); end.After(ended) {
			ended = end
		}
	}
	return ended.Sub(began)
}

// lagOf is how late this machine's timers were during half of the exchanges.
func lagOf(rows []*row) time.Duration {
	var lags []int64
	for _, r := range rows {
		lags = append(lags, int64(r.lag))
	}
	return time.Duration(stats.QuantileOf(stats.Sorted(lags), stats.P50).Value)
}
