package probe

import (
	"sync"
	"time"
)

// lagPeriod is how often the scheduler is tried. One timer a millisecond costs well under a percent
// of one processor and finds every stall that could move a segment by a tenth of a millisecond.
const lagPeriod = time.Millisecond

// lagMeter measures how late this process is woken: the worst lateness of a timer while it runs.
// It tells a slow exchange on a busy machine from a slow answer.
type lagMeter struct {
	mu    sync.Mutex // guards all below
	timer *time.Timer
	due   time.Time
	worst time.Duration
	done  bool
}

func startLagMeter() *lagMeter {
	m := &lagMeter{due: time.Now().Add(lagPeriod)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.timer = time.AfterFunc(lagPeriod, m.fire)
	return m
}

func (m *lagMeter) fire() {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		return
	}
	m.worst = max(m.worst, now.Sub(m.due))
	m.due = now.Add(lagPeriod)
	m.timer.Reset(lagPeriod)
}

// stop ends the measurement; a timer overdue at this moment counts.
func (m *lagMeter) stop() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.timer.Stop()
	m.done = true
	return max(m.worst, time.Since(m.due))
}
