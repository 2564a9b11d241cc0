//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// curl reports points in time since its start, in seconds; their differences are segments.
func curl(scheme, protocol string) func(*stage, *bench, string, int) ([]times, error) {
	const format = `%{time_namelookup} %{time_connect} %{time_appconnect} %{time_pretransfer} %{time_starttransfer} %{time_total}`
	return func(s *stage, _ *bench, path string, n int) ([]times, error) {
		var list []times
		for range n {
			out, err := s.output([]string{"SSLKEYLOGFILE=" + s.keys}, "curl", "-s", "-o", "/dev/null", protocol, "--cacert", s.ca, "-w", format, s.url(scheme, path))
			if err != nil {
				return nil, err
			}
			t, err := parseCurl(out)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
		return list, nil
	}
}

func parseCurl(text string) (times, error) {
	var at [6]time.Duration
	words := strings.Fields(text)
	if len(words) != len(at) {
		return nil, fmt.Errorf("curl printed %q", text)
	}
	for i, w := range words {
		d, err := seconds(w)
		if err != nil {
			return nil, err
		}
		at[i] = d
	}
	t := times{"tcp": at[1] - at[0], "wait": at[4] - at[3], "transfer": at[5] - at[4], "total": at[5]}
	if at[2] > 0 {
		t["tls"] = at[2] - at[1]
	}
	return t, nil
}

func seconds(text string) (time.Duration, error) {
	v, err := strconv.ParseFloat(text, 64)
	return time.Duration(v * float64(time.Second)), err
}

// httping's JSON calls the time from the connection to the answer "write".
func httping(s *stage, _ *bench, path string, n int) ([]times, error) {
	out, err := s.output(nil, "httping", "-G", "-M", "-c", strconv.Itoa(n), "-i", "0.001", "-t", "10", "-g", s.url("http", path))
	if err != nil {
		return nil, err
	}
	return parseHTTPing(out)
}

func parseHTTPing(text string) ([]times, error) {
	var rows []struct {
		Connect string `json:"connect_ms"`
		Write   string `json:"write"`
		Total   string `json:"total_ms"`
	}
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		return nil, fmt.Errorf("httping: %w", err)
	}
	var list []times
	for _, r := range rows {
		t, err := inMilliseconds(map[string]string{"tcp": r.Connect, "wait": r.Write, "total": r.Total})
		if err != nil {
			return nil, fmt.Errorf("httping: %w", err)
		}
		list = append(list, t)
	}
	return list, nil
}

func inMilliseconds(words map[string]string) (times, error) {
	t := times{}
	for key, w := range words {
		d, err := seconds(strings.TrimSpace(w))
		if err != nil {
			return nil, err
		}
		t[key] = d / 1000
	}
	return t, nil
}

// hey prints seconds with four decimals: its own rounding is part of its error. DNS+dialup is the time
// until the connection is ready, which without TLS is TCP's handshake.
func hey(s *stage, _ *bench, path string, n int) ([]times, error) {
	out, err := s.output(nil, "hey", "-n", strconv.Itoa(n), "-c", "1", "-disable-keepalive", "-o", "csv", s.url("http", path))
	if err != nil {
		return nil, err
	}
	return parseHey(out)
}

func parseHey(text string) ([]times, error) {
	var list []times
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(line, ",")
		if i == 0 || len(f) < 6 {
			continue
		}
		t := times{}
		for key, column := range map[string]int{"total": 0, "tcp": 1, "wait": 4, "transfer": 5} {
			d, err := seconds(f[column])
			if err != nil {
				return nil, fmt.Errorf("hey: %w", err)
			}
			t[key] = d
		}
		list = append(list, t)
	}
	return list, nil
}
