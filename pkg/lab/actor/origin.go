package actor

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Origin is a site's own server: one page a tenant, chosen by the Host field, and a
// rate limit for every true caller.
type Origin struct {
	// Takes is the work for a page; nil takes no time.
	Takes Latency
	// Tenants are pages by host name; any other host gets Home.
	Tenants map[string][]byte
	Home    []byte
	// Hops is how many proxies in front are trusted, 0 to 5; Key is the own edge's.
	Hops int
	Key  []byte
	// EdgeOnly turns away whatever did not come through the own edge.
	EdgeOnly bool
	// Limit is how many requests a caller has in a window; 0 sets no limit.
	Limit  int
	Window time.Duration
	// Cacheable marks pages with max-age and Vary.
	Cacheable bool

	mu    sync.Mutex // guards calls
	calls map[string][]time.Time
}

// Handler returns the origin as a handler, or an error if its configuration cannot
// be meant.
func (o *Origin) Handler() (http.Handler, error) {
	if err := checkHops(o.Hops); err != nil {
		return nil, fmt.Errorf("start origin: %w", err)
	}
	o.calls = map[string][]time.Time{}
	return answersWarm(http.HandlerFunc(o.serve)), nil
}

func (o *Origin) serve(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	caller := TrueCaller(r, o.Key, o.Hops)
	if o.EdgeOnly && !Signed(o.Key, r.Header.Get(edgeSignature), r.Header.Get(trueClient), start) {
		http.Error(w, "only the edge may ask", http.StatusForbidden)
		return
	}
	if wait, ok := o.admit(caller, start); !ok {
		throttle(w, wait, "caller_rate", "too many requests from "+caller)
		return
	}
	if o.Takes != nil {
		if work(r.Context(), o.Takes.Draw()) != nil {
			return
		}
	}
	o.answer(w, r, start)
}

func (o *Origin) answer(w http.ResponseWriter, r *http.Request, start time.Time) {
	page, ok := o.Tenants[hostOf(r)]
	if !ok {
		page = o.Home
	}
	if o.Cacheable {
		w.Header().Set("Cache-Control", "public, max-age=60")
		w.Header().Set("Vary", "Accept-Language")
	}
	var m metrics
	m.add(origin, time.Since(start))
	m.set(w.Header())
	writeContent(w, http.StatusOK, "application/json", page)
}

// admit counts a request of a caller against the last window.
func (o *Origin) admit(caller string, now time.Time) (wait time.Duration, ok bool) {
	if o.Limit <= 0 {
		return 0, true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	recent := o.calls[caller]
	for len(recent) > 0 && now.Sub(recent[0]) >= o.Window {
		recent = recent[1:]
	}
	if len(recent) >= o.Limit {
		o.calls[caller] = recent
		return o.Window - now.Sub(recent[0]), false
	}
	o.calls[caller] = append(recent, now)
	return 0, true
}

// throttle answers 429 with a Retry-After in whole seconds, rounded up, and an
// error object both API families would recognise.
func throttle(w http.ResponseWriter, wait time.Duration, code, text string) {
	w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	writeError(w, http.StatusTooManyRequests, code, text)
}
