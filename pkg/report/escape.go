package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from outside safe to show: characters that act instead of being seen (controls,
// terminal escapes, bidirectional controls, invisible and private ones, a pile of combining marks)
// and bytes that are no UTF-8 become visible escapes: \x1b, \u{202e}. What can be seen stays as it
// is, so Clean(Clean(s)) == Clean(s). All formats use it; each adds what its own syntax needs.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	marks := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		marks = markRun(marks, r)
		if r == utf8.RuneError && size == 1 || hidden(r) || marks > maxMarks {
			b.WriteString(escaped(r, s[i:i+size]))
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// maxMarks is how many combining marks may sit on one letter; scripts in use need two, and a pile of
// them covers the lines above.
const maxMarks = 3

func markRun(marks int, r rune) int {
	if unicode.Is(unicode.M, r) {
		return marks + 1
	}
	return 0
}

func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// blanks are letters by their Unicode category that show nothing.
const blanks = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5"

// hidden reports whether r acts on its surroundings or cannot be seen. unicode.IsPrint is false for
// controls, format characters (the bidirectional controls of UAX 9 among them), private use,
// unassigned ones and every space but the plain one.
func hidden(r rune) bool {
	return !unicode.IsPrint(r) || strings.ContainsRune(blanks, r) || r >= 0xfe00 && r <= 0xfe0f
}

func escaped(r rune, raw string) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u{%04x}`, r)
}

// ASCII is Clean with everything outside ASCII escaped as well, for the columns whose width must not
// depend on the reader's terminal.
func ASCII(s string) string {
	s = Clean(s)
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(escaped(r, string(r)))
		}
	}
	return b.String()
}

// Clip is Clean cut to about limit characters, with a note that tells how many bytes there were:
// `abcdef... (cut, 65,536 bytes)`. A limit below 8 is 8.
func Clip(s string, limit int) string {
	limit = max(limit, 8)
	head := s[:min(len(s), limit*utf8.UTFMax)]
	cleaned := Clean(head)
	if len(head) == len(s) && utf8.RuneCountInString(cleaned) <= limit {
		return cleaned
	}
	return fmt.Sprintf("%s... (cut, %s bytes)", firstRunes(cleaned, limit), Thousands(int64(len(s))))
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

const codeOpen, codeClose = '\ue000', '\ue001'

// Codes marks s as a key, a header or a file name inside prose: code in Markdown, plain elsewhere.
func Codes(s string) string { return string(codeOpen) + s + string(codeClose) }

var dropCodes = strings.NewReplacer(string(codeOpen), "", string(codeClose), "")

// plain is prose without marks, escaped. Its line ends stay: they are the author's.
func plain(s string) string {
	lines := strings.Split(dropCodes.Replace(s), "\n")
	for i, line := range lines {
		lines[i] = Clean(line)
	}
	return strings.Join(lines, "\n")
}

// Thousands writes n with commas: 12,900.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
