package resolver

import (
	"crypto/x509"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The schemes of a Spec.
const (
	System = "system"
	UDP    = "udp"
	TCP    = "tcp"
	TLS    = "tls"
	HTTPS  = "https"
)

// DefaultTimeout is how long one query waits for its answer: what stub resolvers wait
// (resolv.conf(5), option timeout).
const DefaultTimeout = 5 * time.Second

// attempts is how often each server is asked (resolv.conf(5), option attempts).
const attempts = 2

// defaultPath is the path of the resolver in the examples of RFC 8484 section 4.1.1 and of nearly
// every public one.
const defaultPath = "/dns-query"

// Spec says whom to ask. The zero value asks the system. A Spec is a value: methods never change
// it, and it may be used by any number of goroutines at once.
type Spec struct {
	Scheme string // System, UDP, TCP, TLS or HTTPS; "" is System
	Host   string // name or address of the resolver, without brackets; "" for System
	Port   uint16 // never 0 but for System
	Path   string // of HTTPS: path and query

	// RootCAs verifies the resolver's certificate; nil takes the system's roots.
	RootCAs *x509.CertPool
	// Timeout bounds the wait for one answer; 0 is DefaultTimeout. The context bounds everything.
	Timeout time.Duration
	// AskHTTPS sends a third query beside A and AAAA, for the host's HTTPS record (RFC 9460). The
	// system's stub cannot be asked for one.
	AskHTTPS bool

	servers []netip.AddrPort // where the resolver is; set by ParseSpec or Prepare
	listed  []string         // hosts that the machine's own files list; set by Prepare
}

// ParseSpec reads what a user writes after --resolver: "system", "udp://IP[:53]", "tcp://IP[:53]",
// "tls://HOST[:853]" or "https://HOST[:443]/PATH". Ports may be left out, and so may the path
// /dns-query. Plain DNS takes an address only: a resolver must be found without a resolver.
func ParseSpec(s string) (Spec, error) {
	scheme, rest, hasScheme := strings.Cut(s, "://")
	switch {
	case s == System:
		return Spec{Scheme: System}, nil
	case !hasScheme:
		return Spec{}, specError(s, "want system, udp://IP, tcp://IP, tls://HOST or https://HOST/dns-query")
	}
	switch scheme {
	case UDP, TCP:
		return parseAuthority(s, scheme, rest, 53)
	case TLS:
		return parseAuthority(s, scheme, rest, 853)
	case HTTPS:
		return parseHTTPS(s)
	}
	return Spec{}, specError(s, fmt.Sprintf("unknown scheme %q, want udp, tcp, tls or https", scheme))
}

func specError(s, cause string) error { return fmt.Errorf("resolver %q: %s", s, cause) }

func parseAuthority(s, scheme, rest string, port uint16) (Spec, error) {
	rest = strings.TrimSuffix(rest, "/")
	if strings.ContainsAny(rest, "/?#@") {
		return Spec{}, specError(s, fmt.Sprintf("%s takes a host and a port only", scheme))
	}
	host, port, err := splitHostPort(rest, port)
	if err != nil {
		return Spec{}, specError(s, err.Error())
	}
	spec := located(Spec{Scheme: scheme, Host: host, Port: port})
	if len(spec.servers) == 0 && scheme != TLS {
		return Spec{}, specError(s, fmt.Sprintf("%s takes an IP address, not the name %q", scheme, host))
	}
	return spec, nil
}

func parseHTTPS(s string) (Spec, error) {
	// The {?dns} of an RFC 8484 URI template only says where GET puts the query; we POST.
	u, err := url.Parse(strings.TrimSuffix(s, "{?dns}"))
	if err != nil {
		return Spec{}, specError(s, "not a URL")
	}
	if u.User != nil || u.Fragment != "" {
		return Spec{}, specError(s, "takes no credentials and no fragment")
	}
	host, port, err := splitHostPort(u.Host, 443)
	if err != nil {
		return Spec{}, specError(s, err.Error())
	}
	path := u.RequestURI()
	if path == "/" {
		path = defaultPath
	}
	return located(Spec{Scheme: HTTPS, Host: host, Port: port, Path: path}), nil
}

// splitHostPort differs from net.SplitHostPort in that the port may be missing, and the brackets
// of an IPv6 address with it.
func splitHostPort(s string, port uint16) (string, uint16, error) {
	if addr, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return addr.String(), port, nil
	}
	host := s
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		n, err := strconv.ParseUint(s[i+1:], 10, 16)
		if err != nil || n == 0 {
			return "", 0, fmt.Errorf("port %q is not between 1 and 65535", s[i+1:])
		}
		host, port = s[:i], uint16(n)
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if host == "" {
		return "", 0, fmt.Errorf("no host")
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), port, nil
	}
	if strings.ContainsAny(host, ":[] \t%") {
		return "", 0, fmt.Errorf("%q is neither a name nor an address", host)
	}
	return host, port, nil
}

// located fills in where the resolver is when that needs no lookup.
func located(s Spec) Spec {
	if addr, err := netip.ParseAddr(s.Host); err == nil {
		s.servers = []netip.AddrPort{netip.AddrPortFrom(addr.Unmap(), s.Port)}
	}
	return s
}

// IsSystem reports whether s asks the system's own resolver.
func (s Spec) IsSystem() bool { return s.Scheme == System || s.Scheme == "" }

// String spells s so that ParseSpec reads it back; default ports are left out.
func (s Spec) String() string {
	if s.IsSystem() {
		return System
	}
	host := s.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if s.Port != defaultPort(s.Scheme) {
		host += ":" + strconv.Itoa(int(s.Port))
	}
	return s.Scheme + "://" + host + s.Path
}

func defaultPort(scheme string) uint16 {
	switch scheme {
	case TLS:
		return 853
	case HTTPS:
		return 443
	}
	return 53
}

func (s Spec) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return DefaultTimeout
}
