package provider

import (
	"slices"
	"sync"
)

// library is all rules with what is looked up in them often.
type library struct {
	families  []*family
	canonical *family
	headers   []string // every header name read, sorted
}

// book builds the rules once; they are never changed afterwards.
var book = sync.OnceValue(func() *library {
	own := canonical()
	b := &library{canonical: &own}
	for _, f := range families() {
		b.families = append(b.families, &f)
	}
	names := []string{"server-timing", "age", "server", "via"}
	for _, f := range b.families {
		for _, r := range f.rules {
			if r.header != "" {
				names = append(names, r.header)
			}
		}
	}
	slices.Sort(names)
	b.headers = slices.Compact(names)
	return b
})

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
