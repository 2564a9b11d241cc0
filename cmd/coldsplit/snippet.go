package main

import (
	"embed"
	"io"
	"slices"
	"strings"
)

//go:embed snippets
var snippetFiles embed.FS

// snippets maps what --snippet takes to the file with the few lines.
func snippets() map[string]string {
	return map[string]string{
		"workers": "workers.js", "vercel": "vercel.js", "lambda": "lambda.js", "fastly": "fastly.vcl", "nginx": "nginx.conf",
		"envoy": "envoy.yaml", "haproxy": "haproxy.cfg", "caddy": "Caddyfile", "go": "timed.go.txt", "node": "timed.node.js",
	}
}

func snippetNames() []string {
	var names []string
	for name := range snippets() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// snippet is the few lines that make an edge report pre_forward and upstream under this project's names.
func snippet(name string) (string, error) {
	file, ok := snippets()[name]
	if !ok {
		return "", usagef("--snippet takes %s, got %q", strings.Join(snippetNames(), ", "), name)
	}
	text, err := snippetFiles.ReadFile("snippets/" + file)
	return string(text), err
}

func printSnippet(name string, w io.Writer) error {
	text, err := snippet(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}
