//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// coldsplit measures with the real binary and reads its run file.
func coldsplit(scheme, protocol string) func(*stage, *bench, string, int) ([]times, error) {
	return func(s *stage, b *bench, path string, n int) ([]times, error) {
		run := filepath.Join(s.dir, "run.jsonl")
		_, err := s.output(nil, b.coldsplit, "probe", "-n", strconv.Itoa(n), "--interval", "1ms", "--http", protocol,
			"--cacert", s.ca, "--keylog", s.keys, "--save", run, s.url(scheme, path))
		if err != nil {
			return nil, err
		}
		defer os.Remove(run)
		return readRun(run)
	}
}

func readRun(path string) ([]times, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := record.NewReader(file, record.ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var list []times
	for {
		var x record.Exchange
		switch err := r.Next(&x); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		case x.Outcome != record.OK:
			return nil, fmt.Errorf("coldsplit: exchange %d is %s", x.Seq, x.Outcome)
		}
		list = append(list, timesOf(&x))
	}
}

// timesOf are an exchange's segments under the table's names.
func timesOf(x *record.Exchange) times {
	t := times{"total": x.Total}
	for key, k := range map[string]segment.Key{"tcp": segment.TCP, "wait": segment.Wait, "transfer": segment.Transfer} {
		if d, ok := x.Segments.Get(k); ok {
			t[key] = d
		}
	}
	for _, k := range []segment.Key{segment.TLS, segment.QUIC} {
		if d, ok := x.Segments.Get(k); ok {
			t["tls"] = d
		}
	}
	return t
}
