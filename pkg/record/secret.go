package record

import "strings"

// SecretHeader tells the header and trailer fields whose whole value is a secret, or may hold one
// anywhere: cookies, credentials, challenges with nonces, and every name that announces a secret. name
// may be in any case.
func SecretHeader(name string) bool {
	switch strings.ToLower(name) {
	case "set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization",
		"www-authenticate", "proxy-authenticate", "authentication-info", "proxy-authentication-info":
		return true
	}
	return SecretName(name)
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
	case SecretHeader(name):
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

// keyPrefixes begin keys and tokens: JWTs, OpenAI, Stripe, GitHub, GitLab, Slack, AWS, Google.
var keyPrefixes = []string{
	"eyJ", "sk-", "sk_", "pk_live", "rk_live", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-",
	"AKIA", "ASIA", "AIza", "ya29.",
}

// secretValue tells values that look like a secret whatever they are called.
func secretValue(v string) bool {
	for _, prefix := range keyPrefixes {
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

// keyLength is how much must follow a known prefix before a word in a text counts as a key: shorter
// ones are words like sk-edge-01.
const keyLength = 16

// isKey tells a word that is a key by its first letters, wherever it stands.
func isKey(w string) bool {
	for _, prefix := range keyPrefixes {
		if strings.HasPrefix(w, prefix) && len(w) >= len(prefix)+keyLength {
			return true
		}
	}
	return false
}
