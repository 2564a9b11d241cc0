package record

import (
	"net/url"
	"strings"
)

// secretHeader tells the fields whose whole value is a secret, or may hold one anywhere: cookies,
// credentials, challenges with nonces.
func secretHeader(name string) bool {
	switch name {
	case "set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization",
		"www-authenticate", "proxy-authenticate", "authentication-info", "proxy-authentication-info":
		return true
	}
	return secretName(name)
}

// urlHeader tells the fields that hold the address of something, where a query tends to carry a
// one-time code or a session.
func urlHeader(name string) bool {
	switch name {
	case "location", "content-location", "refresh", "referer":
		return true
	}
	return strings.HasSuffix(name, "-location") || strings.HasSuffix(name, "-url") || strings.HasSuffix(name, "-uri")
}

// valueKind says how the values of a field are made safe.
type valueKind uint8

const (
	freeText valueKind = iota
	secretValues
	addresses
)

func kindOf(name string) valueKind {
	switch {
	case secretHeader(name):
		return secretValues
	case urlHeader(name):
		return addresses
	}
	return freeText
}

func safeValues(kind valueKind, values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = safeValue(kind, v)
	}
	return out
}

func safeValue(kind valueKind, v string) string {
	switch kind {
	case secretValues:
		return Removed
	case addresses:
		return withoutQuery(SafeURL(v))
	}
	return SafeText(v)
}

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
// digits in one run). Everything else keeps its bytes and order, so u need not be a valid URL. The
// path is left as it is. u may lack its scheme ("user:pass@proxy:3128").
func SafeURL(u string) string {
	rest, fragment, hasFragment := strings.Cut(u, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	out := safeAuthority(rest)
	if hasQuery {
		out += "?" + safeQuery(query)
	}
	if hasFragment {
		out += "#" + safeQuery(fragment)
	}
	return out
}

func safeAuthority(u string) string {
	scheme, rest, found := strings.Cut(u, "://")
	switch {
	case found && !strings.Contains(scheme, "/"):
		scheme += "://"
	case strings.HasPrefix(u, "//"):
		scheme, rest = "//", u[2:]
	case strings.HasPrefix(u, "/"):
		return u
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
		authority = Removed + authority[i:]
	}
	return scheme + authority + path
}

// endsInPort tells "host:443", whose path may hold an @, from "user:pa" of a password with a slash.
func endsInPort(authority string) bool {
	port := authority[strings.LastIndexByte(authority, ':')+1:]
	return strings.Trim(port, "0123456789") == "" || strings.HasSuffix(authority, "]")
}

func safeQuery(q string) string {
	params := strings.FieldsFunc(q, func(r rune) bool { return r == '&' || r == ';' })
	if len(params) == 0 {
		return q
	}
	var out strings.Builder
	at := 0
	for _, p := range params {
		from := at + strings.Index(q[at:], p)
		out.WriteString(q[at:from])
		out.WriteString(safeParam(p))
		at = from + len(p)
	}
	out.WriteString(q[at:])
	return out.String()
}

func safeParam(p string) string {
	name, value, found := strings.Cut(p, "=")
	if !found {
		if secretValue(p) {
			return Removed
		}
		return p
	}
	if value != "" && (secretName(unescaped(name)) || secretInside(unescaped(value))) {
		return name + "=" + Removed
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

// secretValue tells values that look like a secret whatever they are called.
func secretValue(v string) bool {
	for _, prefix := range []string{"eyJ", "sk-", "sk_", "pk_live", "rk_live", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "ASIA", "AIza", "ya29."} {
		if strings.HasPrefix(v, prefix) && len(v) >= len(prefix)+8 {
			return true
		}
	}
	return longestMixedRun(v) >= 32
}

// longestMixedRun is the length of the longest run of letters and digits that has both.
func longestMixedRun(v string) int {
	longest, run := 0, 0
	var letters, numerals bool
	for i := range len(v) {
		c := v[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		numeral := c >= '0' && c <= '9'
		if !letter && !numeral && c != '_' && c != '+' {
			run, letters, numerals = 0, false, false
			continue
		}
		run++
		letters, numerals = letters || letter, numerals || numeral
		if letters && numerals {
			longest = max(longest, run)
		}
	}
	return longest
}

// SafeText returns free text - a header value, an error, a note - with the credentials it shows
// removed: the userinfo and secret-looking parameters of URLs in it, what follows Bearer or Basic,
// and JWTs.
func SafeText(text string) string {
	if !strings.Contains(text, "://") && !strings.Contains(text, "?") && !strings.Contains(text, "eyJ") &&
		!hasFold(text, "bearer ") && !hasFold(text, "basic ") {
		return text
	}
	var out strings.Builder
	after := false // the word before announced a credential
	for len(text) > 0 {
		word, gap := text, ""
		if i := strings.IndexAny(text, " \t\r\n\"'<>"); i >= 0 {
			word, gap = text[:i], text[i:i+1]
		}
		out.WriteString(safeWord(word, after))
		out.WriteString(gap)
		text = text[len(word)+len(gap):]
		if word != "" {
			after = strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic")
		}
	}
	return out.String()
}

func safeWord(w string, announced bool) string {
	switch {
	case announced && len(w) >= 8 || strings.HasPrefix(w, "eyJ") && strings.Contains(w, "."):
		return Removed
	case strings.Contains(w, "://"):
		return SafeURL(w)
	case strings.Contains(w, "?"):
		path, query, _ := strings.Cut(w, "?")
		return path + "?" + safeNamed(query)
	}
	return w
}

// safeNamed is safeQuery by name alone: metrics are written as a query too, and their ids are long.
func safeNamed(q string) string {
	parts := strings.Split(q, "&")
	for i, p := range parts {
		if name, value, ok := strings.Cut(p, "="); ok && value != "" && secretName(unescaped(name)) {
			parts[i] = name + "=" + Removed
		}
	}
	return strings.Join(parts, "&")
}

func hasFold(text, lower string) bool {
	return strings.Contains(strings.ToLower(text), lower)
}
