package lab

import (
	"sync"
	"time"
)

// deadline is a channel that closes at a time which may be moved. Moving it while
// somebody waits on the channel moves that wait too.
type deadline struct {
	mu    sync.Mutex // guards everything below
	ch    chan struct{}
	timer *time.Timer
	round int // tells a timer that fired late from the one that counts
}

func (d *deadline) expired() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.channel()
}

// channel returns the channel in use; d.mu is held.
func (d *deadline) channel() chan struct{} {
	if d.ch == nil {
		d.ch = make(chan struct{})
	}
	return d.ch
}

// set moves the deadline; the zero time removes it.
func (d *deadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.round++
	if d.timer != nil {
		d.timer.Stop()
	}
	if isClosed(d.channel()) {
		d.ch = make(chan struct{})
	}
	if t.IsZero() {
		return
	}
	left := time.Until(t)
	if left <= 0 {
		close(d.ch)
		return
	}
	round := d.round
	d.timer = time.AfterFunc(left, func() { d.expire(round) })
}

func (d *deadline) expire(round int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if round == d.round {
		close(d.ch)
	}
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
