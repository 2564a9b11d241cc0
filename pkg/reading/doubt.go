package reading

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/coldsplit/coldsplit/pkg/provider"
	"github.com/coldsplit/coldsplit/pkg/segment"
)

// DoubtKind says what is wrong with a reported figure.
type DoubtKind uint8

// The kinds of doubt.
const (
	Warned      DoubtKind = iota // what pkg/provider warns of, in its words
	Stored                       // replayed from a cache: history, not used
	Questioned                   // the rule itself doubts the figure; not used
	TooLong                      // longer than the wait it should be part of; not used
	Seconds                      // a figure that fits as seconds only; not used
	SumTooLong                   // pre_forward and upstream together exceed the wait; neither used
	PartTooLong                  // a part of upstream exceeds it; upstream is left undivided
	Apart                        // network and origin do not make up upstream; network is the remainder
	Nested                       // inside another figure that is used; not added
	Rounded                      // exceeds what contains it by no more than rounding; used as the whole
	Overlap                      // with the round trip to the edge it exceeds the wait; used
	Inner                        // reported by something behind a silent edge; used
)

var doubtNames = [...]string{"warning", "from_storage", "questioned", "longer_than_wait", "looks_like_seconds", "sum_longer_than_wait",
	"part_longer_than_whole", "parts_apart", "nested", "rounded", "overlap", "inner"}

// String is the word JSON carries.
func (k DoubtKind) String() string { return doubtNames[k] }

// Used reports whether the figure is in the table in spite of the doubt.
func (k DoubtKind) Used() bool { return k == Apart || k == Rounded || k == Overlap || k == Inner }

// Doubt is a reported figure that was not used, or used with a reservation, and the evidence. The
// strings come from responses and are untrusted.
type Doubt struct {
	Kind   DoubtKind
	Key    segment.Key // the part concerned; Wait when it is none or all of them
	Source string      // header, or "server-timing: name"
	Text   string      // the figure as written, or the warning, of the first exchange
	Value  time.Duration
	Other  string        // Source of the figure it does not fit, or the name of the silent edge
	Limit  time.Duration // that figure, or the wait
	Used   bool
	N      int // exchanges
	Seq    int // send order of the first
}

func doubtOf(kind DoubtKind, k segment.Key, s, other *provider.Span) Doubt {
	d := Doubt{Kind: kind, Key: k, Source: s.Source, Text: s.Text, Value: s.Lo, Used: kind.Used()}
	if other != nil {
		d.Other, d.Limit = other.Source, other.Lo
	}
	return d
}

// rowDoubt is a doubt about one exchange, without memory of its own.
type rowDoubt struct {
	kind     DoubtKind
	key      segment.Key
	s, other *provider.Span
	wait     time.Duration
}

func (r rowDoubt) doubt() Doubt {
	d := doubtOf(r.kind, r.key, r.s, r.other)
	if r.other == nil || r.kind == SumTooLong {
		d.Limit = r.wait
	}
	if r.kind == SumTooLong {
		d.Value += r.other.Lo
	}
	return d
}

// looksLikeSeconds tells a figure in seconds that was taken for milliseconds: as milliseconds it is
// next to nothing of a wait it would fill by half or more as seconds. One such figure may be chance;
// [Arm] drops a part only when every exchange of it looks so.
func looksLikeSeconds(s *provider.Span, wait time.Duration) bool {
	const leastWait = 20 * time.Millisecond
	if s.Lo <= 0 || wait < leastWait || !strings.Contains(s.Text, ".") {
		return false
	}
	thousandfold := s.Lo * 1000
	return s.Lo < wait/500 && thousandfold >= wait/2 && thousandfold <= wait+provider.Tolerance(*s)
}

// doubts collects those of an arm: one for each kind and source.
type doubts struct{ list []Doubt }

// add counts d, which stands for the exchange seq.
func (l *doubts) add(d Doubt, seq int) {
	i := slices.IndexFunc(l.list, func(x Doubt) bool {
		return x.Kind == d.Kind && x.Source == d.Source && x.Key == d.Key && (d.Kind != Warned || alike(x.Text, d.Text))
	})
	if i < 0 {
		if len(l.list) >= maxValues {
			return
		}
		d.Seq = seq
		l.list, i = append(l.list, d), len(l.list)
	}
	l.list[i].N++
}

// alike compares two warnings but for the figures in them.
func alike(a, b string) bool {
	digits := func(r rune) bool { return r >= '0' && r <= '9' || r == '.' }
	return a == b || slices.Equal(strings.FieldsFunc(a, digits), strings.FieldsFunc(b, digits))
}

// sorted lists what was not used first, then by how many exchanges it concerns.
func (l *doubts) sorted() []Doubt {
	out := slices.Clone(l.list)
	slices.SortStableFunc(out, func(a, b Doubt) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.N, a.N), cmp.Compare(a.Source, b.Source))
	})
	return out
}

func rank(d Doubt) int {
	switch {
	case d.Kind == Warned:
		return 2
	case d.Used:
		return 1
	}
	return 0
}
