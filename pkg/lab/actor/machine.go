package actor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Machine generates text for accounts, each of which has so many lanes on it. A
// lane is taken by the generating task and given back when its stream has ended, so
// what an account has in flight counts across keys, both API shapes and both modes.
type Machine struct {
	// ID is written as Fly-Machine-Id.
	ID string
	// Lanes an account has here.
	Lanes int
	// Generates is how long an answer takes from beginning to end; FirstText is the
	// share of that, 0 to 1, after which its first text comes.
	Generates Latency
	FirstText float64
	// Pieces is how many pieces the text comes in; 0 means 16.
	Pieces int
	// Alive is how often an event that is no text keeps a stream open before its
	// first text; 0 never does.
	Alive time.Duration
	// Accounts finds the account of a key.
	Accounts *Accounts
	// RetryAfter is what a full lane asks for.
	RetryAfter time.Duration
	// Code is the error code of a full lane.
	Code string
	// Stall stops a stream's text for a while, or for good.
	Stall Stall

	mu       sync.Mutex // guards what follows
	taken    map[string]int
	served   int
	draining bool
	tasks    sync.WaitGroup
}

// Stall is an interruption of every stream a machine sends.
type Stall struct {
	// After is the piece of text it follows, counting from 1; 0 means none.
	After int
	// For is how long it lasts.
	For time.Duration
	// Cut ends the stream there, without its terminal event.
	Cut bool
}

const defaultPieces = 16

// Handler returns the machine as a handler.
func (m *Machine) Handler() http.Handler { return answersWarm(http.HandlerFunc(m.serve)) }

func (m *Machine) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Fly-Machine-Id", m.ID)
	p, ok := readPrompt(r, m.nextID())
	if !ok {
		writeError(w, http.StatusNotFound, "not_found", "want a JSON object at "+chatPath+" or "+messagesPath)
		return
	}
	account, ok := m.Accounts.of(apiKey(r))
	if !ok {
		writeError(w, http.StatusUnauthorized, "invalid_api_key", "no account has this key")
		return
	}
	if !m.begin(w, account) {
		return
	}
	defer m.leave(account)
	m.generate(w, r, p)
}

// begin takes a lane and reserves the cost, or answers why it cannot.
func (m *Machine) begin(w http.ResponseWriter, account string) bool {
	switch err := m.enter(account); {
	case errors.Is(err, errDraining):
		throttleDraining(w, m.RetryAfter)
		return false
	case err != nil:
		throttle(w, m.RetryAfter, m.Code, err.Error())
		return false
	}
	if m.Accounts.reserve(account) {
		return true
	}
	m.leave(account)
	writeError(w, http.StatusPaymentRequired, "insufficient_balance", "the account's balance is spent")
	return false
}

func throttleDraining(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", fmt.Sprint(max(1, int(wait/time.Second))))
	writeError(w, http.StatusServiceUnavailable, "draining", errDraining.Error())
}

func (m *Machine) nextID() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.served++
	return fmt.Sprintf("%s-%d", m.ID, m.served)
}

var errDraining = errors.New("this machine is shutting down")

func (m *Machine) enter(account string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.draining {
		return errDraining
	}
	if m.taken[account] >= m.Lanes {
		return fmt.Errorf("all %d lanes of the account are taken on this machine", m.Lanes)
	}
	if m.taken == nil {
		m.taken = map[string]int{}
	}
	m.taken[account]++
	m.tasks.Add(1)
	return nil
}

func (m *Machine) leave(account string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken[account]--
	m.tasks.Done()
}

// Busy returns how many lanes are taken, of all accounts together.
func (m *Machine) Busy() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := 0
	for _, n := range m.taken {
		total += n
	}
	return total
}

// Drain takes nothing new and waits until the last stream has ended, or ctx.
func (m *Machine) Drain(ctx context.Context) error {
	m.mu.Lock()
	m.draining = true
	m.mu.Unlock()
	done := make(chan struct{})
	go func() {
		m.tasks.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("drain machine %q: %w", m.ID, ctx.Err())
	}
}
