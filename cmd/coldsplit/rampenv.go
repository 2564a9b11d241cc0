package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/probe"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// environmentWord is {{env.NAME}} in a URL, a header or the content.
var environmentWord = regexp.MustCompile(`\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)

// fillEnvironment replaces every {{env.NAME}} of t by the variable's value. The values are remembered,
// so that none can slip into the record; the route keeps the names.
func (b *rampBuilder) fillEnvironment(t *probe.Target) error {
	var missing string
	fill := func(s string) string {
		return environmentWord.ReplaceAllStringFunc(s, func(m string) string {
			name := environmentWord.FindStringSubmatch(m)[1]
			value := b.getenv(name)
			if value == "" && missing == "" {
				missing = name
			}
			b.secrets = append(b.secrets, value)
			return value
		})
	}
	if text := unescapeTemplates(t.URL.String()); environmentWord.MatchString(text) {
		u, err := url.Parse(fill(text))
		if err != nil {
			return usagef("the URL is none any more once the environment's values are in it")
		}
		t.URL = u
	}
	header := make(http.Header, len(t.Header))
	for name, values := range t.Header {
		for _, v := range values {
			header.Add(name, fill(v))
		}
	}
	t.Header = header
	if t.Body != nil {
		t.Body = []byte(fill(string(t.Body)))
	}
	if missing != "" {
		return usagef("the environment has no %s, which {{env.%s}} asks for", missing, missing)
	}
	return nil
}

// leastSecret is the length below which a value is too common a text to be looked for in answers.
const leastSecret = 6

// scrubber removes values of the environment from what a server sent back.
type scrubber struct{ replace *strings.Replacer }

func newScrubber(values []string) *scrubber {
	var pairs []string
	for _, v := range values {
		if len(v) < leastSecret {
			continue
		}
		pairs = append(pairs, v, record.Removed)
		if escaped := url.QueryEscape(v); escaped != v {
			pairs = append(pairs, escaped, record.Removed)
		}
	}
	if pairs == nil {
		return nil
	}
	return &scrubber{strings.NewReplacer(pairs...)}
}

// exchange removes the values from every text of ex. A nil scrubber has nothing to remove.
func (s *scrubber) exchange(ex *record.Exchange) {
	if s == nil {
		return
	}
	for _, text := range []*string{&ex.Instance, &ex.Title} {
		*text = s.replace.Replace(*text)
	}
	if ex.Error != nil {
		ex.Error.Text = s.replace.Replace(ex.Error.Text)
	}
	if ex.Throttle != nil {
		ex.Throttle.Reason, ex.Throttle.Limit = s.replace.Replace(ex.Throttle.Reason), s.replace.Replace(ex.Throttle.Limit)
	}
	for i := range ex.Notes {
		ex.Notes[i] = s.replace.Replace(ex.Notes[i])
	}
	for _, fields := range []record.Fields{ex.Headers, ex.Trailers} {
		for _, values := range fields {
			for i := range values {
				values[i] = s.replace.Replace(values[i])
			}
		}
	}
}
