package actor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/pkg/lab"
)

// Peer is another server as an actor sees it: reached over a pool of connections
// that stay open between requests. The host of a URL is ignored when it comes to
// dialling, so that the Host field can be anything.
type Peer struct {
	name      string
	scheme    string
	transport *http.Transport
}

// PeerOptions says how a Peer is reached.
type PeerOptions struct {
	// Roots makes the connections TLS, verified for ServerName; nil means plain HTTP.
	Roots      *x509.CertPool
	ServerName string
	// Idle closes a pooled connection nobody used for so long; 0 never does. It
	// should be shorter than the peer's own, or a request now and then meets a
	// connection that is just being closed.
	Idle time.Duration
}

// maxPooled is how many connections a pool keeps; more than any scenario has in flight.
const maxPooled = 256

// NewPeer returns the way from one host to the server on another. It opens nothing.
func NewPeer(from, to *lab.Host, opts PeerOptions) *Peer {
	p := &Peer{name: to.Name(), scheme: "http"}
	port := uint16(80)
	p.transport = &http.Transport{
		MaxIdleConns: maxPooled, MaxIdleConnsPerHost: maxPooled, IdleConnTimeout: opts.Idle,
		DisableCompression: true,
	}
	if opts.Roots != nil {
		p.scheme, port = "https", 443
		p.transport.TLSClientConfig = &tls.Config{RootCAs: opts.Roots, ServerName: opts.ServerName}
	}
	p.transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return from.Dial(ctx, "tcp", to.AddrPort(port))
	}
	return p
}

// authority stands in every URL sent to a peer: dialling does not look at it, and
// the names of hosts are no host names.
const authority = "peer.internal"

// Name returns the name of the host behind the peer.
func (p *Peer) Name() string { return p.name }

// Close drops the pool's idle connections.
func (p *Peer) Close() error {
	p.transport.CloseIdleConnections()
	return nil
}

// do sends a request that was made for somebody else on to the peer; only its
// scheme and the pool's key change.
func (p *Peer) do(r *http.Request) (*http.Response, error) {
	p.aim(r)
	r.RequestURI = ""
	return p.transport.RoundTrip(r)
}

// reply is a response read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
	origin time.Duration // what the peer says its own work took
	timed  bool          // whether it said so
}

// maxReply bounds what one actor takes from another, in bytes.
const maxReply = 64 << 20

// get asks the peer and reads the whole answer.
func (p *Peer) get(ctx context.Context, method, path string, header http.Header) (reply, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.scheme+"://"+authority+path, nil)
	if err != nil {
		return reply{}, fmt.Errorf("ask %q: %w", p.name, err)
	}
	if header != nil {
		r.Header = header
	}
	res, err := p.do(r)
	if err != nil {
		return reply{}, fmt.Errorf("ask %q: %w", p.name, err)
	}
	return readReply(res)
}

func readReply(res *http.Response) (reply, error) {
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxReply))
	if err != nil {
		return reply{}, fmt.Errorf("read answer: %w", err)
	}
	out := reply{status: res.StatusCode, header: res.Header, body: body}
	out.origin, out.timed = reportedOrigin(res.Header)
	return out, nil
}

// WarmPath is answered by every actor at once and with nothing, so that a pool can
// be filled without touching the service behind it.
const WarmPath = "/.warm"

// Warm opens count connections, side by side, and leaves them in the pool.
func (p *Peer) Warm(ctx context.Context, count int) error {
	var wg sync.WaitGroup
	errs := make([]error, count)
	for i := range count {
		wg.Go(func() { _, errs[i] = p.get(ctx, http.MethodGet, WarmPath, nil) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// answersWarm puts the answer to WarmPath in front of a handler.
func answersWarm(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == WarmPath {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
