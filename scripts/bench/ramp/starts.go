package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"slices"
)

// bursts is how many bursts of parallel starts each server gets, each from a process of its own.
const (
	bursts   = 20
	atOnce   = 64
	patience = "300ms" // with a server that never answers
)

// burst is how far the starts of one burst lay apart, in milliseconds.
type burst struct{ p50, max, connected float64 }

// starts shows how far released starts lie apart: with nginx, which is woken by every connection and shares
// the processors, and with a listener that takes none of their time, as a server elsewhere would.
func (s settings) starts(w io.Writer) error {
	silent, stop, err := listenOnly()
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintf(w, "\n| starts of %d at once, ms; %d bursts each | skew p50 | skew max | first to last connected |\n|:--|--:|--:|--:|\n", atOnce, bursts)
	for _, server := range []struct{ name, url string }{
		{"nginx on the same processors", s.url},
		{"a listener that takes no processor time", silent},
	} {
		var all []burst
		for range bursts {
			one, err := s.burst(server.url)
			if err != nil {
				return fmt.Errorf("%s: %w", server.name, err)
			}
			all = append(all, one)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", server.name,
			spreadOf(all, func(b burst) float64 { return b.p50 }), spreadOf(all, func(b burst) float64 { return b.max }),
			spreadOf(all, func(b burst) float64 { return b.connected }))
	}
	return nil
}

// spreadOf is a figure's median over bursts, with the smallest and the largest.
func spreadOf(all []burst, get func(burst) float64) string {
	var values []float64
	for _, b := range all {
		values = append(values, get(b))
	}
	return fmt.Sprintf("%.1f (%.1f to %.1f)", median(values), slices.Min(values), slices.Max(values))
}

// burst sends one. That its requests fail is no error: the listener answers none.
func (s settings) burst(url string) (burst, error) {
	cmd := exec.Command(s.tool, "ramp", url, "-k", "--http", "1.1", "--stages", fmt.Sprint(atOnce), "--max-time", patience,
		"--keep-going", "--no-save", "-f", "json")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return burst{}, err
	}
	var got ramped
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Stages) != 1 {
		return burst{}, fmt.Errorf("no stage in its output (%v)\n%s", err, errs.Bytes())
	}
	start := got.Stages[0].Start
	return burst{start.P50 / 1e6, start.Max / 1e6, start.Connect / 1e6}, nil
}

// listenOnly is a server whose connections the kernel makes and nobody takes.
func listenOnly() (url string, stop func(), err error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("https://localhost:%d/", l.Addr().(*net.TCPAddr).Port), func() { l.Close() }, nil
}
