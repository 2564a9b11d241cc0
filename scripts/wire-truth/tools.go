//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tool is a program that reports the times of exchanges over new connections, one after the other.
type tool struct {
	name     string
	protocol string // "http", "h1", "h2", "h3": plain HTTP/1.1 and the three over TLS or QUIC
	// measure performs n exchanges with the path and returns what was reported, in order.
	measure func(s *stage, b *bench, path string, n int) ([]times, error)
}

// bench is what the tools need besides the network.
type bench struct {
	coldsplit string // path of the binary
	k6        string // path of the binary, "" when it could not be built
}

// errNotInstalled is a tool that could not be had; its cells say so.
var errNotInstalled = errors.New("not installed")

// tools are all that are measured, ours first.
func tools() []tool {
	list := []tool{
		{"coldsplit", "http", coldsplit("http", "1.1")},
		{"curl", "http", curl("http", "--http1.1")},
		{"httping", "http", httping},
		{"hey", "http", hey},
		{"blackbox_exporter", "http", blackbox},
		{"k6", "http", runK6("http", "HTTP/1.1")},
		{"coldsplit", "h1", coldsplit("https", "1.1")},
		{"curl", "h1", curl("https", "--http1.1")},
		{"coldsplit", "h2", coldsplit("https", "2")},
		{"curl", "h2", curl("https", "--http2")},
		{"k6", "h2", runK6("https", "HTTP/2.0")},
		{"coldsplit", "h3", coldsplit("https", "3")},
	}
	return list
}

// output runs a program on the client and returns what it printed.
func (s *stage) output(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := s.client.Run(cmd); err != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(stderr.String()+stdout.String()))
	}
	return stdout.String(), nil
}
