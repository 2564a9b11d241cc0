package provider

import (
	"iter"
	"math/bits"
	"slices"
	"sync"
)

// library is all rules with what is looked up in them often.
type library struct {
	families  []*family // as listed
	layered   []*family // the outermost layer first; what a familySet is of
	canonical *family
	mapped    *family
	headers   []string // every header name read, sorted
	byHeader  map[string]*entry
	byMetric  map[string]*entry
	always    familySet
}

// entry is the name of a header or a metric, and which families are known by it.
type entry struct {
	id    int       // of both kinds together
	plain familySet // known by its being there
	texts []textSign
	tests []testSign
}

type textSign struct {
	text string
	of   familySet
}

type testSign struct {
	test condition
	of   familySet
}

// familySet is a set of the library's layered families.
type familySet uint64

// nameSet is a set of entries.
type nameSet [8]uint64

func (s *nameSet) add(id int)      { s[id/64] |= 1 << (id % 64) }
func (s *nameSet) has(id int) bool { return s[id/64]>>(id%64)&1 != 0 }

// book builds the rules once; they are never changed afterwards.
var book = sync.OnceValue(func() *library {
	own := canonical()
	b := &library{canonical: &own, mapped: &family{name: mappingName, layer: LayerNamed},
		byHeader: map[string]*entry{}, byMetric: map[string]*entry{}}
	for _, f := range families() {
		b.families = append(b.families, &f)
	}
	b.layered = slices.Clone(b.families)
	slices.SortStableFunc(b.layered, func(x, y *family) int { return int(x.layer) - int(y.layer) })
	for _, name := range []string{"server-timing", "age", "server", "via"} {
		b.header(name)
		b.headers = append(b.headers, name)
	}
	b.enterRules(b.canonical)
	for i, f := range b.layered {
		b.enterRules(f)
		b.enterSigns(f, familySet(1)<<i)
	}
	slices.Sort(b.headers)
	b.headers = slices.Compact(b.headers)
	return b
})

func (b *library) header(name string) *entry {
	if b.byHeader[name] == nil {
		b.byHeader[name] = b.newEntry()
	}
	return b.byHeader[name]
}

func (b *library) metric(name string) *entry {
	if b.byMetric[name] == nil {
		b.byMetric[name] = b.newEntry()
	}
	return b.byMetric[name]
}

func (b *library) newEntry() *entry { return &entry{id: len(b.byHeader) + len(b.byMetric)} }

func (b *library) enterRules(f *family) {
	for i := range f.rules {
		r := &f.rules[i]
		r.source = r.name()
		if r.header != "" {
			r.id = b.header(r.header).id
			b.headers = append(b.headers, r.header)
		} else {
			r.id = b.metric(r.metric).id
		}
	}
}

func (b *library) enterSigns(f *family, me familySet) {
	if f.sign == nil {
		b.always |= me
	}
	for _, s := range f.sign {
		e := b.entryOf(s)
		switch {
		case s.text != "":
			e.texts = append(e.texts, textSign{s.text, me})
		case s.test != nil:
			e.tests = append(e.tests, testSign{s.test, me})
		default:
			e.plain |= me
		}
	}
}

func (b *library) entryOf(s sign) *entry {
	if s.header != "" {
		return b.header(s.header)
	}
	return b.metric(s.metric)
}

// of goes through the families of a set, the outermost layer first.
func (b *library) of(set familySet) iter.Seq[*family] {
	return func(yield func(*family) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(b.layered[bits.TrailingZeros64(uint64(set))]) {
				return
			}
		}
	}
}

// Headers returns the lower-case names of all headers the rules read, sorted,
// without duplicates. Whoever stores responses keeps these.
func Headers() []string { return slices.Clone(book().headers) }

// Names returns the names of all providers that have rules, in the order in
// which they are taken to stand from the client inwards.
func Names() []string {
	var names []string
	for _, f := range book().families {
		names = append(names, f.name)
	}
	return names
}
