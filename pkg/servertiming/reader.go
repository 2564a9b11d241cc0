package servertiming

import "strings"

// reader walks one line. Every method moves pos forward or leaves it, and the
// callers' loops end at the end of the text: no input can make it loop.
type reader struct {
	field *Field
	line  int
	text  string
	pos   int
	cut   bool // text is the beginning of a longer line
}

// value is a parameter's value; given is false where the grammar's token or
// quoted-string is missing, which is not the same as an empty quoted-string.
type value struct {
	text  string
	given bool
}

func (r *reader) warn(w Warning) {
	w.Line = r.line
	r.field.warn(w)
}

// blanks skips OWS (RFC 9110 section 5.6.3).
func (r *reader) blanks() {
	for r.pos < len(r.text) && (r.text[r.pos] == ' ' || r.text[r.pos] == '\t') {
		r.pos++
	}
}

// peek returns the next byte that is no blank, 0 at the end.
func (r *reader) peek() byte {
	r.blanks()
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// take consumes c if it comes next, blanks aside.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.pos++
	return true
}

// token reads a token (RFC 9110 section 5.6.2), "" if there is none.
func (r *reader) token() string {
	start := r.pos
	for r.pos < len(r.text) && isTokenChar(r.text[r.pos]) {
		r.pos++
	}
	return r.text[start:r.pos]
}

func isTokenChar(c byte) bool { return tokenChars[c] }

var tokenChars = func() (is [256]bool) {
	for _, c := range []byte("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		is[c] = true
	}
	return is
}()

// value reads "=" and a token or quoted-string after a parameter's name.
func (r *reader) value() value {
	if !r.take('=') {
		return value{}
	}
	if r.peek() == '"' {
		text, closed := r.quoted()
		return value{text: text, given: closed}
	}
	text := r.token()
	return value{text: text, given: text != ""}
}

// quoted reads a quoted-string (RFC 9110 section 5.6.4). One that is never
// closed takes the rest of the line with it and yields nothing.
func (r *reader) quoted() (text string, closed bool) {
	start := r.pos + 1
	end := start
	escaped := false
	for end < len(r.text) && r.text[end] != '"' {
		if r.text[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	if end >= len(r.text) {
		r.pos = len(r.text)
		r.warn(Warning{Kind: UnclosedQuote, Text: r.text[min(start, len(r.text)):]})
		return "", false
	}
	r.pos = end + 1
	if escaped {
		return unescape(r.text[start:end]), true
	}
	return r.text[start:end], true
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// junk skips to the next ";" or "," outside quotes and returns what it skipped.
func (r *reader) junk() string {
	r.blanks()
	start := r.pos
	for r.pos < len(r.text) && r.text[r.pos] != ';' && r.text[r.pos] != ',' {
		r.step()
	}
	return strings.TrimRight(r.text[start:r.pos], " \t")
}

// step passes one byte, or one whole quoted-string.
func (r *reader) step() {
	if r.text[r.pos] == '"' {
		r.quoted()
		return
	}
	r.pos++
}
