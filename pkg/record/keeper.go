package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Removed stands wherever a secret stood.
const Removed = "***"

// MaxFieldBytes is how much of the header and trailer fields of one exchange is kept, names and
// values together.
const MaxFieldBytes = 16 << 10

// Keeper decides which header and trailer fields enter a record, and makes them safe to keep. These
// are kept, in this order while they fit into [MaxFieldBytes]:
//
//   - names asked for: what a provider's headers, --map, --by, --place, --instance or --keep-header name;
//   - names with a word that speaks of time, place, cache, limits or instances (x-app-preforward-ms,
//     x-do-colo, ratelimit-remaining), and those that tell what was served (content-type);
//   - every name, when "*" was asked for.
//
// Whatever asks for it, the value of a carrier of secrets (Set-Cookie, Cookie, Authorization, a
// name with a word such as token or session) is [Removed], the query of Location and of other URLs
// loses its values, and credentials inside other values are removed. A carrier nobody asked for is
// not kept at all. The zero Keeper keeps by words alone. A Keeper keeps the same names as
// long as it lives and is safe for concurrent use; it must not be copied.
type Keeper struct {
	asked map[string]bool
	all   bool

	mu    sync.Mutex // guards known
	known map[string]verdict
}

// verdict is what a name alone decides.
type verdict struct {
	keep bool
	rank int // the lowest first
	kind valueKind
}

// maxKnown bounds the verdicts remembered: a server may send other names each time.
const maxKnown = 4096

// NewKeeper returns a Keeper that keeps the names given as well, in any case; "*" is every name.
func NewKeeper(names ...string) *Keeper {
	k := &Keeper{asked: map[string]bool{}}
	for _, name := range names {
		if name == "*" {
			k.all = true
			continue
		}
		k.asked[strings.ToLower(strings.TrimSpace(name))] = true
	}
	return k
}

// Keep returns what may be stored of one exchange's header and trailer fields, and a note for each
// thing a reader of the record should know: fields left out for room. It neither changes nor keeps
// its arguments; names may be in any case.
func (k *Keeper) Keep(header, trailer map[string][]string) (headers, trailers Fields, notes []string) {
	room := MaxFieldBytes
	headers, room, left := k.fit(header, room)
	trailers, _, leftToo := k.fit(trailer, room)
	if left += leftToo; left > 0 {
		fields := "fields"
		if left == 1 {
			fields = "field"
		}
		notes = append(notes, fmt.Sprintf("%d header %s left out: an exchange keeps %d KiB of them", left, fields, MaxFieldBytes>>10))
	}
	return headers, trailers, notes
}

// fit keeps the fields that fit, the most wanted first and then by name, so that the same answer
// always gives the same record.
func (k *Keeper) fit(in map[string][]string, room int) (out Fields, rest, left int) {
	for _, c := range k.choose(in) {
		size := c.size()
		if size > room {
			left++
			continue
		}
		if out == nil {
			out = Fields{}
		}
		out[c.name] = append(out[c.name], c.values...)
		room -= size
	}
	return out, room, left
}

type candidate struct {
	rank   int
	name   string
	raw    string // as it came, in any case
	values []string
}

func (c candidate) size() int {
	n := len(c.name)
	for _, v := range c.values {
		n += len(v)
	}
	return n
}

func (k *Keeper) choose(in map[string][]string) []candidate {
	all := make([]candidate, 0, len(in))
	for raw, values := range in {
		name := strings.ToLower(raw)
		if v := k.verdict(name); v.keep && len(values) > 0 {
			all = append(all, candidate{v.rank, name, raw, safeValues(v.kind, values)})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(a.rank-b.rank, strings.Compare(a.name, b.name), strings.Compare(a.raw, b.raw))
	})
	return all
}

// verdict remembers its answers: going through the word lists costs more than all else about a
// field, and one run sees the same few names over and over.
func (k *Keeper) verdict(name string) verdict {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.known[name]
	if ok {
		return v
	}
	if k.known == nil || len(k.known) >= maxKnown {
		k.known = map[string]verdict{}
	}
	v = k.decide(name)
	k.known[name] = v
	return v
}

func (k *Keeper) decide(name string) verdict {
	kind := kindOf(name)
	switch {
	case k.asked[name]:
		return verdict{true, 0, kind}
	case kind != secretValues && speaksOfTopic(name):
		return verdict{true, 1, kind}
	}
	return verdict{k.all, 2, kind}
}

// Keeps reports whether a field of this name is kept while there is room.
func (k *Keeper) Keeps(name string) bool { return k.verdict(strings.ToLower(name)).keep }
