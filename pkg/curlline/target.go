package curlline

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// maxURLs bounds what a glob expands to.
const maxURLs = 100

func (p *parser) settleURLs() error {
	if len(p.urls) == 0 {
		return errors.New("no URL in it")
	}
	for _, written := range p.urls {
		expanded := []string{written}
		if !p.globOff {
			var err error
			if expanded, err = expand(written); err != nil {
				return fmt.Errorf("URL %q: %w", abridged(hidden(written)), err)
			}
		}
		for _, one := range expanded {
			settled, err := p.settleURL(one)
			if err != nil {
				return fmt.Errorf("URL %q: %w", abridged(hidden(one)), err)
			}
			p.request.URLs = append(p.request.URLs, settled)
		}
		if len(p.request.URLs) > maxURLs {
			return fmt.Errorf("URL %q: expands to more than %d", abridged(hidden(written)), maxURLs)
		}
	}
	return nil
}

// hidden takes the credentials out of a URL as written.
func hidden(s string) string {
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		scheme, rest = "", s
	} else {
		scheme += "://"
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		rest = "***" + rest[at:]
	}
	return scheme + rest
}

// settleURL adds the scheme, takes the credentials out and squeezes dot segments, as curl does.
func (p *parser) settleURL(s string) (string, error) {
	if !strings.Contains(s, "://") {
		scheme := p.scheme
		if scheme == "" {
			scheme = "http"
			p.request.change("a URL without a scheme", "is read as http://, as curl does")
		}
		s = scheme + "://" + s
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }); i >= 0 {
		return "", errors.New("has a space or a line break; write %20")
	}
	u, err := url.Parse(s)
	if err != nil {
		return "", errors.New("is not well formed")
	}
	scheme := strings.ToLower(u.Scheme)
	if scheme != "http" && scheme != "https" {
		return "", fmt.Errorf("scheme %q, want http or https", u.Scheme)
	}
	if u.Hostname() == "" {
		return "", errors.New("has no host")
	}
	s = p.withoutUser(u, scheme+s[len(scheme):])
	if !p.request.PathAsIs && (strings.Contains(u.Path, "/./") || strings.Contains(u.Path, "/../")) {
		u.User = nil
		return u.ResolveReference(u).String(), nil
	}
	return s, nil
}

// withoutUser works on the text: url.URL would write other parts of it anew.
func (p *parser) withoutUser(u *url.URL, s string) string {
	if u.User == nil {
		return s
	}
	r := p.request
	if !r.HasUser {
		r.User, r.HasUser, r.HasPassword = u.User.Username(), true, true
		r.Password, _ = u.User.Password()
	}
	authority := strings.Index(s, "://") + len("://")
	end := strings.IndexAny(s[authority:], "/?#")
	if end < 0 {
		end = len(s) - authority
	}
	at := strings.LastIndexByte(s[authority:authority+end], '@')
	return s[:authority] + s[authority+at+1:]
}

// settleProxy gives the proxy a scheme and a port the way curl reads one.
func (p *parser) settleProxy() error {
	if p.proxy == "" {
		return nil
	}
	scheme, rest, found := strings.Cut(p.proxy, "://")
	if !found {
		scheme, rest = "http", p.proxy
	}
	if p.proxyIs != "" {
		scheme = p.proxyIs
	}
	scheme = strings.ToLower(scheme)
	switch scheme {
	case "http", "https", "socks5h":
	case "socks5":
		p.request.change("a socks5 proxy", "resolves the name itself; curl would resolve it here")
	case "socks4", "socks4a":
		p.request.refuse("a "+scheme+" proxy", "SOCKS5 is spoken, not SOCKS4; the request goes without a proxy")
		return nil
	default:
		return fmt.Errorf("proxy scheme %q, want http, https, socks5 or socks5h", abridged(scheme))
	}
	u, err := url.Parse(scheme + "://" + strings.TrimSuffix(rest, "/"))
	if err != nil || u.Hostname() == "" {
		return errors.New("proxy: want [SCHEME://][USER:PASSWORD@]HOST[:PORT]")
	}
	if u.Port() == "" {
		u.Host += ":" + map[bool]string{true: "443", false: "1080"}[scheme == "https"]
	}
	if p.proxyUsr != "" {
		user, password, has := strings.Cut(p.proxyUsr, ":")
		if u.User = url.User(user); has {
			u.User = url.UserPassword(user, password)
		}
	}
	p.request.Proxy = u.String()
	return nil
}

// expand applies curl's URL globbing: {a,b} and [1-10], [01-10:3], [a-z]. A backslash takes the
// meaning from a bracket, an address in brackets has none, and {{..}} is a template of ours.
func expand(s string) ([]string, error) {
	done := []string{""}
	for s != "" {
		choices, rest, err := globPiece(s)
		if err != nil {
			return nil, err
		}
		if len(done)*len(choices) > maxURLs {
			return nil, fmt.Errorf("expands to more than %d", maxURLs)
		}
		next := make([]string, 0, len(done)*len(choices))
		for _, head := range done {
			for _, tail := range choices {
				next = append(next, head+tail)
			}
		}
		done, s = next, rest
	}
	return done, nil
}

func globPiece(s string) (choices []string, rest string, err error) {
	switch {
	case len(s) > 1 && s[0] == '\\' && strings.IndexByte("{}[]", s[1]) >= 0:
		return []string{s[1:2]}, s[2:], nil
	case strings.HasPrefix(s, "{{"):
		if end := strings.Index(s, "}}"); end >= 0 {
			return []string{s[:end+2]}, s[end+2:], nil
		}
		return nil, "", errors.New(`"{{" is not closed`)
	case s[0] == '{':
		inside, rest, ok := strings.Cut(s[1:], "}")
		if !ok || strings.Contains(inside, "{") {
			return nil, "", errors.New("a brace is not closed; -g takes it as it is")
		}
		return strings.Split(inside, ","), rest, nil
	case s[0] == '[':
		inside, rest, ok := strings.Cut(s[1:], "]")
		if ok && strings.Contains(inside, ":") && !strings.Contains(inside, "-") {
			return []string{"[" + inside + "]"}, rest, nil
		}
		choices, err := globRange(inside)
		if !ok || err != nil {
			return nil, "", fmt.Errorf("%q is no range; -g takes it as it is", abridged("["+inside+"]"))
		}
		return choices, rest, nil
	}
	end := strings.IndexAny(s[1:], `\{[`) + 1
	if end == 0 {
		end = len(s)
	}
	return []string{s[:end]}, s[end:], nil
}

var errNoRange = errors.New("no range")

func globRange(s string) ([]string, error) {
	span, stepText, hasStep := strings.Cut(s, ":")
	from, to, ok := strings.Cut(span, "-")
	step := 1
	if hasStep {
		n, err := strconv.Atoi(stepText)
		if err != nil || n < 1 {
			return nil, errNoRange
		}
		step = n
	}
	if !ok {
		return nil, errNoRange
	}
	if len(from) == 1 && len(to) == 1 && isLetter(from[0]) && isLetter(to[0]) {
		return globValues(int(from[0]), int(to[0]), step, func(n int) string { return string(rune(n)) })
	}
	low, err := strconv.Atoi(from)
	high, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return nil, errNoRange
	}
	width := 0
	if strings.HasPrefix(from, "0") {
		width = len(from)
	}
	return globValues(low, high, step, func(n int) string { return fmt.Sprintf("%0*d", width, n) })
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func globValues(low, high, step int, spell func(int) string) ([]string, error) {
	if low < 0 || high < low || (high-low)/step >= maxURLs {
		return nil, errNoRange
	}
	var values []string
	for n := low; n <= high; n += step {
		values = append(values, spell(n))
	}
	return values, nil
}
