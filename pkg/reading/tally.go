package reading

import (
	"cmp"
	"slices"
)

// maxValues bounds a tally: what comes after is counted under Other, so that a header with a new
// value in every response costs no memory.
const maxValues = 64

// Other is the value under which a full Tally counts what it has no room for.
const Other = "other"

// Tally counts how often each of a few values was seen. The zero Tally is empty.
type Tally struct {
	n map[string]int
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
	if t.n == nil {
		t.n = make(map[string]int)
	}
	if _, known := t.n[v]; !known && len(t.n) >= maxValues {
		v = Other
	}
	t.n[v]++
}

// Shares lists the values, the most frequent first, equal ones in alphabetical order.
func (t *Tally) Shares() []Share {
	out := make([]Share, 0, len(t.n))
	for v, n := range t.n {
		out = append(out, Share{v, n})
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// Sum is the number of values counted.
func (t *Tally) Sum() int {
	sum := 0
	for _, n := range t.n {
		sum += n
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
	if len(t.n) != 1 {
		return ""
	}
	return t.Main()
}
