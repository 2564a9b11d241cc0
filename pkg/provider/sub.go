package provider

import (
	"encoding/json"
	"strconv"
	"strings"
)

// subPart picks one part of a structured value; ok is false if there is none.
//
// A value that is a JSON object is asked for the key, or for a path of keys
// joined by dots. Otherwise the value is a list of words separated by commas,
// semicolons, ampersands or blanks outside quotes:
//
//	total=12; kv=3        #kv     3       NAME=VALUE
//	total: 12, kv: 3      #total  12      NAME: VALUE
//	total;dur=12, kv=3    #total  12      a metric's dur
//	FRA, LAX              #1      FRA     an element counted from the start,
//	FRA, LAX              #-1     LAX     or from the end, if nothing has that name
//
// Names are compared whatever their case; the first one counts.
func subPart(value, sub string) (part string, ok bool) {
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return jsonPart(value, strings.Split(sub, "."))
	}
	s := words{text: value}
	for s.more() {
		name, v, given := s.next()
		if !strings.EqualFold(name, sub) {
			continue
		}
		if given {
			return v, true
		}
		return s.durAfter()
	}
	return element(value, sub)
}

func jsonPart(value string, path []string) (string, bool) {
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.UseNumber()
	var node any
	if decoder.Decode(&node) != nil {
		return "", false
	}
	for _, key := range path {
		object, isObject := node.(map[string]any)
		if !isObject {
			return "", false
		}
		node = object[key]
	}
	switch leaf := node.(type) {
	case string:
		return leaf, true
	case json.Number:
		return leaf.String(), true
	}
	return "", false
}

// element returns the n-th of a comma-separated list; -1 is the last.
func element(value, sub string) (string, bool) {
	n, err := strconv.Atoi(sub)
	parts := strings.Split(value, ",")
	if n < 0 {
		n += len(parts) + 1
	}
	if err != nil || n < 1 || n > len(parts) {
		return "", false
	}
	part := strings.TrimSpace(parts[n-1])
	return part, part != ""
}

const wordEnds = ",;& \t"

// words walks the words of a value. Every call of next moves forward.
type words struct {
	text string
	pos  int
	sep  byte // the last separator passed that is no blank
}

func (w *words) more() bool {
	for w.pos < len(w.text) && strings.IndexByte(wordEnds, w.text[w.pos]) >= 0 {
		if c := w.text[w.pos]; c != ' ' && c != '\t' {
			w.sep = c
		}
		w.pos++
	}
	return w.pos < len(w.text)
}

// next reads NAME, or NAME and VALUE joined by "=" or ":" with blanks around.
func (w *words) next() (name, value string, given bool) {
	name = w.until(wordEnds + "=:")
	rest := strings.TrimLeft(w.text[w.pos:], " \t")
	if rest == "" || (rest[0] != '=' && rest[0] != ':') {
		return name, "", false
	}
	w.pos = len(w.text) - len(rest) + 1
	w.pos += len(w.text[w.pos:]) - len(strings.TrimLeft(w.text[w.pos:], " \t"))
	if w.pos < len(w.text) && w.text[w.pos] == '"' {
		return name, w.quoted(), true
	}
	return name, w.until(wordEnds), true
}

func (w *words) until(ends string) string {
	start := w.pos
	for w.pos < len(w.text) && strings.IndexByte(ends, w.text[w.pos]) < 0 {
		w.pos++
	}
	return w.text[start:w.pos]
}

func (w *words) quoted() string {
	body := w.text[w.pos+1:]
	end := strings.IndexByte(body, '"')
	if end < 0 {
		w.pos = len(w.text)
		return body
	}
	w.pos += end + 2
	return body[:end]
}

// durAfter reads the dur of a metric whose name was just read: a parameter
// before the next comma.
func (w *words) durAfter() (string, bool) {
	w.sep = 0
	for w.more() && w.sep == ';' {
		if name, value, given := w.next(); given && strings.EqualFold(name, "dur") {
			return value, true
		}
		w.sep = 0
	}
	return "", false
}
