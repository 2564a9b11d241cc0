package record

import (
	"net/url"
	"strings"
)

// withoutQuery replaces the whole query and the whole fragment, whatever their names say.
func withoutQuery(u string) string {
	cut := strings.IndexAny(u, "?#")
	if cut < 0 || cut == len(u)-1 {
		return u
	}
	return u[:cut+1] + Removed
}

// SafeURL returns u with its userinfo, the values of secret-looking query parameters and of such in
// its fragment replaced by [Removed]. A parameter looks secret when its name does (token, api_key,
// X-Amz-Signature, code) or its value does (a JWT, a known key prefix, 32 and more letters and
// digits in one run). Of the path only a segment that is a key by its prefix is replaced: others are
// long by right. Everything else keeps its bytes and order, so u need not be a valid URL. u may lack its
// scheme ("user:pass@proxy:3128").
func SafeURL(u string) string { return ReplaceInURL(u, remove) }

func remove(string, string) string { return Removed }

// ReplaceInURL is u with everything that [SafeURL] removes replaced by what with returns. with is given
// the name that announces the secret - a parameter's, "userinfo", or "key" for what only looks like one
// - and the secret as it is written.
func ReplaceInURL(u string, with func(name, secret string) string) string {
	r := urlReplacer{with}
	return r.url(u)
}

type urlReplacer struct {
	with func(name, secret string) string
}

func (r urlReplacer) url(u string) string {
	rest, fragment, hasFragment := strings.Cut(u, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	out := r.authority(rest)
	if hasQuery {
		out += "?" + r.query(query)
	}
	if hasFragment {
		out += "#" + r.query(fragment)
	}
	return out
}

func (r urlReplacer) authority(u string) string {
	scheme, rest, found := strings.Cut(u, "://")
	switch {
	case found && !strings.Contains(scheme, "/"):
		scheme += "://"
	case strings.HasPrefix(u, "//"):
		scheme, rest = "//", u[2:]
	case strings.HasPrefix(u, "/"):
		return r.path(u)
	default:
		scheme, rest = "", u
	}
	authority, path := rest, ""
	if i := strings.IndexAny(rest, `/\`); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	// A password may hold a slash that should have been escaped; the last @ before the query decides.
	if i := strings.LastIndexByte(rest, '@'); i >= len(authority) && strings.Contains(authority, ":") && !endsInPort(authority) {
		authority, path = rest, ""
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = r.with("userinfo", authority[:i]) + authority[i:]
	}
	return scheme + authority + r.path(path)
}

func (r urlReplacer) path(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if isKey(unescaped(s)) {
			segments[i] = r.with("key", s)
		}
	}
	return strings.Join(segments, "/")
}

// endsInPort tells "host:443", whose path may hold an @, from "user:pa" of a password with a slash.
func endsInPort(authority string) bool {
	port := authority[strings.LastIndexByte(authority, ':')+1:]
	return strings.Trim(port, "0123456789") == "" || strings.HasSuffix(authority, "]")
}

func (r urlReplacer) query(q string) string {
	params := strings.FieldsFunc(q, func(r rune) bool { return r == '&' || r == ';' })
	if len(params) == 0 {
		return q
	}
	var out strings.Builder
	at := 0
	for _, p := range params {
		from := at + strings.Index(q[at:], p)
		out.WriteString(q[at:from])
		out.WriteString(r.param(p))
		at = from + len(p)
	}
	out.WriteString(q[at:])
	return out.String()
}

func (r urlReplacer) param(p string) string {
	name, value, found := strings.Cut(p, "=")
	if !found {
		if secretValue(p) {
			return r.with("key", p)
		}
		return p
	}
	if value != "" && (SecretName(unescaped(name)) || secretInside(unescaped(value))) {
		return name + "=" + r.with(name, value)
	}
	return p
}

// secretInside also looks into an address that a parameter holds.
func secretInside(v string) bool {
	return secretValue(v) || strings.Contains(v, "://") && SafeURL(v) != v
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}
