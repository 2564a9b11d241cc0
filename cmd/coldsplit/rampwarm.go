package main

import (
	"context"
	"sync"

	"github.com/coldsplit/coldsplit/pkg/probe"
)

// idle keeps the connections of warm workers between two exchanges. Those of an earlier stage are
// closed: after a gap nobody knows whether they still stand.
type idle struct {
	mu    sync.Mutex // guards all below
	stage int
	free  map[string][]*probe.Session // by origin
}

func newIdle() *idle { return &idle{stage: -1, free: map[string][]*probe.Session{}} }

// take returns a connection to t's origin that nobody uses, opening one where there is none. On
// failure the session is nil and the Result tells why.
func (w *idle) take(ctx context.Context, p *probe.Prober, t *probe.Target, stage int) (*probe.Session, probe.Result) {
	if s := w.waiting(t, stage); s != nil {
		return s, probe.Result{}
	}
	return p.Open(ctx, t)
}

func (w *idle) waiting(t *probe.Target, stage int) *probe.Session {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stage != w.stage {
		w.closeLocked()
		w.stage = stage
	}
	key := originOf(t)
	list := w.free[key]
	if len(list) == 0 {
		return nil
	}
	w.free[key] = list[1:]
	return list[0]
}

// give hands a connection back for the next exchange of its stage.
func (w *idle) give(s *probe.Session, t *probe.Target, stage int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if stage != w.stage {
		s.Close()
		return
	}
	w.free[originOf(t)] = append(w.free[originOf(t)], s)
}

func (w *idle) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closeLocked()
}

func (w *idle) closeLocked() {
	for _, list := range w.free {
		for _, s := range list {
			s.Close()
		}
	}
	clear(w.free)
}

func originOf(t *probe.Target) string { return t.URL.Scheme + "://" + t.URL.Host }
