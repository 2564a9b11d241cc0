package record

import (
	"bytes"
	"slices"
)

// patterns are those a Decoder has met last.
type patterns struct {
	known  []*pattern
	oldest int // of known, to be replaced next
	spent  int // on making them, less what they saved
}

const (
	mostPatterns = 8
	longestKept  = 8 << 10 // of the lines a pattern is made of

	// Making a pattern costs more than a line that follows one saves. Where hardly any two lines are
	// alike, they are soon read without.
	patternCost = 16
	mostSpent   = 64 * patternCost
)

// noted is what is known of the line under way while its fields are noted.
type noted struct {
	on     bool
	fields []fieldSpan
	names  []fieldSpan // of the objects under way
	plain  bool        // every key stands once, without escapes and white space around it
}

// whole decodes every field of a line.
func (d *Decoder) whole(line []byte, field func(key []byte)) {
	*d.x, d.sawTotal = Exchange{}, false
	d.s.reset(line)
	d.object(inExchange, 0, field)
	d.s.finish()
}

// unlike decodes a line that does not follow what the exchange held before, and returns the pattern that
// further lines may have in common with it, nil when there is none.
func (d *Decoder) unlike(line []byte) *pattern {
	for _, p := range d.patterns.known {
		if d.fits(line, p) {
			d.whole(line, d.exchangeField)
			return p
		}
	}
	if d.patterns.spent >= mostSpent || len(line) > longestKept {
		d.whole(line, d.exchangeField)
		return nil
	}
	d.patterns.spent += patternCost
	n := &d.noted
	n.on, n.plain, n.fields, n.names = true, true, n.fields[:0], n.names[:0]
	d.whole(line, d.exchangeField)
	n.on = false
	if !n.plain || d.s.err != nil {
		return nil
	}
	return d.patterns.add(line, n.fields, d.Skip)
}

// object reads an object that is part of an exchange and, while a line is noted, notes its fields.
func (d *Decoder) object(in owner, nth int, field func(key []byte)) {
	n := &d.noted
	if !n.on {
		d.s.object(field)
		return
	}
	outer := len(n.names)
	d.s.object(func(key []byte) {
		f := fieldSpan{key: d.s.i - len(`"":`) - len(key), value: d.s.i, at: place{in, nth, d.s.depth}}
		n.plain = n.plain && f.spells(d.s.b, key) && !has(n.names[outer:], d.s.b, key)
		n.names = append(n.names, f)
		parts := len(n.fields)
		field(key)
		if f.to = d.s.i; len(n.fields) == parts {
			n.fields = append(n.fields, f)
		}
	})
	n.names = n.names[:outer]
}

// value reads the nth value of the headers or trailers.
func (d *Decoder) value(in owner, nth int) string {
	f := fieldSpan{key: d.s.i - len(`"":`), value: d.s.i, at: place{in, nth, d.s.depth}}
	v := d.str()
	if f.to = d.s.i; d.noted.on {
		d.noted.fields = append(d.noted.fields, f)
	}
	return v
}

// spells reports whether key stands at f as a Writer writes it.
func (f fieldSpan) spells(line, key []byte) bool {
	return f.key > 0 && line[f.key] == '"' && line[f.value-2] == '"' && line[f.value-1] == ':' && bytes.Equal(f.name(line), key)
}

func (f fieldSpan) name(line []byte) []byte { return line[f.key+1 : f.value-2] }

func has(names []fieldSpan, line, key []byte) bool {
	for _, f := range names {
		if bytes.Equal(f.name(line), key) {
			return true
		}
	}
	return false
}

// add makes the pattern of a line. It takes the place of one with the same fields, of which it learns
// where lines differ.
func (all *patterns) add(line []byte, fields []fieldSpan, skip Parts) *pattern {
	p := &pattern{text: bytes.Clone(line), fields: slices.Clone(fields), skip: skip}
	at := slices.IndexFunc(all.known, p.alike)
	switch {
	case at >= 0:
		p.learn(all.known[at])
	case len(all.known) < mostPatterns:
		at, all.known = len(all.known), append(all.known, nil)
	default:
		at, all.oldest = all.oldest, (all.oldest+1)%mostPatterns
	}
	p.walk()
	all.known[at] = p
	return p
}

// alike reports whether q has the same fields.
func (p *pattern) alike(q *pattern) bool {
	return slices.EqualFunc(p.fields, q.fields, func(f, g fieldSpan) bool {
		return f.at == g.at && bytes.Equal(f.name(p.text), g.name(q.text))
	})
}

// learn marks the fields that differ from those of an earlier pattern that is alike.
func (p *pattern) learn(q *pattern) {
	for i, g := range q.fields {
		f := &p.fields[i]
		f.varies = g.varies || !bytes.Equal(p.text[f.value:f.to], q.text[g.value:g.to])
	}
}

// walk lays down the steps.
func (p *pattern) walk() {
	from := 0
	for _, f := range p.fields {
		if f.varies {
			p.steps = append(p.steps, step{before: p.text[from:f.value], name: f.name(p.text), at: f.at})
			from = f.to
		}
	}
	p.tail = p.text[from:]
}
