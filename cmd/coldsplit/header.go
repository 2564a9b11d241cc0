package main

import (
	"encoding/base64"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// header is the request header the flags ask for. Host is set apart, as net/http wants it.
func (r *routeFlags) header(in *inputs) (h http.Header, host string, err error) {
	h = make(http.Header)
	for _, text := range r.headers {
		if err := addHeaderFlag(h, in, text); err != nil {
			return nil, "", err
		}
	}
	for flag, value := range map[string]string{"cookie": r.cookie, "user-agent": r.agent} {
		if !httpguts.ValidHeaderFieldValue(value) {
			return nil, "", usagef("--%s holds a character no header may have", flag)
		}
	}
	if r.user != "" {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(r.user)))
	}
	if r.cookie != "" {
		h.Add("Cookie", r.cookie)
	}
	if r.agent != "" {
		h.Set("User-Agent", r.agent)
	}
	host = h.Get("Host")
	h.Del("Host")
	return h, host, nil
}

func addHeaderFlag(h http.Header, in *inputs, text string) error {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return addHeader(h, text, "")
	}
	b, err := in.read("header", name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := addHeader(h, line, " in "+name); err != nil {
			return err
		}
	}
	return nil
}

// addHeader adds one "NAME: VALUE" line; "NAME;" sends the name with an empty value, as in curl.
// where is appended to an error. A value from a file is never repeated in an error: it may be a secret.
func addHeader(h http.Header, line, where string) error {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		name, ok = strings.CutSuffix(line, ";")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || !httpguts.ValidHeaderFieldName(name) {
		shown := line
		if where != "" {
			shown = name
		}
		return usagef("--header: expected 'NAME: VALUE'%s, got %q", where, shown)
	}
	if !httpguts.ValidHeaderFieldValue(value) {
		return usagef("--header: the value of %q%s holds a character no header may have", name, where)
	}
	h.Add(name, value)
	return nil
}
