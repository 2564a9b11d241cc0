package schedule

import (
	"slices"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// Stop says why a run ended before its plan did, or an arm before the run.
type Stop string

// The reasons; the empty Stop is a plan that was carried out.
const (
	StopCancelled Stop = "cancelled"  // the context ended
	StopFailures  Stop = "failures"   // consecutive failures, all alike, and never an ok
	StopFatal     Stop = "fatal"      // one failure that no repetition would change
	StopThrottled Stop = "throttled"  // the service said "not now" as often as it may
	StopLongPause Stop = "long-pause" // it asked for a longer pause than granted
	StopBudget    Stop = "budget"     // the next step would cost more than is left
	StopSink      Stop = "sink"       // a result could not be stored
)

// Report is what a run did. Counts are complete: Asked is always the sum of the rest once the run
// is over. A hold asks for each exchange as it sends it, a poll likewise.
type Report struct {
	Counts   record.Counts // of all arms together
	Arms     []ArmReport   // in the order of the plan's arms
	Stop     Stop
	Requests int // reserved and sent, priming included, health polls not
	Pauses   []Pause
}

// ArmReport is one arm's share of a Report.
type ArmReport struct {
	Counts  record.Counts
	Stop    Stop   // "" while the arm was not stopped for itself
	Failure string // what the failures that stopped it share, or why it was fatal
	Alike   int    // how many of them came in a row
}

// Pause is one the service asked for.
type Pause struct {
	Seq     int           // the throttled exchange
	For     time.Duration // as asked, or UnaskedPause
	Granted bool          // false: longer than the policy's longest, so the run ended
}

// Report returns what was done so far. It is safe to call while Run is under way; NotSent then
// counts what is still to come or under way.
func (r *Runner) Report() Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := Report{Stop: r.stop, Requests: r.reserved, Pauses: slices.Clone(r.pauses), Arms: make([]ArmReport, len(r.arms))}
	for i, a := range r.arms {
		a.counts.NotSent = a.counts.Asked - a.counts.Done()
		out.Arms[i] = ArmReport{Counts: a.counts, Stop: a.stop, Failure: a.failure, Alike: a.alike}
		out.Counts = sum(out.Counts, a.counts)
	}
	return out
}

func sum(a, b record.Counts) record.Counts {
	return record.Counts{
		Asked: a.Asked + b.Asked, OK: a.OK + b.OK, Throttled: a.Throttled + b.Throttled,
		Failed: a.Failed + b.Failed, Invalid: a.Invalid + b.Invalid, NotSent: a.NotSent + b.NotSent,
		Priming: a.Priming + b.Priming,
	}
}
