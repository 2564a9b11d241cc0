package schedule

import (
	"context"
	"strconv"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// Do sends one exchange and returns what came of it. It is called from several goroutines at once in
// steps with several slots. It must return when ctx ends; see [ErrInterrupted].
type Do func(ctx context.Context, s Slot) Result

// Sink takes a finished slot, in the order of completion; for plans of one slot a step that is the
// send order. Calls never overlap. An error ends the run: nothing new starts, what is under way is
// still handed over.
type Sink func(s Slot, r Result) error

// Result is what a run needs to know of a finished slot, and what it passes on unread.
type Result struct {
	Outcome       record.Outcome
	Failure       string // what alike failures share; "" unless failed or invalid
	Fatal         string // why the arm can never succeed: a certificate for another name; "" when it may
	RetryAfter    time.Duration
	HasRetryAfter bool
	Exchanges     []*record.Exchange // what to record, in order: priming, hops, the one that counts
}

// Of returns the result of a slot whose last exchange is the one that counts; fatal may be nil and
// returns "" for a failure that another try might survive. Failures are alike when segment, class
// and status are, as is a reason that makes exchanges invalid.
func Of(fatal func(*record.Exchange) string, exchanges ...*record.Exchange) Result {
	x := exchanges[len(exchanges)-1]
	r := Result{Outcome: x.Outcome, Failure: failureOf(x), Exchanges: exchanges}
	if t := x.Throttle; t != nil && x.Outcome == record.Throttled {
		r.RetryAfter, r.HasRetryAfter = t.RetryAfter, t.HasRetryAfter
	}
	if fatal != nil && r.Failure != "" {
		r.Fatal = fatal(x)
	}
	return r
}

func failureOf(x *record.Exchange) string {
	e := x.Error
	if e == nil {
		e = &record.Error{}
	}
	switch x.Outcome {
	case record.Failed:
		return e.Segment.String() + " " + string(e.Class) + " " + strconv.Itoa(x.Status)
	case record.Invalid:
		return "invalid " + e.Text
	}
	return ""
}
