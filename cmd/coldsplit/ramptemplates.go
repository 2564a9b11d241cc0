package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/coldsplit/coldsplit/pkg/eventstream"
	"github.com/coldsplit/coldsplit/pkg/record"
)

// requestTemplate is one request of a --templates file.
type requestTemplate struct {
	name    string
	method  string
	url     string
	headers http.Header
	body    []byte
	weight  int
	stream  eventstream.Rules
	node    ast.Node // for errors
}

// templateReader reads a --templates file; every error names line and column.
type templateReader struct {
	configReader
	base   string // the command's URL, which a template's own is relative to
	folder string // what @FILE bodies are relative to
}

// fromTemplates builds a request for each template of the file.
func (b *rampBuilder) fromTemplates() ([]rampRequest, error) {
	name := b.o.load.templates
	text, err := b.in.read("templates", name)
	if err != nil {
		return nil, err
	}
	r := templateReader{configReader: configReader{name}, folder: filepath.Dir(name)}
	if len(b.o.args) > 0 {
		r.base = b.o.args[0]
	}
	templates, err := r.read(text)
	if err != nil {
		return nil, err
	}
	var out []rampRequest
	for _, t := range templates {
		request, err := b.fromTemplate(t)
		if err != nil {
			return nil, r.at(t.node, err.Error())
		}
		out = append(out, request)
	}
	labelled(out)
	return out, nil
}

// fromTemplate lays a template over the flags that hold for all.
func (b *rampBuilder) fromTemplate(t requestTemplate) (rampRequest, error) {
	flags := b.o.route
	if t.method != "" {
		flags.method = t.method
	}
	if t.body != nil {
		flags.json, flags.data, flags.dataRaw, flags.dataBinary = nil, nil, nil, nil
		flags.dataRaw = []string{string(t.body)}
	}
	a, err := b.single(&flags, t.url)
	if err != nil {
		return rampRequest{}, err
	}
	if t.body != nil && json.Valid(t.body) {
		a.target.Header.Set("Content-Type", jsonType)
	}
	for name, values := range t.headers {
		if name == "Host" {
			a.target.Host = values[0]
			continue
		}
		a.target.Header[name] = values
	}
	if t.stream.Terminal != "" {
		a.target.Stream.Terminal = t.stream.Terminal
	}
	if !t.stream.TextPath.IsZero() {
		a.target.Stream.TextPath = t.stream.TextPath
	}
	return rampRequest{arm: a, label: t.name, weight: t.weight}, nil
}

// read reads the whole file: a list of templates, strictly.
func (r templateReader) read(text []byte) ([]requestTemplate, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, r.syntax(err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, usagef("%s: expected one document with a list of requests", r.name)
	}
	list, ok := file.Docs[0].Body.(*ast.SequenceNode)
	if !ok {
		return nil, r.at(file.Docs[0].Body, "expected a list of requests: - url: https://HOST/PATH")
	}
	var out []requestTemplate
	for i, item := range list.Values {
		t, err := r.template(item, i)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, r.at(list, "there is no request in it")
	}
	return out, nil
}

func (r templateReader) template(item ast.Node, i int) (requestTemplate, error) {
	t := requestTemplate{name: "request-" + strconv.Itoa(i+1), url: r.base, weight: 1, node: item, headers: http.Header{}}
	pairs, err := r.mapping(item, "a request with keys like url, method, headers, body")
	if err != nil {
		return t, err
	}
	for _, pair := range pairs {
		if err := r.key(&t, pair); err != nil {
			return t, err
		}
	}
	if t.url == "" {
		return t, r.at(item, "a request needs the key url, or the command a URL")
	}
	return t, nil
}

// templateKeys are the keys a template may have.
const templateKeys = "name, method, url, headers, body, weight, terminal-event, text-path"

func (r templateReader) key(t *requestTemplate, pair *ast.MappingValueNode) error {
	switch keyOf(pair) {
	case "headers":
		return r.headers(t, pair.Value)
	case "name", "method", "url", "body", "weight", "terminal-event", "text-path":
	default:
		return r.at(pair.Key, fmt.Sprintf("unknown key %q: a request has %s", keyOf(pair), templateKeys))
	}
	value, err := r.scalar(pair.Value)
	if err != nil {
		return err
	}
	if err := r.set(t, keyOf(pair), value); err != nil {
		return r.at(pair.Value, err.Error())
	}
	return nil
}

func (r templateReader) set(t *requestTemplate, key, value string) (err error) {
	switch key {
	case "name":
		t.name = value
	case "method":
		if t.method = value; !isToken(value) {
			return usagef("%q is no method", value)
		}
	case "url":
		t.url, err = r.absolute(value)
	case "body":
		t.body, err = r.body(value)
	case "weight":
		if t.weight, err = strconv.Atoi(value); err != nil || t.weight < 1 {
			return usagef("weight: expected a whole number from 1, got %q", value)
		}
	case "terminal-event":
		t.stream.Terminal = value
	case "text-path":
		t.stream.TextPath, err = eventstream.ParsePath(value)
	}
	return err
}

// absolute resolves a template's URL against the command's, so that a file can hold paths alone.
func (r templateReader) absolute(value string) (string, error) {
	if strings.Contains(value, "://") || r.base == "" {
		_, err := parseTargetURL(value)
		return value, err
	}
	base, err := url.Parse(r.base)
	if err != nil {
		return "", usagef("%q is not a URL", r.base)
	}
	own, err := url.Parse(value)
	if err != nil {
		return "", usagef("%q is no path", value)
	}
	return base.ResolveReference(own).String(), nil
}

// body is text, or the content of the file behind an @, whose path is relative to the templates' file.
func (r templateReader) body(value string) ([]byte, error) {
	name, isFile := strings.CutPrefix(value, "@")
	if !isFile {
		return []byte(value), nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.folder, name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, usagef("body: %v", err)
	}
	return b, nil
}

func (r templateReader) headers(t *requestTemplate, node ast.Node) error {
	pairs, err := r.mapping(node, "headers: NAME: VALUE")
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		value, err := r.scalar(pair.Value)
		if err != nil {
			return err
		}
		name := keyOf(pair)
		if (record.SecretHeader(name) || record.HoldsSecret(value)) && !environmentWord.MatchString(value) {
			return r.at(pair.Value, fmt.Sprintf("%s looks like a secret, and secrets come from the environment only: {{env.NAME}}", name))
		}
		if err := addHeader(t.headers, name+": "+value, " in "+r.name); err != nil {
			return r.at(pair.Key, err.Error())
		}
	}
	return nil
}
