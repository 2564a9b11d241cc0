package probe

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/resolver"
	"github.com/coldsplit/coldsplit/pkg/tunnel"
)

// Protocol is the HTTP version asked for. Its values, but for Auto, are ALPN protocol IDs (RFC 7301).
type Protocol string

// The protocols. Auto offers h2 and http/1.1 and takes what the server picks; every other value
// offers itself alone, and an exchange that ends up with another protocol is invalid.
const (
	Auto   Protocol = "auto"
	HTTP11 Protocol = "http/1.1"
	HTTP2  Protocol = "h2"
	HTTP3  Protocol = "h3"
)

// State is what an exchange finds already there.
type State string

// The states. Only Cold opens a connection that knows nothing of an earlier one.
const (
	Cold    State = "cold"
	Warm    State = "warm"    // a second exchange on the same connection
	Resumed State = "resumed" // a new connection with the session ticket of an earlier full exchange
	Early   State = "early"   // QUIC 0-RTT with such a ticket
)

// DefaultMaxBody is the cap on content bytes, coded and decoded alike, when Target.MaxBody is 0.
const DefaultMaxBody = 64 << 20

// DefaultMaxTime bounds one exchange when Target.MaxTime is 0.
const DefaultMaxTime = 10 * time.Second

// Target is one route as probe needs it. A Target is read only while an exchange runs; several
// exchanges may share one. Templates in URL, Header and Body are expanded by the caller.
type Target struct {
	Route    string
	URL      *url.URL // http or https; userinfo becomes Basic authorization
	Method   string   // "" is GET
	Header   http.Header
	Host     string // overrides the Host field (":authority"); "" takes the URL's
	Body     []byte // nil sends no content
	Protocol Protocol
	State    State // "" is Cold

	// Via is dialled instead of the URL's host: an address or a name, each with or without a
	// port, IPv6 in brackets or bare. SNI and Host stay the URL's.
	Via string
	// Resolve pins addresses per "host:port", like curl's --resolve; a host "*" matches any.
	Resolve map[string][]netip.Addr
	// ConnectTo sends connections for "host:port" to another "host:port", like curl's
	// --connect-to; an empty host or port on either side means any, or unchanged.
	ConnectTo map[string]string
	Family    int           // 4 or 6 uses that family only; 0 races both
	Resolver  resolver.Spec // the zero value asks the network's; Prober.Prepare readies it before the first exchange
	Proxy     *url.URL      // http, https, socks5 or socks5h; nil goes direct

	Insecure    bool // go on when the certificate does not verify
	RootCAs     *x509.CertPool
	ClientCerts []tls.Certificate
	ServerName  string    // SNI and the name verified; "" takes the URL's host
	KeyLog      io.Writer // TLS secrets in NSS format

	MaxTime        time.Duration // for the whole exchange; 0 is DefaultMaxTime
	ConnectTimeout time.Duration // until the connection is ready; 0 leaves MaxTime alone
	MaxBody        int64         // content bytes; 0 is DefaultMaxBody

	OK         func(status int) bool // which final statuses are a success; nil is 2xx and 3xx
	Compressed bool                  // offer gzip, br and zstd; else identity only
	UserAgent  string                // "" is "coldsplit"
	// Keeper chooses the header and trailer fields that enter the record; nil keeps by words alone.
	Keeper *record.Keeper
	// Stream says about an event stream what its events do not.
	Stream eventstream.Rules
	// Tickets keeps sessions between exchanges in state resumed or early; nil primes each anew.
	Tickets *Tickets
}

// Check reports the first thing about t that no exchange could honour: a usage error, found before
// anything is sent. It is nil for a target that can be tried.
func (t *Target) Check() error {
	switch {
	case t.URL == nil || t.URL.Host == "":
		return errors.New("target has no URL with a host")
	case t.URL.Scheme != "http" && t.URL.Scheme != "https":
		return fmt.Errorf("URL scheme %q: want http or https", t.URL.Scheme)
	case t.Family != 0 && t.Family != 4 && t.Family != 6:
		return fmt.Errorf("address family %d: want 4 or 6", t.Family)
	}
	if err := t.checkProtocol(); err != nil {
		return err
	}
	if t.Proxy != nil {
		if err := t.checkProxy(); err != nil {
			return err
		}
	}
	_, err := t.destination()
	return err
}

func (t *Target) checkProtocol() error {
	switch t.Protocol {
	case "", Auto, HTTP11, HTTP2, HTTP3:
	default:
		return fmt.Errorf("protocol %q: want auto, http/1.1, h2 or h3", t.Protocol)
	}
	switch t.State {
	case "", Cold, Warm, Resumed, Early:
	default:
		return fmt.Errorf("state %q: want cold, warm, resumed or early", t.State)
	}
	if t.Protocol == HTTP3 && t.URL.Scheme == "http" {
		return errors.New("h3 needs https: QUIC has no cleartext form")
	}
	if t.Protocol == HTTP3 && t.Proxy != nil {
		return errors.New("h3 does not go through a proxy")
	}
	if t.State == Early && (t.Protocol != HTTP3 || !safeToRepeat(t.method())) {
		return errors.New("state early needs h3 and GET or HEAD")
	}
	if t.State == Resumed && t.URL.Scheme == "http" {
		return errors.New("state resumed needs https: there is no session to resume")
	}
	return nil
}

// checkProxy accepts the schemes the tunnel knows, and a detour only where there is a tunnel.
func (t *Target) checkProxy() error {
	switch t.Proxy.Scheme {
	case tunnel.HTTP, tunnel.HTTPS, tunnel.SOCKS5, tunnel.SOCKS5H:
	default:
		return fmt.Errorf("proxy scheme %q: want http, https, socks5 or socks5h", t.Proxy.Scheme)
	}
	if t.Proxy.Hostname() == "" {
		return fmt.Errorf("proxy %q has no host", tunnel.Name(t.Proxy))
	}
	if t.plainProxied() && (t.Via != "" || len(t.ConnectTo) > 0) {
		return errors.New("a proxy fetches an http URL by itself: another address for it cannot be honoured")
	}
	return nil
}

// safeToRepeat is the rule for early data, which anybody on the path may replay (RFC 8470 section 2).
func safeToRepeat(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}

func (t *Target) method() string {
	if t.Method == "" {
		return http.MethodGet
	}
	return t.Method
}

func (t *Target) state() State {
	if t.State == "" {
		return Cold
	}
	return t.State
}

func (t *Target) maxTime() time.Duration {
	if t.MaxTime <= 0 {
		return DefaultMaxTime
	}
	return t.MaxTime
}

func (t *Target) maxBody() int64 {
	if t.MaxBody <= 0 {
		return DefaultMaxBody
	}
	return t.MaxBody
}

// alpn is the list of protocols offered.
func (t *Target) alpn() []string {
	switch t.Protocol {
	case HTTP11, HTTP2, HTTP3:
		return []string{string(t.Protocol)}
	}
	return []string{string(HTTP2), string(HTTP11)}
}

// allows reports whether negotiated is a protocol that was asked for.
func (t *Target) allows(negotiated string) bool {
	for _, p := range t.alpn() {
		if p == negotiated {
			return true
		}
	}
	return false
}

// serverName is the name sent as SNI and verified in the certificate.
func (t *Target) serverName() string {
	if t.ServerName != "" {
		return t.ServerName
	}
	return asciiHost(t.URL.Hostname())
}
