package curlline

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bash splits by the rules of POSIX shells (XCU section 2.2) and the $'..' quotes of POSIX.1-2024
// that browsers write.
type bash struct {
	text   string
	at     int
	getenv func(string) (string, bool)
	word   strings.Builder
	inWord bool
	quoted bool
	out    line
}

func splitBash(text string, getenv func(string) (string, bool)) (line, error) {
	b := &bash{text: text, getenv: getenv}
	for b.at < len(b.text) && b.out.dropped == "" {
		if err := b.step(); err != nil {
			return line{}, err
		}
	}
	b.endWord()
	return b.out, nil
}

func (b *bash) step() error {
	c := b.text[b.at]
	b.at++
	switch c {
	case ' ', '\t':
		b.endWord()
	case '\n':
		b.endWord()
		b.newline()
	case '\'':
		return b.single()
	case '"':
		return b.double()
	case '\\':
		return b.backslash()
	case '$':
		return b.dollar(false)
	case '`':
		return errors.New("`...` would run a command, which is not done here")
	case '|', ';', '&':
		return b.operator()
	case '>':
		return b.output()
	case '<':
		return errors.New("input by <: name the file in -d @FILE or -T FILE instead")
	case '(', ')':
		return fmt.Errorf("an unquoted %q is no part of a command", c)
	case '#':
		b.comment()
	default:
		b.put(string([]byte{c}))
	}
	return nil
}

func (b *bash) put(s string) {
	b.inWord = true
	b.word.WriteString(s)
}

func (b *bash) endWord() {
	if b.inWord {
		b.out.words = append(b.out.words, b.word.String())
	}
	b.word.Reset()
	b.inWord, b.quoted = false, false
}

// newline ends the command, unless the next line goes on with an option: then a continuation mark
// was lost on the way.
func (b *bash) newline() {
	rest := strings.TrimSpace(b.text[b.at:])
	if len(b.out.words) > 0 && !strings.HasPrefix(rest, "-") {
		b.out.dropped = rest
		b.at = len(b.text)
	}
}

func (b *bash) comment() {
	if b.inWord {
		b.put("#")
		return
	}
	if end := strings.IndexByte(b.text[b.at:], '\n'); end >= 0 {
		b.at += end
		return
	}
	b.at = len(b.text)
}

func (b *bash) operator() error {
	if strings.HasPrefix(b.text[b.at-1:], "&>") {
		b.at++
		return b.output()
	}
	b.endWord()
	b.out.dropped = droppedAt(b.text, b.at-1)
	b.at = len(b.text)
	return nil
}

// output takes the target of > away; a number right before it is a file descriptor.
func (b *bash) output() error {
	if _, err := strconv.Atoi(b.word.String()); err == nil && !b.quoted {
		b.word.Reset()
		b.inWord = false
	}
	b.endWord()
	rest := strings.TrimLeft(b.text[b.at:], ">| \t")
	end := strings.IndexAny(rest, " \t\n;|")
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return errors.New("no file behind >")
	}
	if target := rest[:end]; !strings.HasPrefix(target, "&") {
		b.out.outputs = append(b.out.outputs, strings.Trim(target, `"'`))
	}
	b.at = len(b.text) - len(rest) + end
	return nil
}

func (b *bash) single() error {
	end := strings.IndexByte(b.text[b.at:], '\'')
	if end < 0 {
		return errors.New("a single quote is not closed")
	}
	b.put(b.text[b.at : b.at+end])
	b.quoted = true
	b.at += end + 1
	return nil
}

func (b *bash) double() error {
	b.put("")
	b.quoted = true
	for b.at < len(b.text) {
		c := b.text[b.at]
		b.at++
		switch {
		case c == '"':
			return nil
		case c == '\\' && b.at < len(b.text) && strings.IndexByte("$`\"\\\n", b.text[b.at]) >= 0:
			if b.text[b.at] != '\n' {
				b.put(b.text[b.at : b.at+1])
			}
			b.at++
		case c == '$':
			if err := b.dollar(true); err != nil {
				return err
			}
		case c == '`':
			return errors.New("`...` would run a command, which is not done here")
		default:
			b.put(string([]byte{c}))
		}
	}
	return errors.New("a double quote is not closed")
}

// backslash takes spaces behind a continuation mark for the end of the line: they are invisible in
// what was copied.
func (b *bash) backslash() error {
	rest := b.text[b.at:]
	if trimmed := strings.TrimLeft(rest, " \t"); trimmed == "" || trimmed[0] == '\n' {
		b.at = min(len(b.text), len(b.text)-len(trimmed)+1)
		if trimmed != rest {
			b.endWord()
		}
		return nil
	}
	_, size := utf8.DecodeRuneInString(rest)
	b.put(rest[:size])
	b.quoted = true
	b.at += size
	return nil
}

func (b *bash) dollar(inQuotes bool) error {
	rest := b.text[b.at:]
	switch {
	case strings.HasPrefix(rest, "'") && !inQuotes:
		b.at++
		return b.ansi()
	case strings.HasPrefix(rest, `"`) && !inQuotes:
		b.at++
		return b.double()
	case strings.HasPrefix(rest, "("):
		return errors.New("$(...) would run a command, which is not done here")
	case strings.HasPrefix(rest, "{"):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return errors.New("${ is not closed")
		}
		b.at += end + 1
		return b.variable(rest[1:end])
	}
	name := rest[:nameLength(rest)]
	if name == "" {
		b.put("$")
		return nil
	}
	b.at += len(name)
	return b.variable(name)
}

func nameLength(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

func (b *bash) variable(name string) error {
	if b.getenv != nil {
		if value, ok := b.getenv(name); ok {
			b.put(value)
			b.quoted = true
			return nil
		}
	}
	return fmt.Errorf("variable $%s has no value here", name)
}

// ansi reads $'..' up to its closing quote.
func (b *bash) ansi() error {
	b.put("")
	b.quoted = true
	for b.at < len(b.text) {
		c := b.text[b.at]
		b.at++
		switch c {
		case '\'':
			return nil
		case '\\':
			s, size := ansiEscape(b.text[b.at:])
			b.put(s)
			b.at += size
		default:
			b.put(string([]byte{c}))
		}
	}
	return errors.New("$' is not closed")
}

// ansiEscape returns what the escape at the start of s, behind its backslash, stands for and how
// long it is.
func ansiEscape(s string) (string, int) {
	if s == "" {
		return `\`, 0
	}
	const letters, values = `abeEfnrtv\'"?`, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
	if i := strings.IndexByte(letters, s[0]); i >= 0 {
		return values[i : i+1], 1
	}
	switch s[0] {
	case 'x':
		return ansiNumber(s, 1, 2, 16)
	case 'u':
		return ansiNumber(s, 1, 4, 16)
	case 'U':
		return ansiNumber(s, 1, 8, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return ansiNumber(s, 0, 3, 8)
	case 'c':
		if len(s) > 1 {
			return string([]byte{s[1] & 0x1f}), 2
		}
	}
	return `\` + s[:1], 1
}

// ansiNumber reads up to most digits behind skip bytes; \u and \U are code points, others bytes.
func ansiNumber(s string, skip, most, base int) (string, int) {
	end := skip
	for end < len(s) && end < skip+most {
		if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	n, err := strconv.ParseUint(s[skip:end], base, 32)
	if err != nil {
		return `\` + s[:1], 1
	}
	if most > 3 {
		return string(rune(n)), end
	}
	return string([]byte{byte(n)}), end
}
