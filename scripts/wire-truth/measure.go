//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// cell is the errors of one tool under one condition.
type cell struct {
	condition condition
	tool      tool
	errors    map[string][]time.Duration // by column, ascending
	unread    int                        // exchanges whose packets could not be read
	missing   error
}

// session is what one tool reported, and when it ran.
type session struct {
	tool       tool
	began, end time.Duration // since the epoch
	reported   []times
	missing    error
}

// row measures every tool under one condition and compares with the wire afterwards: nothing else works
// while a tool does. Where round trips are long the tools do nothing but wait, so there the stages are
// used side by side, each for a part of the tools.
func (b *bench) row(stages []*stage, c condition, tools []tool) ([]cell, error) {
	tools = slices.DeleteFunc(slices.Clone(tools), func(t tool) bool { return !c.suits(t) })
	parts := [][]tool{tools}
	if c.rtt >= longTrip {
		parts = dealt(tools)
	}
	watched := make([][]session, len(parts))
	errs := make([]error, len(parts))
	var group sync.WaitGroup
	for i, part := range parts {
		group.Go(func() { watched[i], errs[i] = b.sessions(stages[i], c, part) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var cells []cell
	for i, sessions := range watched {
		wire, err := stages[i].witnessed(stages[i].capture())
		if err != nil {
			return nil, err
		}
		cells = append(cells, judge(c, sessions, wire)...)
	}
	return cells, nil
}

// fill measures again, once, what could not be matched with the wire: two QUIC connections from one port,
// say, that look like one.
func (b *bench) fill(stages []*stage, c condition, row []cell) {
	for i, empty := range row {
		if empty.missing == nil || errors.Is(empty.missing, errNotInstalled) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s over %s is measured again: %v\n", empty.tool.name, empty.tool.protocol, empty.missing)
		again, err := b.row(stages, c, []tool{empty.tool})
		if err == nil && len(again) == 1 {
			row[i] = again[0]
		}
	}
}

// longTrip is the round trip time from which on tools wait more than nine tenths of their time.
const longTrip = 50 * time.Millisecond

// dealt parts the tools: plain HTTP to one stage, TLS and QUIC to the other.
func dealt(tools []tool) [][]tool {
	parts := make([][]tool, lanes)
	for _, t := range tools {
		i := 0
		if t.protocol != "http" {
			i = 1
		}
		parts[i] = append(parts[i], t)
	}
	return slices.DeleteFunc(parts, func(part []tool) bool { return len(part) == 0 })
}

// sessions measures tools one after the other under the eyes of one witness.
func (b *bench) sessions(s *stage, c condition, tools []tool) (sessions []session, err error) {
	os.Remove(s.keys)
	err = watch(s.client, s.capture(), func() error {
		for _, t := range tools {
			one, err := b.session(s, c, t)
			if err != nil {
				return fmt.Errorf("%s over %s: %w", t.name, t.protocol, err)
			}
			sessions = append(sessions, one)
		}
		return nil
	})
	return sessions, err
}

// suits reports whether a tool takes part: long answers are compared with curl alone.
func (c condition) suits(t tool) bool {
	return c.path == smallPath || t.name == "coldsplit" || t.name == "curl"
}

func (b *bench) session(s *stage, c condition, t tool) (session, error) {
	one := session{tool: t, began: time.Duration(time.Now().UnixNano())}
	var err error
	one.reported, err = t.measure(s, b, c.path, c.n)
	one.end = time.Duration(time.Now().UnixNano())
	if errors.Is(err, errNotInstalled) {
		one.missing, err = err, nil
	}
	return one, err
}

// capture is the file that the witness writes.
func (s *stage) capture() string { return filepath.Join(s.dir, "wire.pcap") }

// witnessed are the true times of a capture.
func (s *stage) witnessed(capture string) ([]exchange, error) {
	keys := s.keys
	if _, err := os.Stat(keys); err != nil {
		keys = ""
	}
	packets, err := decode(capture, keys)
	if err != nil {
		return nil, err
	}
	return truths(packets), nil
}

// judge gives every tool the connections opened while it ran, in order.
func judge(c condition, sessions []session, wire []exchange) []cell {
	var cells []cell
	for _, one := range sessions {
		result := cell{condition: c, tool: one.tool, missing: one.missing}
		if one.missing == nil {
			result.errors, result.unread, result.missing = compare(one.reported, during(wire, one.began, one.end))
		}
		cells = append(cells, result)
	}
	return cells
}

func during(wire []exchange, began, end time.Duration) []exchange {
	return slices.DeleteFunc(slices.Clone(wire), func(x exchange) bool { return x.opened < began || x.opened > end })
}

// mostUnread is the share of a tool's exchanges, in percent, that may be unreadable.
const mostUnread = 2

// compare pairs the nth exchange reported with the nth connection on the wire.
func compare(reported []times, wire []exchange) (diffs map[string][]time.Duration, unread int, err error) {
	if len(reported) != len(wire) || len(wire) == 0 {
		return nil, 0, fmt.Errorf("%d exchanges reported, %d connections on the wire", len(reported), len(wire))
	}
	diffs = map[string][]time.Duration{}
	for i, r := range reported {
		if wire[i].unread != nil {
			unread, err = unread+1, wire[i].unread
			continue
		}
		for _, column := range columns {
			said, ok := r[column]
			was, seen := wire[i].times[column]
			if ok && seen {
				diffs[column] = append(diffs[column], (said - was).Abs())
			}
		}
	}
	if unread*100 > mostUnread*len(wire) {
		return nil, unread, fmt.Errorf("%d of %d connections could not be read: %w", unread, len(wire), err)
	}
	for _, d := range diffs {
		slices.Sort(d)
	}
	return diffs, unread, nil
}
