package load

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// Remaining is the least a rate-limit header said was left of some limit.
type Remaining struct {
	Header string
	Least  int64
	N      int // answers that carried it
}

// remainders keeps the least of every header that counts down a limit.
type remainders map[string]*Remaining

// mostRemainders bounds the names a server can make a ramp keep.
const mostRemainders = 16

func (m remainders) add(fields record.Fields) {
	for name, values := range fields {
		if !strings.Contains(name, "ratelimit-remaining") || len(values) == 0 {
			continue
		}
		left, err := strconv.ParseInt(strings.TrimSpace(values[0]), 10, 64)
		if err != nil {
			continue
		}
		m.note(name, left)
	}
}

func (m remainders) note(name string, left int64) {
	r := m[name]
	if r == nil {
		if len(m) >= mostRemainders {
			return
		}
		r = &Remaining{Header: strings.Clone(name), Least: left}
		m[r.Header] = r
	}
	r.Least = min(r.Least, left)
	r.N++
}

func (m remainders) list() []Remaining {
	var out []Remaining
	for _, r := range m {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Remaining) int { return cmp.Compare(a.Header, b.Header) })
	return out
}
