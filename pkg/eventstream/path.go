package eventstream

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Path leads to a value inside a JSON document, as in choices[0].delta.content. The zero value
// leads nowhere.
type Path struct {
	written string
	steps   []step
}

// step is a member name, an index, or every element.
type step struct {
	name  string
	index int // used when name is ""; allElements is every one
}

const allElements = -1

// ParsePath reads member names separated by dots, each followed by any number of [N] or [*]; a
// leading "$" or "." is allowed. Names with other characters are written ["like.this"].
func ParsePath(s string) (Path, error) {
	p := Path{written: s}
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "$"), ".")
	for rest != "" {
		var next step
		var err error
		if rest[0] == '[' {
			next, rest, err = bracket(rest)
		} else {
			next, rest, err = member(rest)
		}
		if err != nil {
			return Path{}, fmt.Errorf("path %q: %w", s, err)
		}
		p.steps = append(p.steps, next)
	}
	if len(p.steps) == 0 {
		return Path{}, fmt.Errorf("path %q: want member names, as in choices[0].delta.content", s)
	}
	return p, nil
}

func member(s string) (step, string, error) {
	end := strings.IndexAny(s, ".[")
	if end < 0 {
		end = len(s)
	}
	name := s[:end]
	if name == "" || strings.ContainsAny(name, "] \t\"'") {
		return step{}, "", fmt.Errorf("%q is no member name", name)
	}
	rest, err := afterStep(s[end:])
	return step{name: name}, rest, err
}

func bracket(s string) (step, string, error) {
	if name, rest, ok := quotedMember(s); ok {
		rest, err := afterStep(rest)
		return step{name: name}, rest, err
	}
	inside, rest, found := strings.Cut(s[1:], "]")
	if !found {
		return step{}, "", fmt.Errorf("%q has no closing bracket", s)
	}
	rest, err := afterStep(rest)
	if err != nil {
		return step{}, "", err
	}
	if inside == "*" {
		return step{index: allElements}, rest, nil
	}
	n, err := strconv.Atoi(inside)
	if err != nil || n < 0 {
		return step{}, "", fmt.Errorf("index %q is neither a number nor *", inside)
	}
	return step{index: n}, rest, nil
}

func quotedMember(s string) (name, rest string, ok bool) {
	if len(s) < 4 || (s[1] != '"' && s[1] != '\'') {
		return "", "", false
	}
	name, rest, ok = strings.Cut(s[2:], string(s[1])+"]")
	return name, rest, ok && name != ""
}

// afterStep takes the dot before the next name; at the end of a path there is none.
func afterStep(s string) (string, error) {
	if s == "" || s[0] == '[' {
		return s, nil
	}
	if s[0] != '.' || len(s) == 1 || s[1] == '.' || s[1] == '[' {
		return "", fmt.Errorf("%q does not go on with a member name", s)
	}
	return s[1:], nil
}

// String returns the path as it was written.
func (p Path) String() string { return p.written }

// IsZero reports whether p leads nowhere.
func (p Path) IsZero() bool { return len(p.steps) == 0 }

// Text returns the string p leads to in a JSON document, several joined when it has [*], and ""
// when there is none or the document is not JSON.
func (p Path) Text(document []byte) string {
	var value any
	if p.IsZero() || json.Unmarshal(document, &value) != nil {
		return ""
	}
	var b strings.Builder
	collect(value, p.steps, &b)
	return b.String()
}

func collect(value any, steps []step, b *strings.Builder) {
	if len(steps) == 0 {
		if s, ok := value.(string); ok {
			b.WriteString(s)
		}
		return
	}
	first, rest := steps[0], steps[1:]
	if first.name != "" {
		if object, ok := value.(map[string]any); ok {
			collect(object[first.name], rest, b)
		}
		return
	}
	list, _ := value.([]any)
	for i, element := range list {
		if first.index == allElements || first.index == i {
			collect(element, rest, b)
		}
	}
}
