package probe

import "time"

// setupClock measures the processor time of a handshake: the part of tls or quic that is this
// machine's own arithmetic. The counter is the whole process's, so it says nothing about one of several
// exchanges that run side by side, and is left out then.
type setupClock struct {
	p     *Prober
	began time.Duration
	ok    bool
}

func (x *exchange) startSetupClock() setupClock {
	c := setupClock{p: x.p}
	if x.p.running.Load() == 1 {
		c.began, c.ok = cpuTime()
	}
	return c
}

// stop returns the time used, 0 when it is not this exchange's alone.
func (c setupClock) stop() time.Duration {
	if !c.ok || c.p.running.Load() != 1 {
		return 0
	}
	ended, ok := cpuTime()
	if !ok {
		return 0
	}
	return ended - c.began
}
