//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// row measures every tool under one condition, one after the other under the eyes of one witness, and
// compares with the wire afterwards: nothing else works while a tool does.
func (b *bench) row(s *stage, c condition, tools []tool) ([]cell, error) {
	capture := filepath.Join(s.dir, "wire.pcap")
	os.Remove(b.keys)
	var sessions []session
	err := watch(s.client, capture, func() error {
		for _, t := range tools {
			if !c.suits(t) {
				continue
			}
			one, err := b.session(s, c, t)
			if err != nil {
				return fmt.Errorf("%s over %s: %w", t.name, t.protocol, err)
			}
			sessions = append(sessions, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	wire, err := b.witnessed(capture)
	if err != nil {
		return nil, err
	}
	return judge(c, sessions, wire), nil
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

// witnessed are the true times of a capture.
func (b *bench) witnessed(capture string) ([]exchange, error) {
	keys := b.keys
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
