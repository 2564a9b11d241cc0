package probe

import (
	"crypto/tls"
	"sync"
)

// Tickets keeps the newest TLS session of one route between exchanges in state resumed or early, so that
// not every one needs a priming request. The zero Tickets is empty and ready; exchanges that share one
// must follow each other. It must never be shared between routes.
type Tickets struct {
	mu    sync.Mutex // guards all below
	state *tls.ClientSessionState
	used  bool          // offered once: most servers accept a ticket once (RFC 8446 appendix C.4)
	came  chan struct{} // closed when the next ticket comes
}

// fresh reports whether a session that was never offered is there.
func (t *Tickets) fresh() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state != nil && !t.used
}

// wasOffered reports whether the session held was offered to the server.
func (t *Tickets) wasOffered() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used
}

// coming returns a channel that is closed when a fresh ticket is there.
func (t *Tickets) coming() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := make(chan struct{})
	if t.state != nil && !t.used {
		close(c)
		return c
	}
	t.came = c
	return c
}

// Get implements tls.ClientSessionCache for one route; the key does not matter.
func (t *Tickets) Get(string) (*tls.ClientSessionState, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == nil || t.used {
		return nil, false
	}
	t.used = true
	return t.state, true
}

// Put implements tls.ClientSessionCache; nil forgets the session.
func (t *Tickets) Put(_ string, state *tls.ClientSessionState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state, t.used = state, false
	if state != nil && t.came != nil {
		close(t.came)
		t.came = nil
	}
}
