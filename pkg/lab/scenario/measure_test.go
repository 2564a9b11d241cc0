package scenario_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/textproto"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/coldsplit/coldsplit/pkg/lab"
	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// TestMain lets more tests wait side by side than there are processors: all they do
// is wait.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "6")
	os.Exit(m.Run())
}

// sample is one exchange over a connection of its own, seen by a plain client.
type sample struct {
	status             int
	setup, ttfb, total time.Duration
	header             http.Header
	body               []byte
	interim            int
	interimAt          time.Duration
	err                error
}

// metric returns what the response reports under a name.
func (s sample) metric(name string) (time.Duration, bool) {
	for _, field := range strings.Split(s.header.Get("Server-Timing"), ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(field), ";dur=")
		if ms, err := strconv.ParseFloat(value, 64); key == name && err == nil {
			return time.Duration(ms * float64(time.Millisecond)), true
		}
	}
	return 0, false
}

func open(t *testing.T, name string, seed uint64) *scenario.World {
	t.Helper()
	w, err := scenario.Open(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func armOf(t *testing.T, w *scenario.World, name string) scenario.Arm {
	t.Helper()
	a, ok := w.Arm(name)
	if !ok {
		t.Fatalf("%s has no arm %q", w.Document().Name(), name)
	}
	return a
}

const exchangeLimit = 20 * time.Second

// exchange asks once, over the arm's protocol or the one given.
func exchange(t testing.TB, w *scenario.World, a scenario.Arm, protocol string) sample {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), exchangeLimit)
	defer cancel()
	var s sample
	start := time.Now()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { s.setup = time.Since(start) },
		GotFirstResponseByte: func() { s.ttfb = time.Since(start) },
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			s.interim, s.interimAt = code, time.Since(start)
			return nil
		},
	})
	rt, done := transport(w, a, protocol)
	defer done()
	res, err := rt.RoundTrip(request(ctx, t, a))
	if err != nil {
		s.err = err
		return s
	}
	defer res.Body.Close()
	if s.ttfb == 0 {
		s.ttfb = time.Since(start)
	}
	s.status, s.header = res.StatusCode, res.Header
	s.body, s.err = io.ReadAll(res.Body)
	s.total = time.Since(start)
	return s
}

func request(ctx context.Context, t testing.TB, a scenario.Arm) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, a.Method, a.URL, bytes.NewReader(a.Body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = a.Header.Clone()
	if a.Compressed {
		r.Header.Set("Accept-Encoding", "br")
	}
	return r
}

// transport opens one connection the way the arm wants it: to Via where there is
// one, with the URL's name in TLS.
func transport(w *scenario.World, a scenario.Arm, protocol string) (rt http.RoundTripper, done func()) {
	trust := &tls.Config{RootCAs: w.RootCAs()}
	if protocol == "3" {
		tr := &http3.Transport{TLSClientConfig: trust, DisableCompression: true, Dial: dialQUIC(w.Client(), a)}
		return tr, func() { _ = tr.Close() }
	}
	if protocol == "1.1" {
		trust.NextProtos = []string{"http/1.1"}
	}
	tr := &http.Transport{TLSClientConfig: trust, DisableCompression: true, ForceAttemptHTTP2: protocol != "1.1",
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return w.Client().DialContext(ctx, network, goTo(a, addr))
		}}
	return tr, tr.CloseIdleConnections
}

func goTo(a scenario.Arm, addr string) string {
	if a.Via == "" {
		return addr
	}
	_, port, _ := net.SplitHostPort(addr)
	return net.JoinHostPort(a.Via, port)
}

func dialQUIC(client *lab.Host, a scenario.Arm) func(context.Context, string, *tls.Config, *quic.Config) (*quic.Conn, error) {
	return func(ctx context.Context, addr string, trust *tls.Config, cfg *quic.Config) (*quic.Conn, error) {
		host, _, _ := net.SplitHostPort(goTo(a, addr))
		addrs, err := client.Lookup(ctx, host)
		if err != nil {
			return nil, err
		}
		pc, err := client.ListenPacket(ctx, "udp4")
		if err != nil {
			return nil, err
		}
		tr := &quic.Transport{Conn: pc}
		return tr.DialEarly(ctx, &net.UDPAddr{IP: addrs[0].AsSlice(), Port: 443}, trust, cfg)
	}
}

func udpAddr(addr netip.Addr, port uint16) net.Addr {
	return net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, port))
}

// run asks n times, one after the other; every exchange must succeed.
func run(t *testing.T, w *scenario.World, a scenario.Arm, n int) []sample {
	t.Helper()
	out := collect(t, w, a, n)
	if len(out) < n {
		t.FailNow()
	}
	return out
}

// collect is run for any goroutine: it stops at the first failure.
func collect(t *testing.T, w *scenario.World, a scenario.Arm, n int) []sample {
	t.Helper()
	var out []sample
	for range n {
		s := exchange(t, w, a, a.HTTP)
		if s.err != nil {
			t.Errorf("%s: %v", a.Name, s.err)
			return out
		}
		out = append(out, s)
	}
	return out
}

// rank returns the nearest-rank percentile of what pick finds; samples without it
// are left out.
func rank(samples []sample, p int, pick func(sample) (time.Duration, bool)) time.Duration {
	var v []time.Duration
	for _, s := range samples {
		if d, ok := pick(s); ok {
			v = append(v, d)
		}
	}
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[(len(v)*p+99)/100-1]
}

func total(s sample) (time.Duration, bool) { return s.total, true }
func setup(s sample) (time.Duration, bool) { return s.setup, true }
func ttfb(s sample) (time.Duration, bool)  { return s.ttfb, true }

func named(name string) func(sample) (time.Duration, bool) {
	return func(s sample) (time.Duration, bool) { return s.metric(name) }
}

// network is upstream less the origin's own work.
func network(s sample) (time.Duration, bool) {
	up, okUp := s.metric("upstream")
	origin, okOrigin := s.metric("upstream.origin")
	return up - origin, okUp && okOrigin
}

// figure is one published number and how far a reading may be from it.
type figure struct {
	what      string
	got       time.Duration
	want, tol time.Duration
}

// looser is by how much the tolerances grow beside other tests, whose work is measured as well.
const looser = 4

// off lists the figures a run missed.
func off(figures []figure) []figure {
	return slices.DeleteFunc(slices.Clone(figures), func(f figure) bool {
		tol := f.tol
		if !servertest.HoldFigures() {
			tol *= looser
		}
		return f.got >= f.want-tol && f.got <= f.want+tol
	})
}

// tooLate is how late sleepers may wake, at p90, for readings to be held to figures.
const tooLate = 3 * time.Millisecond

// attempts is how often a run that missed a figure is looked at.
const attempts = 3

// agree measures and holds the figures to what was published: again if something
// else kept the machine busy, and not at all if it stays so.
func agree(t *testing.T, measure func() []figure) {
	t.Helper()
	figures, late := metered(measure)
	for try := 1; timed && try < attempts && len(off(figures)) > 0; try++ {
		t.Logf("measured again, because of %v; sleepers woke %v late", off(figures), late)
		figures, late = metered(measure)
	}
	for _, f := range figures {
		t.Logf("%-44s %8v, published %v", f.what, f.got.Round(100*time.Microsecond), f.want)
	}
	missed := off(figures)
	if !timed || len(missed) > 0 && late > tooLate {
		t.Skipf("not held to the figures: this machine wakes sleepers %v late at p90", late)
	}
	for _, f := range missed {
		t.Errorf("%s: %v, want %v within %v", f.what, f.got, f.want, f.tol)
	}
}

func metered(measure func() []figure) ([]figure, time.Duration) {
	m := startLagMeter()
	figures := measure()
	return figures, m.p90()
}
