package actor

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"slices"
	"sync"
	"time"
)

// Gateway is the front door of several machines. It spreads requests by weight,
// without looking at how busy a machine is, answers a health URL itself, and may
// start further machines when those there are getting full.
type Gateway struct {
	// Autostart governs further machines; nil leaves their number alone.
	Autostart *Autostart

	mu       sync.RWMutex // guards what follows
	turn     *Turn
	machines []Backend
	stop     chan struct{}
	done     sync.WaitGroup
}

// Backend is one machine as its front door knows it.
type Backend struct {
	*Machine
	Peer   *Peer
	Server io.Closer // ended when the machine is stopped
	Weight int
}

// Autostart adds machines while the lanes fill up and takes them away again. A
// machine takes its time to boot, so a short burst is over before it is there.
type Autostart struct {
	// Start makes another machine; it is called with its number, counting from 1.
	Start func(number int) (Backend, error)
	// Max is the most machines there may be.
	Max int
	// Full is the share of taken lanes, 0 to 1, at which another is started.
	Full float64
	// Boot is how long it takes, and Idle how long a machine beyond the first ones
	// may have nothing to do.
	Boot, Idle time.Duration
	// Lanes of each machine, for Full.
	Lanes int
}

// HealthPath is answered by the front door itself.
const HealthPath = "/health"

// NewGateway returns a gateway over machines that are up.
func NewGateway(auto *Autostart, machines ...Backend) *Gateway {
	g := &Gateway{Autostart: auto, turn: NewTurn(), stop: make(chan struct{})}
	for _, m := range machines {
		g.add(m)
	}
	if auto != nil {
		g.done.Go(func() { g.watch(len(machines)) })
	}
	return g
}

func (g *Gateway) add(m Backend) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.machines = append(g.machines, m)
	g.turn.Grow(m.Weight)
}

// Machines returns how many are up.
func (g *Gateway) Machines() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return len(g.machines)
}

// Handler returns the front door as a handler.
func (g *Gateway) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+HealthPath, func(w http.ResponseWriter, _ *http.Request) {
		writeContent(w, http.StatusOK, "application/json", []byte(`{"status":"ok"}`))
	})
	mux.Handle("/", &httputil.ReverseProxy{
		Rewrite:       func(p *httputil.ProxyRequest) { p.Out.URL.Scheme, p.Out.URL.Host = "http", "machines" },
		Transport:     roundTrip(g.forward),
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	})
	return answersWarm(mux)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (g *Gateway) forward(r *http.Request) (*http.Response, error) { return g.next().Peer.do(r) }

func (g *Gateway) next() Backend {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.machines[g.turn.Next()]
}

// watchEvery is how often the lanes are looked at.
const watchEvery = 50 * time.Millisecond

// watch starts and stops machines; least is how many always stay.
func (g *Gateway) watch(least int) {
	idle := time.Now()
	ticks(watchEvery, g.stop, func() {
		switch count, busy := g.Machines(), g.busy(); {
		case busy > 0:
			idle = time.Now()
			if share := float64(busy) / float64(count*g.Autostart.Lanes); share >= g.Autostart.Full && count < g.Autostart.Max {
				g.boot(count + 1)
			}
		case count > least && time.Since(idle) >= g.Autostart.Idle:
			g.shrink()
		}
	})
}

func (g *Gateway) busy() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	total := 0
	for _, m := range g.machines {
		total += m.Busy()
	}
	return total
}

// boot waits for a machine to come up before it is given requests.
func (g *Gateway) boot(number int) {
	select {
	case <-time.After(g.Autostart.Boot):
	case <-g.stop:
		return
	}
	if m, err := g.Autostart.Start(number); err == nil {
		g.add(m)
	}
}

// shrink drains the last machine and ends it.
func (g *Gateway) shrink() {
	g.mu.Lock()
	last := g.machines[len(g.machines)-1]
	g.machines = g.machines[:len(g.machines)-1]
	g.turn.Shrink()
	g.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), abandoned)
	defer cancel()
	_ = last.Drain(ctx)
	_ = last.Server.Close()
}

// Drain makes every machine finish what it has and take nothing new; it returns
// when the last stream has ended, or with the context's error.
func (g *Gateway) Drain(ctx context.Context) error {
	g.mu.RLock()
	machines := slices.Clone(g.machines)
	g.mu.RUnlock()
	errs := make([]error, len(machines))
	var wg sync.WaitGroup
	for i, m := range machines {
		wg.Go(func() { errs[i] = m.Drain(ctx) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Close ends the watch and every machine's server, whatever is in flight.
func (g *Gateway) Close() error {
	close(g.stop)
	g.done.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	var errs []error
	for _, m := range g.machines {
		errs = append(errs, m.Peer.Close(), m.Server.Close())
	}
	return errors.Join(errs...)
}
