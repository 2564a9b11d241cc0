package probe

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// place is what an exchange connects to: a name and port, or pinned addresses.
type place struct {
	host   string
	port   uint16
	pinned []netip.Addr // literal, --via address or --resolve; no look-up then
}

// destination decides where the connection goes: the proxy when there is one, else the URL's host
// as moved by ConnectTo, Via and Resolve, in this order.
func (t *Target) destination() (place, error) {
	if t.Proxy != nil {
		if _, _, err := t.origin(); err != nil {
			return place{}, err
		}
		return t.pin(hostPort(t.Proxy))
	}
	host, port, err := t.origin()
	if err != nil {
		return place{}, err
	}
	return t.pin(host, port)
}

// origin is the host and port that answer for the URL: dialled directly, or by the proxy.
func (t *Target) origin() (host, port string, err error) {
	host, port = hostPort(t.URL)
	host, port = t.connectTo(host, port)
	if t.Via == "" {
		return host, port, nil
	}
	return splitVia(t.Via, port)
}

// pin turns a host and port into a place, with addresses when no look-up is needed.
func (t *Target) pin(host, port string) (place, error) {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return place{}, fmt.Errorf("port %q: want 1 to 65535", port)
	}
	p := place{host: host, port: uint16(n), pinned: t.resolved(host, port)}
	if addr, err := netip.ParseAddr(host); err == nil && p.pinned == nil {
		p.pinned = []netip.Addr{addr}
	}
	return p, nil
}

func (t *Target) resolved(host, port string) []netip.Addr {
	if len(t.Resolve) == 0 {
		return nil
	}
	for _, key := range []string{host, "*"} {
		if addrs, ok := t.Resolve[net.JoinHostPort(key, port)]; ok {
			return addrs
		}
		if addrs, ok := t.Resolve[key+":"+port]; ok {
			return addrs
		}
	}
	return nil
}

// connectTo looks for the most exact rule first, as curl reads --connect-to.
func (t *Target) connectTo(host, port string) (string, string) {
	if len(t.ConnectTo) == 0 {
		return host, port
	}
	for _, key := range []string{host + ":" + port, net.JoinHostPort(host, port), host + ":", ":" + port, ":"} {
		to, ok := t.ConnectTo[key]
		if !ok {
			continue
		}
		i := strings.LastIndexByte(to, ':')
		if i < 0 {
			return host, port
		}
		toHost, toPort := strings.Trim(to[:i], "[]"), to[i+1:]
		if toHost == "" {
			toHost = host
		}
		if toPort == "" {
			toPort = port
		}
		return toHost, toPort
	}
	return host, port
}

// splitVia reads an address or name with an optional port; a bare IPv6 address has none.
func splitVia(via, port string) (string, string, error) {
	bare := via
	if strings.HasPrefix(via, "[") && strings.HasSuffix(via, "]") {
		bare = via[1 : len(via)-1]
	}
	if addr, err := netip.ParseAddr(bare); err == nil {
		return addr.String(), port, nil
	}
	if !strings.ContainsAny(via, ":[]") {
		return asciiHost(via), port, nil
	}
	host, p, err := net.SplitHostPort(via)
	if err != nil || host == "" || p == "" {
		return "", "", fmt.Errorf("via %q: want an address or a name, with or without a port", via)
	}
	return asciiHost(host), p, nil
}

// hostPort is u's host in ASCII and its port, the scheme's own when none is written.
func hostPort(u *url.URL) (host, port string) {
	host, port = asciiHost(u.Hostname()), u.Port()
	if port != "" {
		return host, port
	}
	switch u.Scheme {
	case "https":
		return host, "443"
	case "socks5", "socks5h":
		return host, "1080"
	}
	return host, "80"
}

// asciiHost applies IDNA (UTS 46 look-up rules) to a name written in Unicode; a name it cannot
// convert stays as it is and fails when it is looked up.
func asciiHost(host string) string {
	for i := range len(host) {
		if host[i] >= 0x80 {
			if ascii, err := idna.Lookup.ToASCII(host); err == nil {
				return ascii
			}
			break
		}
	}
	return host
}
