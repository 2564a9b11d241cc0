package main

import (
	"sync"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// behind writes what a ramp measured from a goroutine of its own, everything that came in meanwhile at
// once. Where the machine has time that is each exchange as it ends. Where it is loaded it is a handful at
// a time, and the starts and answers still to come do not wait while each end goes all the way to the file.
type behind struct {
	write func([]*record.Exchange) error

	mu      sync.Mutex // guards what follows down to the blank line
	waiting []*record.Exchange
	err     error
	writing bool

	done sync.WaitGroup
}

// mostBehind bounds what waits while the file takes nothing.
const mostBehind = 1024

// put hands exchanges over. The error is that of an earlier write. Calls must follow each other.
func (b *behind) put(exchanges []*record.Exchange) error {
	b.mu.Lock()
	b.waiting = append(b.waiting, exchanges...)
	start, full, err := !b.writing, len(b.waiting) >= mostBehind, b.err
	b.writing = true
	b.mu.Unlock()
	if start {
		b.done.Go(b.catchUp)
	}
	if full {
		return b.wait()
	}
	return err
}

// wait returns once everything handed over is written.
func (b *behind) wait() error {
	b.done.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

func (b *behind) catchUp() {
	for {
		exchanges := b.take()
		if exchanges == nil {
			return
		}
		if err := b.write(exchanges); err != nil {
			b.fail(err)
		}
	}
}

// take returns what waits; nil when there is nothing left to do.
func (b *behind) take() []*record.Exchange {
	b.mu.Lock()
	defer b.mu.Unlock()
	exchanges := b.waiting
	b.waiting, b.writing = nil, len(exchanges) > 0
	return exchanges
}

func (b *behind) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}
