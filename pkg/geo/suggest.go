package geo

import (
	"cmp"
	"slices"
	"strings"
)

// mostSuggestions is what a reader takes in at a glance.
const mostSuggestions = 3

// unknown returns the error for a text that names no place: a country or
// state gets its largest cities, another text the cities spelt most like it.
func unknown(text string) error {
	a := tables()
	if code := a.countries[Fold(text)]; code != "" {
		return &UnknownPlaceError{Text: text, Reason: "a country, not a city", Suggestions: a.largestIn(code, "")}
	}
	if code := a.states[Fold(text)]; code != "" {
		return &UnknownPlaceError{Text: text, Reason: "a state, not a city", Suggestions: a.largestIn("US", code)}
	}
	name, _, qualified := strings.Cut(text, ",")
	if own := a.byName[Fold(name)]; qualified && len(own) > 0 {
		return &UnknownPlaceError{Text: text, Reason: "no such city there", Suggestions: a.names(own)}
	}
	return &UnknownPlaceError{Text: text, Suggestions: a.names(a.spelledLike(Fold(name)))}
}

// largestIn returns the largest cities of a country or, with a state given, of
// that state.
func (a *atlas) largestIn(country, state string) []string {
	var found []int
	for i, t := range a.towns {
		if t.Country == country && (state == "" || t.Region == state) && len(found) < mostSuggestions {
			found = append(found, i)
		}
	}
	return a.names(found)
}

func (a *atlas) names(towns []int) []string {
	var out []string
	for _, i := range towns[:min(len(towns), mostSuggestions)] {
		out = append(out, a.towns[i].String())
	}
	return out
}

// spelledLike returns the towns whose spelling needs the fewest changes to
// become name, the larger first among equals. At most a third of the name may
// change, and never more than two letters.
func (a *atlas) spelledLike(name string) []int {
	type near struct{ town, changes int }
	var found []near
	limit := min(len(name)/3, 2)
	for i, t := range a.towns {
		best := limit + 1
		for _, s := range t.spellings {
			if d := len(s) - len(name); d <= limit && -d <= limit {
				best = min(best, changes(s, name))
			}
		}
		if best <= limit {
			found = append(found, near{i, best})
		}
	}
	slices.SortStableFunc(found, func(x, y near) int { return cmp.Compare(x.changes, y.changes) })
	var out []int
	for _, f := range found[:min(len(found), mostSuggestions)] {
		out = append(out, f.town)
	}
	return out
}

// changes returns how many single-byte insertions, deletions, replacements or
// swaps of neighbours turn a into b (optimal string alignment).
func changes(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
