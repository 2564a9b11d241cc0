package probe

import (
	"sync"
	"time"
)

// lagPeriod is how often the scheduler is tried. One timer a millisecond costs well under a percent
// of one processor and finds every stall that could move a segment by a tenth of a millisecond.
const lagPeriod = time.Millisecond

// lagClock tries the scheduler while exchanges run: one timer for all of them, however many they are. The
// zero lagClock is ready.
type lagClock struct {
	mu     sync.Mutex // guards all below
	timer  *time.Timer
	due    time.Time
	meters []*lagMeter
}

// lagMeter measures how late this process is woken while one exchange runs: the worst lateness of the
// timer. It tells a slow exchange on a busy machine from a slow answer.
type lagMeter struct {
	clock *lagClock
	began time.Time
	worst time.Duration
	place int // among the clock's meters
}

func (c *lagClock) start() *lagMeter {
	m := &lagMeter{clock: c, began: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	m.place = len(c.meters)
	c.meters = append(c.meters, m)
	switch {
	case m.place > 0:
	case c.timer == nil:
		c.due = m.began.Add(lagPeriod)
		c.timer = time.AfterFunc(lagPeriod, c.fire)
	default:
		c.due = m.began.Add(lagPeriod)
		c.timer.Reset(lagPeriod)
	}
	return m
}

func (c *lagClock) fire() {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.meters) == 0 || now.Before(c.due) {
		return // late for exchanges that have ended
	}
	overdue := now.Sub(c.due)
	for _, m := range c.meters {
		if overdue > m.worst {
			m.worst = max(m.worst, m.late(now))
		}
	}
	c.due = now.Add(lagPeriod)
	c.timer.Reset(lagPeriod)
}

// late is how long the timer has been overdue since m began; c.mu is held.
func (m *lagMeter) late(now time.Time) time.Duration {
	return min(now.Sub(m.clock.due), now.Sub(m.began))
}

// stop ends the measurement; a timer overdue at this moment counts.
func (m *lagMeter) stop() time.Duration {
	c := m.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.meters) - 1
	c.meters[m.place] = c.meters[last]
	c.meters[m.place].place = m.place
	c.meters = c.meters[:last]
	if last == 0 {
		c.timer.Stop()
	}
	return max(m.worst, m.late(time.Now()))
}
