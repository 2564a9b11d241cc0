package curlline

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Dialect says whose quoting a line follows.
type Dialect int

// The dialects. Auto looks for what only one of them writes.
const (
	Auto Dialect = iota
	Bash
	Cmd
	PowerShell
)

// LineOptions are how a line is read; the zero value is useful.
type LineOptions struct {
	Dialect Dialect
	// Getenv gives the value of a variable the line uses, false for none; nil knows none. It has
	// the contract of os.LookupEnv.
	Getenv func(name string) (string, bool)
}

// line is a command split into words, and what the shell would do besides.
type line struct {
	words   []string
	dropped string // what follows the command
	outputs []string
}

// ParseLine reads a whole line as pasted, prompt and all, quoted for bash, cmd.exe or PowerShell.
// What follows the command (a pipe, another command) is not run and is named in Changes.
func ParseLine(text string, opts LineOptions) (*Request, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if err := notCurl(text); err != nil {
		return nil, err
	}
	seen := prompt().FindString(text)
	split, err := splitLine(text[len(seen):], opts.behind(seen))
	if err != nil {
		return nil, fmt.Errorf("curl line: %w", err)
	}
	args, err := arguments(split.words)
	if err != nil {
		return nil, fmt.Errorf("curl line: %w", err)
	}
	r, err := Parse(args)
	if err != nil {
		return nil, err
	}
	if split.dropped != "" {
		r.change(glimpse(split.dropped), "stands outside the command and is not run")
	}
	for _, name := range split.outputs {
		keptNowhere(r, "> "+name, name)
	}
	return r, nil
}

// behind lets a Windows prompt settle the dialect.
func (o LineOptions) behind(prompt string) LineOptions {
	switch {
	case o.Dialect != Auto:
	case strings.HasPrefix(prompt, "PS "):
		o.Dialect = PowerShell
	case strings.Contains(prompt, `:\\`):
		o.Dialect = Cmd
	}
	return o
}

func splitLine(text string, opts LineOptions) (line, error) {
	dialect := opts.Dialect
	if dialect == Auto {
		dialect = guess(text)
	}
	switch dialect {
	case Cmd:
		return splitCmd(text)
	case PowerShell:
		return splitPowerShell(text, opts.Getenv)
	}
	return splitBash(text, opts.Getenv)
}

func prompt() *regexp.Regexp { return regexp.MustCompile(`^(PS [^>\n]*>|[A-Z]:\\[^>\n]*>|[$%#>] )\s*`) }

// notCurl recognises what people copy by mistake.
func notCurl(text string) error {
	switch {
	case text == "":
		return errors.New("curl line: nothing in it")
	case strings.HasPrefix(text, "fetch("), strings.HasPrefix(text, "await fetch("):
		return errors.New(`curl line: this was copied as fetch, want "Copy as cURL"`)
	case strings.HasPrefix(text, "Invoke-WebRequest"), strings.HasPrefix(text, "$session = New-Object"):
		return errors.New(`curl line: this was copied as PowerShell, want "Copy as cURL"`)
	case strings.HasPrefix(text, "wget "):
		return errors.New("curl line: this is a line for wget")
	}
	for _, r := range text {
		if strings.ContainsRune("\u201c\u201d\u2018\u2019", r) && !strings.ContainsAny(text, `"'`) {
			return fmt.Errorf("curl line: %q is a typographic quote, want plain ones", r)
		}
	}
	return nil
}

// guess finds the dialect by its continuation lines and its way to quote a quote.
func guess(text string) Dialect {
	switch {
	case strings.Contains(text, "^\n"), strings.Contains(text, `^"`), strings.Contains(text, "^%^"):
		return Cmd
	case strings.Contains(text, "`\n"):
		return PowerShell
	case !strings.Contains(text, "'") && regexp.MustCompile(`[^\s\\]""[^\s\\]`).MatchString(text):
		return Cmd
	}
	return Bash
}

// arguments drops what stands before the command's own arguments. A line that starts with one of
// them was pasted behind the word curl.
func arguments(words []string) ([]string, error) {
	for i, word := range words {
		name := strings.TrimSuffix(strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:]), ".exe")
		switch {
		case name == "curl":
			return words[i+1:], nil
		case name == "sudo", name == "time", name == "command", name == "exec", name == "env", isAssignment(word), strings.Contains(word, "curl") && strings.HasPrefix(word, "&"):
			continue
		case i == 0 && (strings.HasPrefix(word, "-") || strings.Contains(word, "://")):
			return words, nil
		}
		return nil, fmt.Errorf("starts with %q, want curl", abridged(word))
	}
	return nil, errors.New("no curl in it")
}

func isAssignment(word string) bool { return regexp.MustCompile(`^[A-Za-z_]\w*=`).MatchString(word) }

// droppedAt is the text from i on, or nothing when only separators are left.
func droppedAt(text string, i int) string {
	if strings.Trim(text[i:], "&|;\n ") == "" {
		return ""
	}
	return strings.TrimSpace(text[i:])
}

// glimpse shows no more of what is left out than its first word, and of that no value: a pipe may
// lead into a command with secrets of its own, and an ampersand into the rest of a URL.
func glimpse(s string) string {
	at := len(s) - len(strings.TrimLeft(s, "&|; \n"))
	word, more, _ := strings.Cut(s[at:], " ")
	if name, _, ok := strings.Cut(word, "="); ok {
		word, more = name+"=", "..."
	}
	if more != "" {
		word += " ..."
	}
	return abridged(s[:at] + " " + word)
}

// abridged keeps a remark to one short line.
func abridged(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:37], "") + "..."
	}
	return s
}
