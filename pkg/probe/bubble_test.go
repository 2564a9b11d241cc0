package probe_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/probe/probetest"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

const ms = time.Millisecond

// The world of the virtual-time tests: 20 ms of round trip to everything.
const (
	oneWay    = 10 * ms
	roundTrip = 2 * oneWay
	origin4   = "192.0.2.1"
	origin6   = "2001:db8::1"
	host      = "api.test"
)

// world is one bubble's network with a prober on it.
type world struct {
	t      *testing.T
	net    *probetest.Network
	ca     *probetest.Authority
	prober *probe.Prober
	stops  []func()
}

// inBubble runs a test in virtual time.
func inBubble(t *testing.T, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := probetest.New(oneWay)
		n.Zone = probetest.Zone{host: {A: []string{origin4}, TTL: 60}}
		w := &world{t: t, net: n, ca: probetest.NewAuthority(), prober: &probe.Prober{Network: n}}
		test(w)
		for _, stop := range w.stops {
			stop()
		}
		time.Sleep(time.Minute) // time stands still once the bubble's main goroutine is gone: let goodbyes arrive
	})
}

// serverTLS is a server configuration with a certificate for the test's host.
func (w *world) serverTLS() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{w.ca.Issue(host)}}
}

func (w *world) serve(addr string, o probetest.Origin) {
	w.stops = append(w.stops, w.net.Serve(addr, o))
}

func (w *world) serveQUIC(o probetest.Origin) {
	w.stops = append(w.stops, w.net.ServeQUIC(origin4+":443", o))
}

// target is https://api.test/ under the protocol given.
func (w *world) target(protocol probe.Protocol) *probe.Target {
	scheme := "https"
	return &probe.Target{
		URL:      &url.URL{Scheme: scheme, Host: host, Path: "/"},
		Protocol: protocol, RootCAs: w.ca.Roots(), MaxTime: 5 * time.Second,
	}
}

// plain is http://api.test/.
func (w *world) plain() *probe.Target {
	t := w.target(probe.HTTP11)
	t.URL.Scheme = "http"
	return t
}

func (w *world) do(t *probe.Target) record.Exchange {
	w.t.Helper()
	return w.prober.Do(context.Background(), t).Exchange
}

// split is what a test expects of an exchange, absent keys included.
type split map[segment.Key]time.Duration

// expect compares every segment to the nanosecond and holds the tiling law.
func expect(t *testing.T, e record.Exchange, outcome record.Outcome, want split) {
	t.Helper()
	if e.Outcome != outcome {
		t.Errorf("outcome %s, want %s (error %+v)", e.Outcome, outcome, e.Error)
	}
	if err := e.Segments.Check(e.Total); err != nil {
		t.Error(err)
	}
	for k := range segment.Key(segment.NumMeasured) {
		got, ok := e.Segments.Get(k)
		expected, there := want[k]
		if ok != there || got != expected {
			t.Errorf("%-8s = %v (present %v), want %v (present %v)", k, got, ok, expected, there)
		}
	}
}

// expectError checks how an exchange ended.
func expectError(t *testing.T, e record.Exchange, class record.Class, k segment.Key) {
	t.Helper()
	if e.Error == nil || e.Error.Class != class || e.Error.Segment != k {
		t.Errorf("error %+v, want class %q in %s", e.Error, class, k)
	}
}

// after answers when d has passed and, where it writes, finishes the content later by rest.
func after(d, rest time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pause(r, d)
		io.WriteString(w, "hello")
		w.(http.Flusher).Flush()
		pause(r, rest)
		io.WriteString(w, "world")
	})
}

// pause sleeps for d, or until the client has gone.
func pause(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// timesOf lets a count of round trips multiply a duration.
func timesOf(n int) time.Duration { return time.Duration(n) }
