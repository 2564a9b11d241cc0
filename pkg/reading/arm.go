package reading

import (
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// Arm is every exchange of one route, read. Its rows are the ok exchanges in send order; what
// became of the others is counted and grouped beside them. An Arm is complete when its [Set] is and
// is not changed afterwards, so several goroutines may read it.
type Arm struct {
	Route     record.Route
	By        string        // the dimension the route was split by, "" when it was not
	Projected bool          // the times were computed for a longer round trip; nothing is said of places
	Group     string        // the value of By all exchanges of the arm share; [Other], [Unnamed]
	Counts    record.Counts // asked and not_sent are the file's end's; of a cut-off file asked is what is in it
	Ending    record.ArmEnd // zero for a cut-off file

	Seq   Numbers // send order in the file
	Pair  Numbers // the round
	Marks []Mark
	Late  []Lateness // of the rows marked Busy, in their order
	Again []Resent   // of the rows marked SYNLost, in their order

	FirstTotal time.Duration // total of the route's first exchange; see HasFirst
	HasFirst   bool          // the route's first exchange was ok and is among the rows

	EdgeRTTSource Tally // where the estimate of edge_rtt came from
	Protocols     Tally
	Remotes       Tally
	Families      Tally
	TLSVersions   Tally
	Resolvers     Tally
	Answers       []Answer
	Throttled     Throttling
	Failures      []Failure
	Invalid       Tally
	Notes         Tally
	Interims      []Interim     // the 1xx responses of ok exchanges, by status
	Capped        int           // ok exchanges whose body was read up to the cap and no further
	Places        []Place       // by role, the most frequent first
	Doubts        []Doubt       // figures that were not used, or with a reservation
	Limits        []Limit       // what was only bounded
	OwnWork       OwnWork       // inside tls or quic
	Tolerance     time.Duration // what clocks and rounding may make the parts of wait exceed it by
	Findings      []Finding     // what measured times say about the places
	Trips         []TripShare   // round trips of set-up, the most frequent way first
	Began, Ended  time.Time     // start of the first and of the last exchange, whatever their outcome

	t        table
	marks    growing[Mark]
	firstSeq int
	remote   string // of the last row, and its host
	host     string
	places   places
	doubts   doubts
	limits   limits
	signs    signs
	trips    tripTally
	example  *record.Exchange // the first ok exchange, cloned
}

// N is the number of rows, the n of every statistic.
func (a *Arm) N() int { return a.t.rows }

// Column returns the values of k for every row, or nil when no row has it. The column is shared:
// the caller must not change it. setup, ttfb and first_text are columns too, the first two added up
// for each call; wait.unattributed is not, because it depends on which parts are used, see
// [Arm.Unattributed].
func (a *Arm) Column(k segment.Key) Column {
	switch k {
	case segment.Setup:
		return a.t.sum(segment.Race, segment.TCP, segment.Proxy, segment.TLS, segment.QUIC)
	case segment.TTFB:
		return a.ttfb()
	}
	return a.t.cols[k]
}

// ttfb is total minus transfer, absent where transfer is.
func (a *Arm) ttfb() Column {
	out := a.t.cols[segment.Transfer].clone()
	for i, transfer := range out {
		if transfer != Absent {
			out[i] = a.t.cols[segment.Total][i] - transfer
		}
	}
	return out
}

// Totals is the column of total.
func (a *Arm) Totals() Column { return a.t.cols[segment.Total] }

// Example is the first ok exchange of the arm, for facts that are the same in all of them; nil when
// there is none. The caller must not change it.
func (a *Arm) Example() *record.Exchange { return a.example }

// Unattributed returns wait minus the parts named, row by row; rows without wait are Absent. A part
// absent from a row takes nothing away. The slice is the caller's.
func (a *Arm) Unattributed(parts []segment.Key) Column {
	wait := a.t.cols[segment.Wait]
	out := wait.clone()
	for _, k := range parts {
		col := a.t.cols[k]
		for i := range out {
			if col != nil && col[i] != Absent && out[i] != Absent {
				out[i] -= col[i]
			}
		}
	}
	return out
}

// FirstSeq is the send order of the route's first exchange; see HasFirst.
func (a *Arm) FirstSeq() int { return a.firstSeq }

// expect lets everything that grows by a row ask how many rows there will be.
func (a *Arm) expect(rows expected) {
	a.t.expect(rows)
	a.marks.expect, a.Seq.grown.expect, a.Pair.grown.expect = rows, rows, rows
}

// add reads one exchange into the arm.
func (a *Arm) add(ex *record.Exchange, parts *Parts) {
	a.span(ex.Started)
	if ex.Prime {
		a.Counts.Priming++
		return
	}
	a.Counts.Add(ex.Outcome)
	switch ex.Outcome {
	case record.OK:
		a.addRow(ex, parts)
	case record.Throttled:
		a.Throttled.add(ex)
	case record.Failed:
		a.addFailure(ex)
	case record.Invalid:
		a.Invalid.Add(errorText(ex))
	}
}

func (a *Arm) span(t time.Time) {
	if a.Began.IsZero() || t.Before(a.Began) {
		a.Began = t
	}
	if t.After(a.Ended) {
		a.Ended = t
	}
}

func (a *Arm) addRow(ex *record.Exchange, parts *Parts) {
	var v values
	putMeasured(&v, ex)
	parts.put(&v)
	a.t.addRow(&v)
	a.Seq.add(int32(ex.Seq))
	a.Pair.add(int32(ex.Pair))
	m := marksOf(ex)
	if m&Busy != 0 {
		a.Late = append(a.Late, Lateness{Row: int32(a.t.rows - 1), By: ex.SchedLag})
	}
	if m&SYNLost != 0 {
		a.Again = append(a.Again, Resent{Row: int32(a.t.rows - 1), N: ex.TCP.TotalRetrans})
	}
	a.marks.add(m)
	if ex.First {
		a.FirstTotal, a.firstSeq, a.HasFirst = ex.Total, ex.Seq, true
	}
	a.tally(ex, parts)
}

// putMeasured stores the leaves of the record, the total, and the parts of transfer.
func putMeasured(v *values, ex *record.Exchange) {
	for k := range segment.Key(segment.NumMeasured) {
		if d, ok := ex.Segments.Get(k); ok {
			v.put(k, int64(d))
		}
	}
	v.put(segment.Total, int64(ex.Total))
	ttfb, ok := ex.Segments.TTFB()
	if !ok {
		return
	}
	if s := ex.Stream; s != nil && s.HasText {
		before := max(s.FirstText-ttfb, 0)
		transfer, _ := ex.Segments.Get(segment.Transfer)
		before = min(before, transfer)
		v.put(segment.FirstText, int64(ttfb+before))
		v.put(segment.TransferBeforeText, int64(before))
		v.put(segment.TransferText, int64(transfer-before))
	}
}
