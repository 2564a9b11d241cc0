package probe

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// maxReason bounds a throttling reason and a title, in characters.
const (
	maxReason = 120
	maxTitle  = 80
)

// throttleFacts reads how the service said "not now".
func throttleFacts(h http.Header, content []byte, now time.Time) *record.Throttle {
	facts := &record.Throttle{Reason: reason(h, content), Limit: spokenLimit(h)}
	facts.RetryAfter, facts.HasRetryAfter = retryAfter(h.Get("Retry-After"), now)
	return facts
}

// retryAfter reads both forms of Retry-After (RFC 9110 section 10.2.3): seconds, or a date, of which
// the part still to come counts.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// reasonBody is the error object common to the APIs that throttle.
type reasonBody struct {
	Error   json.RawMessage `json:"error"`
	Code    any             `json:"code"`
	Message string          `json:"message"`
	Title   string          `json:"title"` // RFC 9457
}

// reason is the service's own word: error.code, else error.type or error.message of a JSON body, else
// its top-level code or message, else a header that names one.
func reason(h http.Header, content []byte) string {
	var body reasonBody
	if json.Unmarshal(content, &body) == nil {
		if r := firstWord(errorWord(body.Error), scalar(body.Code), body.Message, body.Title); r != "" {
			return r
		}
	}
	return firstWord(h.Get("X-Error-Code"), h.Get("X-Amzn-Errortype"), h.Get("X-Ratelimit-Reason"))
}

// errorWord reads "error": a string, or an object with code, type or message.
func errorWord(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Code    any    `json:"code"`
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	return firstWord(scalar(object.Code), object.Type, object.Message)
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func firstWord(words ...string) string {
	for _, w := range words {
		if w = clip(w, maxReason); w != "" {
			return w
		}
	}
	return ""
}

// spokenLimit names the limit that is used up, as far as rate-limit headers tell: one whose
// remaining count is 0.
func spokenLimit(h http.Header) string {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		lower := strings.ToLower(name)
		if strings.Contains(lower, "ratelimit-remaining") && strings.TrimSpace(h.Get(name)) == "0" {
			return lower
		}
	}
	if policy := h.Get("Ratelimit"); policy != "" {
		return clip(policy, maxReason)
	}
	return ""
}

var titleElement = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// htmlTitle is the title of an HTML answer: what a firewall or a captive portal calls itself.
func htmlTitle(contentType string, content []byte) string {
	if !strings.Contains(strings.ToLower(contentType), "html") {
		return ""
	}
	found := titleElement.FindSubmatch(content[:min(len(content), 64<<10)])
	if found == nil {
		return ""
	}
	return clip(html.UnescapeString(string(found[1])), maxTitle)
}

// clip folds white space, drops control characters and credentials, and cuts at n characters.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return -1
		}
		return r
	}, s)
	s = record.SafeText(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}
