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
// Several --data are joined with &, as in curl.
func (r *routeFlags) content(in *inputs) (body []byte, mediaType string, err error) {
	if r.json != "" {
		body, err = in.value("json", r.json, true)
		return body, jsonType, err
	}
	if r.dataBase64 != "" {
		if body, err = base64.StdEncoding.DecodeString(r.dataBase64); err != nil {
			return nil, "", usagef("--data-base64: %v", err)
		}
		return body, "", nil
	}
	var parts [][]byte
	for _, d := range r.data {
		part, err := in.value("data", d, false)
		if err != nil {
			return nil, "", err
		}
		parts = append(parts, part)
	}
	for _, d := range r.dataRaw {
		parts = append(parts, []byte(d))
	}
	for _, d := range r.dataBinary {
		part, err := in.value("data-binary", d, true)
		if err != nil {
			return nil, "", err
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return nil, "", nil
	}
	return bytes.Join(parts, []byte("&")), formType, nil
}

func (r *routeFlags) hasContent() bool {
	return r.json != "" || r.dataBase64 != "" || r.data != nil || r.dataRaw != nil || r.dataBinary != nil
}
