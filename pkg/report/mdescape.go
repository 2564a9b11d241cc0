package report

import (
	"strings"
	"unicode"
)

// special are the characters that mean something inside a line of GitHub flavoured Markdown or of
// its tables. A backslash before each takes the meaning away (CommonMark section 2.4).
const special = "\\`*_[]<|~&"

// prose escapes text for a line of Markdown and turns what [Codes] marked into code spans. It keeps
// the author's line ends.
func prose(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, string(codeOpen))
		b.WriteString(escapeLines(before))
		if !found {
			return b.String()
		}
		code, after, _ := strings.Cut(rest, string(codeClose))
		b.WriteString(tableSafe(codeSpan(code)))
		s = after
	}
}

// tableSafe keeps a bar inside code from ending a table cell; outside tables GitHub shows the
// backslash, which is the lesser evil.
func tableSafe(code string) string { return strings.ReplaceAll(code, "|", `\|`) }

func escapeLines(s string) string {
	var b strings.Builder
	text := []rune(plain(s))
	for i, r := range text {
		if strings.ContainsRune(special, r) && !insideWord(text, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// insideWord reports whether text[i] is an underscore between letters or digits, where it cannot
// open or close emphasis (CommonMark section 6.2): edge_rtt reads better than edge\_rtt.
func insideWord(text []rune, i int) bool {
	return text[i] == '_' && i > 0 && i+1 < len(text) && isWord(text[i-1]) && isWord(text[i+1])
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// codeSpan wraps s in more backticks than it has in a row (CommonMark section 6.1).
func codeSpan(s string) string {
	s = Clean(s)
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 || strings.TrimSpace(s) == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// guardLine keeps a line of prose from being read as the start of something else: a list, a heading,
// a quotation, an underline.
func guardLine(line string) string {
	digits := strings.TrimLeftFunc(line, unicode.IsDigit)
	switch {
	case line == "":
		return line
	case strings.ContainsRune("#>=", rune(line[0])),
		strings.ContainsRune("-+", rune(line[0])) && (len(line) == 1 || strings.ContainsRune(" -", rune(line[1]))):
		return `\` + line
	case digits != line && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")):
		return line[:len(line)-len(digits)] + `\` + digits
	}
	return line
}
