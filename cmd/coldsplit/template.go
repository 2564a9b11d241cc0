package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/probe"
)

// templateWord is what {{...}} may hold in a URL, a header or the content.
var templateWord = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)

var templateBraces = strings.NewReplacer("%7B%7B", "{{", "%7D%7D", "}}")

// expansion makes each request its own: {{seq}} is its number in the run, {{uuid}} a random UUID
// (RFC 9562 version 4), the same wherever it stands in one request.
type expansion struct {
	seq  int
	uuid string
}

func newExpansion(seq int) expansion { return expansion{seq: seq, uuid: newUUID()} }

// targetOf is t as request number seq sends it: t itself when it holds no template.
func targetOf(t *probe.Target, seq int) *probe.Target {
	if !isTemplated(t) {
		return t
	}
	return newExpansion(seq).target(t)
}

func (e expansion) expand(s string) string {
	if !strings.Contains(s, "{{") {
		return s
	}
	return templateWord.ReplaceAllStringFunc(s, func(m string) string {
		switch templateWord.FindStringSubmatch(m)[1] {
		case "seq":
			return strconv.Itoa(e.seq)
		case "uuid":
			return e.uuid
		}
		return m
	})
}

// target is t with every template expanded.
func (e expansion) target(t *probe.Target) *probe.Target {
	own := *t
	if u, err := url.Parse(e.expand(unescapeTemplates(t.URL.String()))); err == nil {
		own.URL = u
	}
	own.Header = make(http.Header, len(t.Header))
	for name, values := range t.Header {
		for _, v := range values {
			own.Header.Add(name, e.expand(v))
		}
	}
	own.Body = []byte(e.expand(string(t.Body)))
	if t.Body == nil {
		own.Body = nil
	}
	return &own
}

func isTemplated(t *probe.Target) bool {
	for _, values := range t.Header {
		if slices.ContainsFunc(values, holdsTemplate) {
			return true
		}
	}
	return holdsTemplate(unescapeTemplates(t.URL.String())) || bytes.Contains(t.Body, []byte("{{"))
}

func holdsTemplate(s string) bool { return strings.Contains(s, "{{") }

// unescapeTemplates undoes what URL encoding does to braces.
func unescapeTemplates(s string) string { return templateBraces.Replace(s) }

// checkTemplates finds a template without an end, or with a word nobody knows.
func checkTemplates(where, s string) error {
	rest := templateWord.ReplaceAllStringFunc(s, func(m string) string {
		switch templateWord.FindStringSubmatch(m)[1] {
		case "seq", "uuid":
			return ""
		}
		return m
	})
	i := strings.Index(rest, "{{")
	if i < 0 {
		return nil
	}
	shown := rest[i:min(len(rest), i+24)]
	if !strings.Contains(rest[i:], "}}") {
		return usagef("%s: template %q has no end; expected {{seq}} or {{uuid}}", where, shown)
	}
	return usagef("%s: unknown template %q; expected {{seq}} or {{uuid}}", where, shown)
}

func checkTargetTemplates(t *probe.Target) error {
	if err := checkTemplates("URL", unescapeTemplates(t.URL.String())); err != nil {
		return err
	}
	for name, values := range t.Header {
		for _, v := range values {
			if err := checkTemplates("header "+name, v); err != nil {
				return err
			}
		}
	}
	return checkContentTemplate(string(t.Body))
}

// checkContentTemplate lets content hold other people's templates, but none without an end.
func checkContentTemplate(body string) error {
	rest := templateWord.ReplaceAllString(body, "")
	if i := strings.Index(rest, "{{"); i >= 0 && !strings.Contains(rest[i:], "}}") {
		return usagef("content: template %q has no end; expected {{seq}} or {{uuid}}", rest[i:min(len(rest), i+24)])
	}
	return nil
}

// foreignTemplate is the first template in the content that nobody here fills in, "" for none.
func foreignTemplate(body string) string {
	for _, m := range templateWord.FindAllStringSubmatch(body, -1) {
		if m[1] != "seq" && m[1] != "uuid" {
			return m[0][:min(len(m[0]), 24)]
		}
	}
	return ""
}

func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
