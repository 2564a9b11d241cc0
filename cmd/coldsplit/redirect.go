package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// isRedirect is RFC 9110 section 15.4 without 300 and 304, which lead nowhere by themselves.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// follow is the target a redirect leads to. Credentials stay at the origin they were meant for: to
// another one (RFC 6454) no Authorization, Cookie, userinfo, client certificate or header that looks
// like a key is carried, and coming back does not bring them back. notes tell what was left behind.
func follow(t *probe.Target, location *url.URL, status int) (next *probe.Target, notes []string, err error) {
	u, err := parseTargetURL(location.String())
	if err != nil {
		return nil, nil, fmt.Errorf("a redirect to %s", record.SafeURL(location.String()))
	}
	u.User = nil
	own := *t
	own.URL, own.Header = u, t.Header.Clone()
	switchMethod(&own, status)
	if sameOrigin(t.URL, u) {
		u.User = t.URL.User
	} else {
		notes = leaveBehind(&own, t)
	}
	if err := own.Check(); err != nil {
		return nil, nil, fmt.Errorf("a redirect to %s: %w", hopURL(&own), err)
	}
	return &own, notes, nil
}

// switchMethod is what user agents do and RFC 9110 sections 15.4.2 to 15.4.4 allow: after 303 anything
// but HEAD becomes GET, after 301 and 302 a POST does; 307 and 308 keep method and content.
func switchMethod(t *probe.Target, status int) {
	method := t.Method
	toGet := status == http.StatusSeeOther && method != http.MethodHead && method != http.MethodGet ||
		(status == http.StatusMovedPermanently || status == http.StatusFound) && method == http.MethodPost
	if !toGet {
		return
	}
	t.Method, t.Body = http.MethodGet, nil
	for name := range t.Header {
		if strings.HasPrefix(http.CanonicalHeaderKey(name), "Content-") {
			delete(t.Header, name)
		}
	}
}

// leaveBehind takes from own what t meant for its own origin.
func leaveBehind(own, t *probe.Target) (notes []string) {
	for name := range own.Header {
		if record.SecretHeader(name) {
			delete(own.Header, name)
			notes = append(notes, fmt.Sprintf("%s was not sent to %s: it was meant for %s", name, own.URL.Host, t.URL.Host))
		}
	}
	if t.URL.User != nil {
		notes = append(notes, fmt.Sprintf("the user's credentials were not sent to %s: they were meant for %s", own.URL.Host, t.URL.Host))
	}
	if len(t.ClientCerts) > 0 {
		own.ClientCerts = nil
		notes = append(notes, fmt.Sprintf("the client certificate was not offered to %s: it was meant for %s", own.URL.Host, t.URL.Host))
	}
	own.Host = ""
	if own.URL.Hostname() != t.URL.Hostname() {
		own.Via, own.ServerName = "", ""
	}
	return notes
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// sameHop reports whether two targets are the same hop of a chain; what a query holds may differ from
// walk to walk.
func sameHop(a, b *probe.Target) bool {
	return sameOrigin(a.URL, b.URL) && a.URL.Path == b.URL.Path && a.Method == b.Method
}

// hopURL is a redirect's target as it may be shown: a query that a server made up may hold secrets.
func hopURL(t *probe.Target) string {
	u := *t.URL
	u.RawQuery, u.User, u.ForceQuery = "", nil, false
	return record.SafeURL(u.String())
}
