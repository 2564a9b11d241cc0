package provider

import (
	"regexp"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// at makes a places reader of a pattern whose first group is the code. A value
// that does not match names no place.
func at(role PlaceRole, scheme geo.Scheme, pattern string) func(string) []site {
	re := regexp.MustCompile(pattern)
	return func(value string) []site {
		m := re.FindStringSubmatch(value)
		if m == nil {
			return nil
		}
		return []site{{role, m[1], scheme}}
	}
}

// after makes a places reader of values that end in a separator and a code of
// n letters between first and last.
func after(separator byte, n int, first, last byte, role PlaceRole, scheme geo.Scheme) func(string) []site {
	return func(value string) []site {
		start := len(value) - n
		if start < 1 || value[start-1] != separator {
			return nil
		}
		for i := start; i < len(value); i++ {
			if value[i] < first || value[i] > last {
				return nil
			}
		}
		return []site{{role, value[start:], scheme}}
	}
}

// hops splits a list at commas outside round and square brackets and quotes,
// as Via and its kin need.
func hops(value string) []string { return split(value, ',') }

func split(value string, separator byte) []string {
	var out []string
	depth, start, quoted := 0, 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '(':
			depth++
		case (c == ']' || c == ')') && depth > 0:
			depth--
		case c == separator && depth == 0:
			out = append(out, strings.TrimSpace(value[start:i]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(value[start:]))
}

// always reads any value as one cache state.
func always(s CacheState) func(string) CacheState {
	return func(string) CacheState { return s }
}
