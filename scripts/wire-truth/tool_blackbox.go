//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// blackbox asks an exporter on the client once per exchange.
func blackbox(s *stage, _ *bench, path string, n int) ([]times, error) {
	const listen = "127.0.0.1:9115"
	conf := filepath.Join(s.dir, "blackbox.yml")
	module := "modules:\n  plain:\n    prober: http\n    timeout: 10s\n    http:\n      preferred_ip_protocol: ip4\n"
	if err := os.WriteFile(conf, []byte(module), 0o644); err != nil {
		return nil, err
	}
	stop, err := s.client.Serve(exec.Command("prometheus-blackbox-exporter", "--config.file", conf, "--web.listen-address", listen))
	if err != nil {
		return nil, err
	}
	defer stop()
	ask := "http://" + listen + "/probe?module=plain&target=" + url.QueryEscape(s.url("http", path))
	client, err := s.localClient(listen)
	if err != nil {
		return nil, err
	}
	var list []times
	for range n {
		t, err := askBlackbox(client, ask)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

func askBlackbox(client *http.Client, ask string) (times, error) {
	resp, err := client.Get(ask)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil {
		return nil, err
	}
	return parseBlackbox(body.String())
}

func parseBlackbox(text string) (times, error) {
	names := map[string]string{
		`probe_http_duration_seconds{phase="connect"}`: "tcp", `probe_http_duration_seconds{phase="processing"}`: "wait",
		`probe_http_duration_seconds{phase="transfer"}`: "transfer", "probe_duration_seconds": "total",
	}
	t := times{}
	for _, line := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(line, " ")
		if key, ok := names[name]; ok {
			d, err := seconds(value)
			if err != nil {
				return nil, fmt.Errorf("blackbox_exporter: %w", err)
			}
			t[key] = d
		}
	}
	if len(t) != len(names) {
		return nil, fmt.Errorf("blackbox_exporter reported %v", t)
	}
	return t, nil
}

// localClient speaks to a server on the client host's own loopback once it answers.
func (s *stage) localClient(addr string) (*http.Client, error) {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	if err := s.client.Await(to); err != nil {
		return nil, err
	}
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return s.client.Dial(ctx, network, to)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial}, Timeout: 15 * time.Second}, nil
}
