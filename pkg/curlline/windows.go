package curlline

import (
	"errors"
	"fmt"
	"strings"
)

// splitCmd undoes cmd.exe's quoting, then that of the C runtime which makes arguments of what is
// left: the two know different quotes and different escapes.
func splitCmd(text string) (line, error) {
	plain, dropped, err := undoCmd(text)
	if err != nil {
		return line{}, err
	}
	words, err := runtimeWords(plain)
	return line{words: words, dropped: dropped}, err
}

// undoCmd removes carets and finds where the command ends. A quote cmd.exe sees switches carets and
// operators off; one behind a caret is nothing to it.
func undoCmd(text string) (plain, dropped string, err error) {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			quoted = !quoted
			b.WriteByte(c)
		case quoted:
			b.WriteByte(c)
		case c == '^':
			i += caret(text[i+1:], &b)
		case c == '\n' && strings.HasPrefix(strings.TrimSpace(text[i:]), "-"):
			b.WriteByte(' ')
		case c == '&' || c == '|' || c == '\n':
			return b.String(), droppedAt(text, i), nil
		case c == '<' || c == '>':
			return "", "", fmt.Errorf("an unquoted %q: redirections are not followed here", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", nil
}

// caret writes what a caret before s escapes and returns how much of s that took. Before the end
// of a line it continues the line and escapes the byte after it, a line break if there is one.
func caret(s string, b *strings.Builder) int {
	trimmed := strings.TrimLeft(s, " \t")
	if trimmed != s && strings.HasPrefix(trimmed, "\n") {
		b.WriteByte(' ')
		return len(s) - len(trimmed) + 1
	}
	switch {
	case s == "":
		return 0
	case s[0] != '\n':
		b.WriteByte(s[0])
		return 1
	case len(s) == 1:
		return 1
	case s[1] == '^':
		return 1
	}
	b.WriteByte(s[1])
	return 2
}

// runtimeWords splits as the Microsoft C runtime does: 2n backslashes and a quote are n backslashes
// and a quote that switches, 2n+1 are n and a quote that is one, and "" inside quotes is a quote.
func runtimeWords(text string) (words []string, err error) {
	var b strings.Builder
	quoted, inWord := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\':
			n, isQuote := backslashes(text[i:])
			i += n - 1
			inWord = true
			if !isQuote {
				b.WriteString(strings.Repeat(`\`, n))
				break
			}
			b.WriteString(strings.Repeat(`\`, n/2))
			if n%2 == 1 {
				b.WriteByte('"')
				i++
			}
		case c == '"' && quoted && strings.HasPrefix(text[i+1:], `"`):
			b.WriteByte('"')
			i++
		case c == '"':
			quoted, inWord = !quoted, true
		case !quoted && (c == ' ' || c == '\t' || c == '\n'):
			if inWord {
				words = append(words, b.String())
			}
			b.Reset()
			inWord = false
		default:
			inWord = true
			b.WriteByte(c)
		}
	}
	if quoted {
		return nil, errors.New("a double quote is not closed")
	}
	if inWord {
		words = append(words, b.String())
	}
	return words, nil
}

func backslashes(s string) (n int, beforeQuote bool) {
	for n < len(s) && s[n] == '\\' {
		n++
	}
	return n, n < len(s) && s[n] == '"'
}

// powerShell splits a line of PowerShell; its escape is the backtick.
type powerShell struct {
	text   string
	at     int
	getenv func(string) (string, bool)
	word   strings.Builder
	inWord bool
	out    line
}

func splitPowerShell(text string, getenv func(string) (string, bool)) (line, error) {
	p := &powerShell{text: text, getenv: getenv}
	for p.at < len(p.text) && p.out.dropped == "" {
		if err := p.step(); err != nil {
			return line{}, err
		}
	}
	p.endWord()
	for i, word := range p.out.words {
		// A program's own parser removes one level of \" behind PowerShell's back.
		p.out.words[i] = strings.ReplaceAll(word, `\"`, `"`)
	}
	return p.out, nil
}

func (p *powerShell) step() error {
	c := p.text[p.at]
	p.at++
	switch c {
	case ' ', '\t':
		p.endWord()
	case '\n', '|', ';':
		p.endWord()
		if rest := strings.TrimSpace(p.text[p.at:]); c != '\n' || !strings.HasPrefix(rest, "-") {
			p.out.dropped = droppedAt(p.text, p.at-1)
			p.at = len(p.text)
		}
	case '\'', '"':
		return p.quote(c)
	case '`':
		p.escape()
	case '$':
		return p.variable()
	default:
		p.put(string([]byte{c}))
	}
	return nil
}

func (p *powerShell) put(s string) {
	p.inWord = true
	p.word.WriteString(s)
}

func (p *powerShell) endWord() {
	if p.inWord {
		p.out.words = append(p.out.words, p.word.String())
	}
	p.word.Reset()
	p.inWord = false
}

// quote reads up to the closing mark, which doubled stands for itself.
func (p *powerShell) quote(mark byte) error {
	p.put("")
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == mark && strings.HasPrefix(p.text[p.at:], string(mark)):
			p.put(string(mark))
			p.at++
		case c == mark:
			return nil
		case c == '`' && mark == '"':
			p.escape()
		case c == '$' && mark == '"':
			if err := p.variable(); err != nil {
				return err
			}
		default:
			p.put(string([]byte{c}))
		}
	}
	return fmt.Errorf("a quote %c is not closed", mark)
}

func (p *powerShell) escape() {
	if p.at == len(p.text) {
		return
	}
	c := p.text[p.at]
	p.at++
	const letters, values = "0abefnrtv", "\x00\a\b\x1b\f\n\r\t\v"
	switch i := strings.IndexByte(letters, c); {
	case c == '\n':
	case i >= 0:
		p.put(values[i : i+1])
	default:
		p.put(string([]byte{c}))
	}
}

// variable reads $env:NAME; other variables live in a session we do not have.
func (p *powerShell) variable() error {
	rest := p.text[p.at:]
	if name, ok := strings.CutPrefix(rest, "env:"); ok && p.getenv != nil {
		name = name[:nameLength(name)]
		if value, ok := p.getenv(name); ok {
			p.put(value)
			p.at += len("env:") + len(name)
			return nil
		}
	}
	name := strings.TrimPrefix(rest, "env:")
	if name = name[:nameLength(name)]; name == "" {
		p.put("$")
		return nil
	}
	return fmt.Errorf("variable $%s has no value here", name)
}
