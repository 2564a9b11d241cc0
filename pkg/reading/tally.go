package reading

import (
	"cmp"
	"slices"
	"strings"
)

// maxValues bounds a tally: what comes after is counted under Other, so that a header with a new
// value in every response costs no memory.
const maxValues = 64

// Other is the value under which a full Tally counts what it has no room for.
const Other = "other"

// Tally counts how often each of a few values was seen. The zero Tally is empty.
type Tally struct {
	shares []Share
	last   int // in shares: a run tends to repeat itself
}

// Share is one value of a tally and how often it was seen.
type Share struct {
	Value string
	N     int
}

// Add counts v once; an empty v is not counted.
func (t *Tally) Add(v string) {
	if v == "" {
		return
	}
	if t.last >= len(t.shares) || t.shares[t.last].Value != v {
		t.last = t.find(v)
	}
	t.shares[t.last].N++
}

// find returns the place of v, or of Other when v is new and there is no room.
func (t *Tally) find(v string) int {
	named := func(v string) int { return slices.IndexFunc(t.shares, func(s Share) bool { return s.Value == v }) }
	i := named(v)
	if i < 0 && len(t.shares) >= maxValues {
		v = Other
		i = named(v)
	}
	if i < 0 {
		t.shares = append(t.shares, Share{Value: strings.Clone(v)})
		i = len(t.shares) - 1
	}
	return i
}

// Shares lists the values, the most frequent first, equal ones in alphabetical order.
func (t *Tally) Shares() []Share {
	out := append([]Share{}, t.shares...)
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// Sum is the number of values counted.
func (t *Tally) Sum() int {
	sum := 0
	for _, s := range t.shares {
		sum += s.N
	}
	return sum
}

// Main is the most frequent value, "" when none was counted.
func (t *Tally) Main() string {
	if s := t.Shares(); len(s) > 0 {
		return s[0].Value
	}
	return ""
}

// Only is the value when there was just one, "" otherwise.
func (t *Tally) Only() string {
	if len(t.shares) != 1 {
		return ""
	}
	return t.Main()
}
