//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/coldsplit/coldsplit/scripts/k6"
)

// runK6 reports milliseconds, one line of JSON a sample.
func runK6(scheme, protocol string) func(*stage, *bench, string, int) ([]times, error) {
	return func(s *stage, b *bench, path string, n int) ([]times, error) {
		if b.k6 == "" {
			return nil, errNotInstalled
		}
		file, out := filepath.Join(s.dir, "k6.js"), filepath.Join(s.dir, "k6.json")
		test := k6.Test{URL: s.url(scheme, path), N: n, Insecure: true, Protocol: protocol}
		if err := os.WriteFile(file, test.Script(), 0o644); err != nil {
			return nil, err
		}
		if _, err := s.output([]string{"SSLKEYLOGFILE=" + s.keys}, b.k6, k6.Args(file, "--out", "json="+out)...); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		return parseK6(text)
	}
}

// parseK6 gathers samples into requests: every metric comes once per request, in order. Its total has no
// name of its own: blocked (which holds connecting) and duration together.
func parseK6(text []byte) ([]times, error) {
	values := map[string][]time.Duration{}
	for _, line := range bytes.Split(text, []byte("\n")) {
		var p struct {
			Metric, Type string
			Data         struct{ Value float64 }
		}
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return nil, fmt.Errorf("k6: %w", err)
		}
		if p.Type == "Point" {
			values[p.Metric] = append(values[p.Metric], time.Duration(p.Data.Value*float64(time.Millisecond)))
		}
	}
	var list []times
	for i := range values["http_req_waiting"] {
		t := times{
			"tcp": values["http_req_connecting"][i], "wait": values["http_req_waiting"][i], "transfer": values["http_req_receiving"][i],
			"total": values["http_req_blocked"][i] + values["http_req_duration"][i],
		}
		if d := values["http_req_tls_handshaking"][i]; d > 0 {
			t["tls"] = d
		}
		list = append(list, t)
	}
	return list, nil
}
