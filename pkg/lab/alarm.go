package lab

import "time"

// goAlarm rings by a Go timer.
type goAlarm struct {
	ring  chan struct{}
	timer *time.Timer
}

func newGoAlarm() *goAlarm {
	a := &goAlarm{ring: make(chan struct{}, 1)}
	a.timer = time.AfterFunc(time.Hour, a.strike)
	a.timer.Stop()
	return a
}

func (a *goAlarm) set(after time.Duration) {
	if after <= 0 {
		a.strike()
		return
	}
	a.timer.Reset(after)
}

func (a *goAlarm) rings() <-chan struct{} { return a.ring }

func (a *goAlarm) close() { a.timer.Stop() }

func (a *goAlarm) strike() {
	select {
	case a.ring <- struct{}{}:
	default:
	}
}
