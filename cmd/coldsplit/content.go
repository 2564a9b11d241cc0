package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"
)

// inputs reads what @file arguments name; @- is stdin, which can be read once.
type inputs struct {
	stdin io.Reader
	used  string // the flag that has read stdin
}

func (in *inputs) read(flag, name string) ([]byte, error) {
	if name != "-" {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, usagef("--%s: %v", flag, err)
		}
		return b, nil
	}
	if in.used != "" {
		return nil, usagef("--%s wants stdin, but --%s has read it", flag, in.used)
	}
	in.used = flag
	b, err := io.ReadAll(in.stdin)
	if err != nil {
		return nil, fmt.Errorf("read stdin for --%s: %w", flag, err)
	}
	return b, nil
}

// value is a data flag's value: what it says, or what the file behind its @ holds. Line ends of a
// file are dropped unless binary, as curl does.
func (in *inputs) value(flag, text string, binary bool) ([]byte, error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return []byte(text), nil
	}
	b, err := in.read(flag, name)
	if err != nil || binary {
		return b, err
	}
	b = bytes.ReplaceAll(b, []byte("\r"), nil)
	return bytes.ReplaceAll(b, []byte("\n"), nil), nil
}

const (
	formType = "application/x-www-form-urlencoded"
	jsonType = "application/json"
)

// content is the request content the data flags ask for and its media type; nil when none does.
// Several --data are joined with &, several --json put together as they are, as in curl.
func (r *routeFlags) content(in *inputs) (body []byte, mediaType string, err error) {
	form := r.data != nil || r.dataRaw != nil || r.dataBinary != nil
	switch {
	case r.json != nil && form:
		return nil, "", usagef("--json and --data exclude each other: one request has one content")
	case r.json != nil:
		body, err = in.values("json", r.json, true, "")
		return body, jsonType, err
	case r.dataBase64 != "":
		if body, err = base64.StdEncoding.DecodeString(r.dataBase64); err != nil {
			return nil, "", usagef("--data-base64: %v", err)
		}
		return body, "", nil
	case !form:
		return nil, "", nil
	}
	body, err = r.form(in)
	return body, formType, err
}

func (r *routeFlags) form(in *inputs) ([]byte, error) {
	var parts [][]byte
	if r.data != nil {
		joined, err := in.values("data", r.data, false, "&")
		if err != nil {
			return nil, err
		}
		parts = append(parts, joined)
	}
	for _, d := range r.dataRaw {
		parts = append(parts, []byte(d))
	}
	if r.dataBinary != nil {
		joined, err := in.values("data-binary", r.dataBinary, true, "&")
		if err != nil {
			return nil, err
		}
		parts = append(parts, joined)
	}
	return bytes.Join(parts, []byte("&")), nil
}

// values are the values of a repeated data flag, joined.
func (in *inputs) values(flag string, texts []string, binary bool, separator string) ([]byte, error) {
	var parts [][]byte
	for _, text := range texts {
		part, err := in.value(flag, text, binary)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return bytes.Join(parts, []byte(separator)), nil
}

func (r *routeFlags) hasContent() bool {
	return r.json != nil || r.dataBase64 != "" || r.data != nil || r.dataRaw != nil || r.dataBinary != nil
}
