package probe

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// attemptDelay is the Connection Attempt Delay recommended by RFC 8305 section 5.
const attemptDelay = 250 * time.Millisecond

// racer opens one connection out of several addresses: the next attempt starts attemptDelay after
// the one before, or at once when an attempt failed.
type racer[C any] struct {
	now    func() time.Duration
	dial   func(context.Context, netip.AddrPort) (C, error)
	drop   func(C) // closes a connection that came too late
	losers *sync.WaitGroup
}

// landed is an attempt that ended.
type landed[C any] struct {
	i    int
	conn C
	err  error
	at   time.Duration
}

// raced is the end of a race.
type raced[C any] struct {
	conn     C
	winner   int // index into attempts; -1 when none won
	attempts []record.Attempt
	err      error // the most telling one, when none won
}

// run races. Losers still under way are cancelled, recorded as "canceled" at the winner's end, and
// waited for through losers, not here: their end must not delay the exchange.
func (r racer[C]) run(ctx context.Context, addrs []netip.AddrPort) raced[C] {
	if len(addrs) == 1 {
		return r.alone(ctx, addrs[0])
	}
	ctx, cancel := context.WithCancel(ctx)
	ends := make(chan landed[C], len(addrs))
	out := raced[C]{winner: -1, attempts: make([]record.Attempt, 0, len(addrs))}
	pending := 0
	start := func() {
		i := len(out.attempts)
		out.attempts = append(out.attempts, record.Attempt{Addr: addrs[i].String(), Start: r.now()})
		pending++
		go func() {
			conn, err := r.dial(ctx, addrs[i])
			ends <- landed[C]{i: i, conn: conn, err: err, at: r.now()}
		}()
	}
	timer := time.NewTimer(attemptDelay)
	defer timer.Stop()
	start()
	for out.winner < 0 && pending > 0 {
		select {
		case <-timer.C:
		case end := <-ends:
			pending--
			out.land(end)
		}
		if out.winner < 0 && len(out.attempts) < len(addrs) && ctx.Err() == nil {
			start()
			timer.Reset(attemptDelay)
		}
	}
	cancel()
	out.cancelRest()
	r.collect(ends, pending)
	return out
}

// alone makes the only attempt there can be, without the goroutine and the timer of a race: they cost as
// much as sending the SYN, and their hand-over to this goroutine would count as time of the network.
func (r racer[C]) alone(ctx context.Context, addr netip.AddrPort) raced[C] {
	out := raced[C]{winner: -1, attempts: []record.Attempt{{Addr: addr.String(), Start: r.now()}}}
	conn, err := r.dial(ctx, addr)
	out.land(landed[C]{conn: conn, err: err, at: r.now()})
	return out
}

// land notes how an attempt ended.
func (out *raced[C]) land(end landed[C]) {
	a := &out.attempts[end.i]
	a.End = end.at
	if end.err == nil {
		out.conn, out.winner = end.conn, end.i
		return
	}
	a.Err = end.err.Error()
	if out.err == nil || weight(end.err) > weight(out.err) {
		out.err = end.err
	}
}

// weight ranks what a failed attempt tells: silence, which took the time, above a refusal by somebody
// who is there, above not even getting out.
func weight(err error) int {
	switch {
	case isTimeout(err):
		return 2
	case isReset(err):
		return 1
	}
	return 0
}

// cancelRest marks the attempts that the winner cut short.
func (out *raced[C]) cancelRest() {
	if out.winner < 0 {
		return
	}
	for i := range out.attempts {
		if a := &out.attempts[i]; i != out.winner && a.Err == "" {
			a.End, a.Err = out.attempts[out.winner].End, "canceled"
		}
	}
}

// collect waits for the attempts still under way and closes what they bring.
func (r racer[C]) collect(ends <-chan landed[C], pending int) {
	if pending == 0 {
		return
	}
	r.losers.Add(1)
	go func() {
		defer r.losers.Done()
		for range pending {
			if end := <-ends; end.err == nil {
				r.drop(end.conn)
			}
		}
	}()
}
