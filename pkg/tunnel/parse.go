package tunnel

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// The schemes of a proxy. The name of the target is resolved by the proxy under all of them.
const (
	HTTP    = "http"
	HTTPS   = "https"
	SOCKS5  = "socks5"
	SOCKS5H = "socks5h"
)

// ParseProxy reads a proxy as users write it: a URL with scheme http, https, socks5 or socks5h, or
// host:port, which means http. The URL returned always has a port (80, 443 or 1080 when none was
// written) and has no path. Errors show no credentials.
func ParseProxy(s string) (*url.URL, error) {
	full := s
	if !strings.Contains(s, "://") {
		full = HTTP + "://" + s
	}
	u, err := url.Parse(full)
	if err != nil || u.Opaque != "" {
		return nil, proxyError(s, "not a URL, want http://HOST:PORT, https://, socks5:// or socks5h://")
	}
	if err := checkProxy(u, full == s); err != nil {
		return nil, proxyError(s, err.Error())
	}
	port := u.Port()
	if port == "" {
		port = defaultPort(u.Scheme)
	}
	return &url.URL{Scheme: u.Scheme, User: u.User, Host: net.JoinHostPort(u.Hostname(), port)}, nil
}

func checkProxy(u *url.URL, hasScheme bool) error {
	switch {
	case defaultPort(u.Scheme) == "":
		return fmt.Errorf("unknown scheme %q, want http, https, socks5 or socks5h", u.Scheme)
	case u.Hostname() == "" || strings.ContainsAny(u.Hostname(), " \t"):
		return errors.New("no host")
	case !hasScheme && u.Port() == "":
		return errors.New("want HOST:PORT or a URL")
	case u.Port() != "" && !validPort(u.Port()):
		return fmt.Errorf("port %q is not between 1 and 65535", u.Port())
	case (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "":
		return errors.New("takes no path, query or fragment")
	}
	if u.Scheme == SOCKS5 || u.Scheme == SOCKS5H {
		return checkSOCKSCredentials(u.User)
	}
	return nil
}

// checkSOCKSCredentials holds the lengths RFC 1929 section 2 has room for.
func checkSOCKSCredentials(user *url.Userinfo) error {
	if user == nil {
		return nil
	}
	password, _ := user.Password()
	if n := len(user.Username()); n < 1 || n > 255 {
		return errors.New("SOCKS5 takes a user name of 1 to 255 bytes")
	}
	if len(password) > 255 {
		return errors.New("SOCKS5 takes a password of at most 255 bytes")
	}
	return nil
}

func validPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func defaultPort(scheme string) string {
	switch scheme {
	case HTTP:
		return "80"
	case HTTPS:
		return "443"
	case SOCKS5, SOCKS5H:
		return "1080"
	}
	return ""
}

func proxyError(s, cause string) error { return fmt.Errorf("proxy %q: %s", Redacted(s), cause) }

// Redacted replaces what stands before the host in a proxy as a user wrote it, whether or not it
// parses, by "***".
func Redacted(s string) string {
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "", s
	} else {
		scheme += "://"
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = "***" + rest[i:]
	}
	return scheme + rest
}

// Name spells a proxy without its credentials, for messages and records.
func Name(proxy *url.URL) string { return proxy.Scheme + "://" + proxy.Host }

// ProxyFromEnvironment returns the proxy the environment asks for target, nil for none. It reads
// HTTPS_PROXY or HTTP_PROXY by target's scheme, then ALL_PROXY, and NO_PROXY, each in upper case
// first; a target on this machine is never proxied. HTTP_PROXY is ignored where REQUEST_METHOD is
// set: there a request's Proxy header would be taken for it (CVE-2016-5385). The error names the
// variable. getenv has the contract of os.Getenv.
func ProxyFromEnvironment(target *url.URL, getenv func(string) string) (*url.URL, error) {
	name, value := proxyVariable(target.Scheme, getenv)
	if value == "" {
		return nil, nil
	}
	_, except := firstSet(getenv, "NO_PROXY", "no_proxy")
	// The package decides whether; the variable says which. Its own parser would put the whole
	// value, credentials included, into its errors.
	const some = "http://proxy.invalid"
	decide := (&httpproxy.Config{HTTPProxy: some, HTTPSProxy: some, NoProxy: except}).ProxyFunc()
	if wanted, err := decide(target); err != nil || wanted == nil {
		return nil, err
	}
	proxy, err := ParseProxy(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return proxy, nil
}

func proxyVariable(scheme string, getenv func(string) string) (name, value string) {
	names := []string{"HTTPS_PROXY", "https_proxy"}
	if scheme == "http" {
		names = []string{"HTTP_PROXY", "http_proxy"}
		if getenv("REQUEST_METHOD") != "" {
			names = names[1:]
		}
	}
	return firstSet(getenv, append(names, "ALL_PROXY", "all_proxy")...)
}

func firstSet(getenv func(string) string, names ...string) (name, value string) {
	for _, name := range names {
		if value := getenv(name); value != "" {
			return name, value
		}
	}
	return "", ""
}
