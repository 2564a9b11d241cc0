package schedule

import (
	"runtime"
	"sync"
	"time"
)

// gate lets n slots go at one instant, once all have arrived.
type gate struct {
	mu       sync.Mutex // guards missing and at
	missing  int
	at       time.Time
	released chan struct{}
}

func newGate(n int) *gate { return &gate{missing: n, released: make(chan struct{})} }

func (g *gate) arrive() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.missing--; g.missing == 0 {
		g.at = time.Now()
		close(g.released)
	}
}

// ticket is one slot's claim to pass a gate.
type ticket struct {
	gate *gate
	once sync.Once
}

func (t *ticket) arrive() { t.once.Do(t.gate.arrive) }

// release waits for the others. What one processor lets go stands in its own queue, which an idle one looks
// into only after those whose connections are made: they would shake hands while others have not started.
// The yield puts all into the queue that every processor looks into first.
func (t *ticket) release() time.Time {
	t.arrive()
	<-t.gate.released
	runtime.Gosched()
	return t.gate.at
}
