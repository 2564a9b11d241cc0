package probe

import (
	"context"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// ticketWait is how long a primed connection stays open for its session ticket.
const ticketWait = time.Second

// Do performs one exchange with t in the state it asks for. It returns when the exchange ended, at the
// latest soon after t.MaxTime (twice that where a priming exchange precedes it); a failure is a Result,
// not an error. It panics when t.Check is not nil.
func (p *Prober) Do(ctx context.Context, t *Target) Result {
	if err := t.Check(); err != nil {
		panic("probe: Do of a target that Check refuses: " + err.Error())
	}
	switch t.state() {
	case Warm:
		return p.warm(ctx, t)
	case Resumed, Early:
		return p.resumed(ctx, t)
	}
	return p.cold(ctx, t)
}

// cold is an exchange on a connection of its own.
func (p *Prober) cold(ctx context.Context, t *Target) Result {
	return p.onOwnLink(ctx, t, Cold, nil, nil)
}

// onOwnLink performs an exchange on a new connection, which linger may keep open for a while once the
// answer is there.
func (p *Prober) onOwnLink(ctx context.Context, t *Target, state State, tickets *Tickets, linger func(context.Context, *exchange, *link)) Result {
	x := p.newExchange(t, state)
	x.tickets = tickets
	limited, cancel := context.WithTimeout(ctx, t.maxTime())
	defer cancel()
	var facts Facts
	if l, ok := x.open(limited); ok {
		facts = x.run(limited, l)
		if linger != nil && !x.failed {
			linger(ctx, x, l)
		}
		x.finish(l)
	}
	result := x.close()
	result.Facts = facts
	return result
}

// warm is the second exchange on one connection; the first primes it.
func (p *Prober) warm(ctx context.Context, t *Target) Result {
	s, opened := p.openSession(ctx, t)
	if s == nil {
		return opened
	}
	defer s.Close()
	first := s.first(ctx)
	if first.Canceled || first.Exchange.Outcome != record.OK {
		return notPrimed(first, Warm)
	}
	result := s.Do(ctx, t)
	result.Prime = primed(first)
	return result
}

// resumed is an exchange on a new connection with the session ticket of an earlier one, which is made
// now unless t.Tickets holds a fresh one.
func (p *Prober) resumed(ctx context.Context, t *Target) Result {
	tickets := t.Tickets
	if tickets == nil {
		tickets = &Tickets{}
	}
	var prime *record.Exchange
	if !tickets.fresh() {
		first := p.onOwnLink(ctx, t, Cold, tickets, awaitTicket)
		if first.Canceled || first.Exchange.Outcome != record.OK {
			return notPrimed(first, t.state())
		}
		prime = primed(first)
	}
	result := p.onOwnLink(ctx, t, t.state(), tickets, nil)
	result.Prime = prime
	return result
}

// awaitTicket keeps the connection open until its ticket is stored.
func awaitTicket(ctx context.Context, x *exchange, l *link) {
	l.rest()
	timer := time.NewTimer(ticketWait)
	defer timer.Stop()
	select {
	case <-x.tickets.coming():
	case <-timer.C:
	case <-ctx.Done():
	}
}

func primed(first Result) *record.Exchange {
	first.Exchange.Prime = true
	return &first.Exchange
}

// notPrimed presents the exchange that should have primed as the outcome of the one it was for.
func notPrimed(first Result, state State) Result {
	first.Exchange.State = string(state)
	first.Exchange.Notes = append(first.Exchange.Notes, "failed in the exchange that was to prime state "+string(state))
	return first
}
