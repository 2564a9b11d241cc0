package actor

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Latency says how long the next piece of work takes.
type Latency interface {
	// Draw returns the next duration, never negative.
	Draw() time.Duration
}

// Fixed is a Latency that never varies.
type Fixed time.Duration

// Draw returns the duration.
func (f Fixed) Draw() time.Duration { return time.Duration(f) }

// Deck deals the values of a quantile table in a seeded order, each once before any
// comes again, as cards are dealt. The percentiles of one full round are therefore
// those of the table, whatever the seed; which request gets which value is chance.
type Deck struct {
	mu     sync.Mutex // guards what follows
	rng    *rand.Rand
	values []time.Duration
	left   int
}

// NewDeck returns a deck of the values, which it copies. It panics without a value.
func NewDeck(seed uint64, values ...time.Duration) *Deck {
	if len(values) == 0 {
		panic("actor: a deck needs a value")
	}
	return &Deck{rng: rand.New(rand.NewPCG(seed, deckStream)), values: slices.Clone(values)}
}

// deckStream keeps a deck's draws apart from other streams of the same seed.
const deckStream = 0x6465636b

// Draw deals the next value: a step of Fisher and Yates' shuffle.
func (d *Deck) Draw() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left == 0 {
		d.left = len(d.values)
	}
	d.left--
	i := d.rng.IntN(d.left + 1)
	d.values[i], d.values[d.left] = d.values[d.left], d.values[i]
	return d.values[d.left]
}

// Quantile is one point of a distribution: the share At (0 to 1) of all values is
// Value or less.
type Quantile struct {
	At    float64
	Value time.Duration
}

// deckSize is how many values stand for a distribution given by some quantiles: as
// many as a run has requests by default, so that one run sees them all.
const deckSize = 25

// Spread returns values spaced evenly over the distribution through the quantiles,
// straight between two and flat outside them. The quantiles must ascend in both.
func Spread(quantiles []Quantile) []time.Duration {
	values := make([]time.Duration, deckSize)
	for i := range values {
		values[i] = interpolate(quantiles, (float64(i)+0.5)/deckSize)
	}
	return values
}

func interpolate(q []Quantile, at float64) time.Duration {
	next := slices.IndexFunc(q, func(p Quantile) bool { return p.At >= at })
	switch next {
	case -1:
		return q[len(q)-1].Value
	case 0:
		return q[0].Value
	}
	lo, hi := q[next-1], q[next]
	share := (at - lo.At) / (hi.At - lo.At)
	return lo.Value + time.Duration(share*float64(hi.Value-lo.Value))
}

// Tide adds to a Latency what rises from 0 to Swing and falls again once a Day, in
// the shape of a cosine: load by time of day, with a day as short as one likes.
type Tide struct {
	Latency
	Start      time.Time // when a day began: the trough
	Day, Swing time.Duration
}

// Draw returns the latency at this moment of the day.
func (t Tide) Draw() time.Duration {
	phase := 2 * math.Pi * float64(time.Since(t.Start)%t.Day) / float64(t.Day)
	return t.Latency.Draw() + time.Duration((1-math.Cos(phase))/2*float64(t.Swing))
}

// work passes the time, or ends with the context.
func work(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
