package actor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Call is one other server asked on behalf of a request.
type Call struct {
	To *Peer
	// Times is how often in a row; 0 means once.
	Times int
	// Share is for how many of the requests, 0 to 1; 0 means all. The calls are
	// spaced evenly: at 0.2 every fifth request makes them.
	Share float64

	mu  sync.Mutex // guards due
	due float64
}

// Step is what goes on side by side; a request goes through its steps in order.
type Step []*Call

// Service does some work, asks others in a fixed order and answers. It reports its
// own time as the metric origin, or, in front of a Forward, as an edge does:
// pre_forward, upstream and upstream.origin.
type Service struct {
	// Takes is its own work, done first; nil takes no time.
	Takes Latency
	// Steps are gone through after that.
	Steps []Step
	// Forward is asked last and its answer handed on; nil answers with Content.
	Forward Forwarder
	// Content is what it answers with.
	Content     []byte
	ContentType string
	// EarlyHints sends an interim response (103, RFC 8297) before any work.
	EarlyHints bool
	// Signs are the places written on every answer; nil writes none.
	Signs *Signs
}

// Forwarder is where an edge gets its answer from.
type Forwarder interface {
	// forward asks on behalf of r. What it says of places is copied to h.
	forward(ctx context.Context, r *http.Request, h http.Header) (forwarded, error)
}

// forwarded is an answer an edge hands on, and when its request left the edge.
type forwarded struct {
	reply
	left time.Time
	back time.Time
}

// Handler returns the service as a handler.
func (s *Service) Handler() http.Handler { return answersWarm(http.HandlerFunc(s.serve)) }

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	if s.EarlyHints {
		w.Header().Set("Link", "</style.css>; rel=preload; as=style")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
	}
	if err := s.prepare(r.Context()); err != nil {
		refuse(w, err)
		return
	}
	if s.Signs != nil {
		s.Signs.write(w.Header())
	}
	if s.Forward == nil {
		s.answer(w, start)
		return
	}
	s.relay(w, r, start)
}

// prepare is everything before the answer can be begun or asked for.
func (s *Service) prepare(ctx context.Context) error {
	if s.Takes != nil {
		if err := work(ctx, s.Takes.Draw()); err != nil {
			return err
		}
	}
	for _, step := range s.Steps {
		if err := step.take(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) answer(w http.ResponseWriter, start time.Time) {
	var m metrics
	m.add(origin, time.Since(start))
	m.set(w.Header())
	writeContent(w, http.StatusOK, s.ContentType, s.Content)
}

func (s *Service) relay(w http.ResponseWriter, r *http.Request, start time.Time) {
	out, err := s.Forward.forward(r.Context(), r, w.Header())
	if err != nil {
		refuse(w, err)
		return
	}
	var m metrics
	m.add(preForward, out.left.Sub(start))
	m.add(upstream, out.back.Sub(out.left))
	if out.timed {
		m.add(upstreamOrigin, out.origin)
	}
	m.set(w.Header())
	copyHeader(w.Header(), out.header, "Retry-After")
	writeContent(w, out.status, out.header.Get("Content-Type"), out.body)
}

func copyHeader(to, from http.Header, names ...string) {
	for _, name := range names {
		if v := from.Get(name); v != "" {
			to.Set(name, v)
		}
	}
}

func writeContent(w http.ResponseWriter, status int, kind string, content []byte) {
	if kind == "" {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	_, _ = w.Write(content)
}

// refuse says that somebody asked on the way did not answer.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadGateway
	if errors.Is(err, context.DeadlineExceeded) {
		status = http.StatusGatewayTimeout
	}
	http.Error(w, err.Error(), status)
}

// take makes the calls of a step side by side and waits for all.
func (s Step) take(ctx context.Context) error {
	if len(s) == 1 {
		return s[0].make(ctx)
	}
	var wg sync.WaitGroup
	errs := make([]error, len(s))
	for i, c := range s {
		wg.Go(func() { errs[i] = c.make(ctx) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (c *Call) make(ctx context.Context) error {
	if !c.isDue() {
		return nil
	}
	for range max(c.Times, 1) {
		answer, err := c.To.get(ctx, http.MethodGet, "/", nil)
		if err != nil {
			return err
		}
		if answer.status >= http.StatusInternalServerError {
			return fmt.Errorf("ask %q: status %d", c.To.name, answer.status)
		}
	}
	return nil
}

// isDue spreads Share evenly over the requests.
func (c *Call) isDue() bool {
	if c.Share <= 0 || c.Share >= 1 {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due += c.Share
	if c.due < 1 {
		return false
	}
	c.due--
	return true
}

// Stagger begins the count of a shared call somewhere in the middle, so that
// several calls of one share do not fall on the same requests.
func (c *Call) Stagger(seed uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = rand.New(rand.NewPCG(seed, deckStream)).Float64()
}

// Relay forwards to one peer, or to several in turn.
type Relay struct {
	// To are the peers; with several, each answer is marked X-Backend.
	To []*Peer
	// Turn says whose turn it is; nil takes the first.
	Turn *Turn
}

func (f *Relay) forward(ctx context.Context, r *http.Request, h http.Header) (forwarded, error) {
	to := f.To[0]
	if f.Turn != nil {
		to = f.To[f.Turn.Next()]
		h.Set("X-Backend", to.name)
	}
	out := forwarded{left: time.Now()}
	var err error
	out.reply, err = to.get(ctx, r.Method, r.URL.RequestURI(), nil)
	out.back = time.Now()
	return out, err
}
