package actor

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Verdict is what a state object says of the service it watches.
type Verdict string

// The states of a circuit breaker, as answers to "may I forward?".
const (
	Closed   Verdict = "closed"    // forward
	Open     Verdict = "open"      // do not: fall back
	HalfOpen Verdict = "half-open" // forward this one, as a trial
)

// State is the one object that holds a circuit breaker's count. It stays on the
// host it was created on; whoever asks pays the way there.
type State struct {
	// Generation names the object; a new one starts from nothing.
	Generation string
	// Place is the airport code of where it stands, told to those who ask.
	Place string
	// Reads is the handling of a question, Writes that of a record that must last.
	Reads, Writes Latency
	// Failures in a row open the breaker; 0 means 5.
	Failures int
	// Rest is how long it stays open before a trial; 0 means 5 s.
	Rest time.Duration

	mu       sync.Mutex // guards what follows
	failures int
	opened   time.Time // the zero time while closed
	trial    bool      // a trial is under way
	begun    int
}

// The paths a state object answers.
const (
	askPath     = "/ask"     // the verdict, as the body
	beginPath   = "/begin"   // an attempt is put on record
	successPath = "/success" // its outcome
	failurePath = "/failure"
)

// placeHeader tells where the state object stands.
const placeHeader = "X-Do-Colo"

const (
	defaultFailures = 5
	defaultRest     = 5 * time.Second
)

// Handler returns the object as a handler.
func (s *State) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(askPath, s.on(s.Reads, func() string { return string(s.Ask()) }))
	mux.HandleFunc("/", s.on(s.Reads, func() string { return s.Generation }))
	mux.HandleFunc(beginPath, s.on(s.Writes, s.begin))
	mux.HandleFunc(successPath, s.on(nil, func() string { s.Report(true); return "" }))
	mux.HandleFunc(failurePath, s.on(nil, func() string { s.Report(false); return "" }))
	return answersWarm(mux)
}

func (s *State) on(takes Latency, answer func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		if takes != nil {
			if err := work(r.Context(), takes.Draw()); err != nil {
				return
			}
		}
		w.Header().Set(placeHeader, s.Place)
		text := answer()
		var m metrics
		m.add(origin, time.Since(start))
		m.set(w.Header())
		writeContent(w, http.StatusOK, "", []byte(text))
	}
}

// Ask returns the verdict for one request. Half-open is answered once until its
// outcome is known; whoever asks meanwhile is told open.
func (s *State) Ask() Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.opened.IsZero():
		return Closed
	case s.trial || time.Since(s.opened) < orDefault(s.Rest, defaultRest):
		return Open
	}
	s.trial = true
	return HalfOpen
}

// Report counts the outcome of an attempt: a success closes the breaker, a failed
// trial opens it again, and failures in a row open it.
func (s *State) Report(success bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if success {
		s.failures, s.opened, s.trial = 0, time.Time{}, false
		return
	}
	s.failures++
	if s.trial || s.failures >= orDefault(s.Failures, defaultFailures) {
		s.opened, s.trial = time.Now(), false
	}
}

func (s *State) begin() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	return fmt.Sprintf("%s %d", s.Generation, s.begun)
}

// Begun returns how many attempts were put on record.
func (s *State) Begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

func orDefault[T comparable](v, or T) T {
	var zero T
	if v == zero {
		return or
	}
	return v
}
