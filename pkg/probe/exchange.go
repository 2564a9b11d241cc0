package probe

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// exchange is one exchange under way. The goroutine that runs it owns every field but those below
// the mutex, which httptrace hooks write from goroutines of the transport.
type exchange struct {
	p   *Prober
	t   *Target
	rec record.Exchange
	tl  segment.Timeline
	lag *lagMeter

	state   State    // what this exchange must prove; a priming one is cold whatever t asks for
	tickets *Tickets // the sessions offered and stored; nil neither offers nor stores

	start  time.Time
	failed bool
	cancel error // the caller's own context ended: the exchange says nothing
	dials  int   // connections that carried, or would have carried, the request
	losers sync.WaitGroup

	mu     sync.Mutex // guards all below
	sealed bool       // later hooks are dropped, not merged
	marks  marks
}

// marks are the boundaries that httptrace hooks report.
type marks struct {
	wrote    time.Duration // WroteRequest without an error
	hasWrote bool
	writes   int // times the request was written; more than one is a retry
	first    time.Duration
	hasFirst bool
	interim  []record.Interim
}

func (p *Prober) newExchange(t *Target, state State) *exchange {
	p.running.Add(1)
	x := &exchange{p: p, t: t, state: state, start: time.Now()}
	x.rec = record.Exchange{
		Route: t.Route, State: string(state), Started: x.start.UTC(), Clock: "user",
	}
	x.lag = p.lag.start()
	return x
}

// now is the offset from the exchange's start on its monotonic clock.
func (x *exchange) now() time.Duration { return time.Since(x.start) }

// since turns an instant of the monotonic clock into an offset.
func (x *exchange) since(at time.Time) time.Duration { return at.Sub(x.start) }

// fail ends the exchange at offset at in segment k. When ctx ran out, that is the cause, however the
// layer in between dressed it.
func (x *exchange) fail(ctx context.Context, k segment.Key, err error, at time.Duration) {
	x.seal()
	x.tl.End(k, at)
	x.failed = true
	switch ctx.Err() {
	case context.Canceled:
		x.cancel = ctx.Err()
	case context.DeadlineExceeded:
		if !isTimeout(err) {
			err = fmt.Errorf("%w (%w)", context.DeadlineExceeded, err)
		}
	}
	x.rec.Outcome = record.Failed
	x.rec.Error = &record.Error{Class: classOf(k, err), Segment: k, Text: record.SafeText(err.Error())}
}

// invalidate ends the exchange as one that proves nothing, for the reason given.
func (x *exchange) invalidate(k segment.Key, reason string) {
	x.failed = true
	x.rec.Outcome = record.Invalid
	x.rec.Error = &record.Error{Segment: k, Text: reason}
}

// note adds a remark to the record, once.
func (x *exchange) note(text string) {
	for _, n := range x.rec.Notes {
		if n == text {
			return
		}
	}
	x.rec.Notes = append(x.rec.Notes, text)
}

// seal freezes the marks and returns them.
func (x *exchange) seal() marks {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sealed = true
	return x.marks
}

// peek returns the marks so far.
func (x *exchange) peek() marks {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.marks
}

// close books what is common to every end and returns the result.
func (x *exchange) close() Result {
	x.p.running.Add(-1)
	x.rec.SchedLag, x.rec.HasLag = x.lag.stop(), true
	return x.snapshot()
}

// snapshot is the result so far.
func (x *exchange) snapshot() Result {
	x.rec.Segments, x.rec.Total = x.tl.Split(), x.tl.At()
	return Result{Exchange: x.rec, Canceled: x.cancel != nil}
}
