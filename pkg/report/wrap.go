package report

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text into lines of at most width characters at blanks, as far to the right as they
// allow. A percent sign stays with its number and a word longer than the width is cut. A line end in
// the text is kept, and so are the blanks of a line that fits. The result has at least one line; a width below 8 is 8.
func Wrap(text string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		lines = append(lines, wrapLine(paragraph, max(width, 8))...)
	}
	return lines
}

func wrapLine(text string, width int) []string {
	if runes(text) <= width {
		return []string{text}
	}
	var lines []string
	line := ""
	for _, word := range words(text) {
		if line != "" && runes(line)+1+runes(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		cut, rest := chop(word, width)
		lines, line = append(lines, cut...), rest
	}
	return append(lines, line)
}

// words splits at blanks, but "95 %:" is one word: a line that starts with a percent sign reads badly.
func words(text string) []string {
	var out []string
	for _, field := range strings.Fields(text) {
		if len(out) > 0 && strings.HasPrefix(field, "%") {
			out[len(out)-1] += " " + field
		} else {
			out = append(out, field)
		}
	}
	return out
}

// chop cuts whole lines off a word that is longer than one.
func chop(word string, width int) (lines []string, rest string) {
	for runes(word) > width {
		head := firstRunes(word, width)
		lines, word = append(lines, head), word[len(head):]
	}
	return lines, word
}

func runes(s string) int { return utf8.RuneCountInString(s) }
