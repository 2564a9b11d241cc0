package main

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

const urlForm = "expected http://HOST[:PORT]/PATH or https://HOST[:PORT]/PATH"

// parseTargetURL reads a target URL; a Unicode host becomes its ASCII form (IDNA 2008, RFC 5891).
func parseTargetURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, usagef("%q is not a URL: %s", text, urlForm)
	}
	switch {
	case u.Scheme == "" || (u.Opaque != "" && !strings.HasPrefix(text, "http")):
		return nil, usagef("%q has no scheme: %s", text, urlForm)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, usagef("%q has the scheme %q: %s", text, u.Scheme, urlForm)
	case u.Hostname() == "":
		return nil, usagef("%q has no host: %s", text, urlForm)
	}
	if err := checkPort(u.Port()); err != nil {
		return nil, usagef("%q has no usable port: %s", text, urlForm)
	}
	if u.Host, err = asciiHost(u); err != nil {
		return nil, usagef("%q has a host that no name can be: %s", text, urlForm)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

func checkPort(port string) error {
	if port == "" {
		return nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err == nil && n == 0 {
		return strconv.ErrRange
	}
	return err
}

func asciiHost(u *url.URL) (string, error) {
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return u.Host, nil
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		// Names with an underscore exist in practice though they are no host names.
		if strings.Contains(host, "_") && isASCII(host) {
			ascii, err = strings.ToLower(host), nil
		}
	}
	if err != nil || ascii == "" {
		return "", strconv.ErrSyntax
	}
	if u.Port() != "" {
		return net.JoinHostPort(ascii, u.Port()), nil
	}
	return ascii, nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 126 || r < 33 }) < 0
}

// parseVia reads a --via value: an address or a name, each with or without a port. A bare IPv6
// address and a bracketed one are both understood.
func parseVia(flag, text string) (host, port string, err error) {
	bracketed := strings.HasPrefix(text, "[")
	if addr, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil && bracketed == strings.HasSuffix(text, "]") {
		return addr.String(), "", nil
	}
	host, port, splitErr := net.SplitHostPort(text)
	if splitErr != nil {
		host, port = text, ""
	}
	if text == "" || splitErr != nil && strings.ContainsAny(text, "[]:") || !plausibleHost(host) || checkPort(port) != nil {
		return "", "", usagef("--%s: expected ADDR or NAME with or without :PORT, like 203.0.113.9, [2001:db8::1]:443 or edge.example.net, got %q", flag, text)
	}
	return host, port, nil
}

func plausibleHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host != "" && isASCII(host) && !strings.ContainsAny(host, "/:@?#[]\\ ,")
}
