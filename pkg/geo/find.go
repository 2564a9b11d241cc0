package geo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// UnknownPlaceError says that a text names no place Find knows.
type UnknownPlaceError struct {
	// Text is what was written.
	Text string
	// Reason says what is wrong with it, when more is known than that it was
	// not found.
	Reason string
	// Suggestions are texts near it that Find reads, nearest first.
	Suggestions []string
}

// Error names the text, what was expected and the nearest known places.
func (e *UnknownPlaceError) Error() string {
	msg := fmt.Sprintf("place %q: %s", e.Text, cmp.Or(e.Reason, "not known"))
	switch {
	case len(e.Suggestions) > 0:
		return msg + "; try " + strings.Join(e.Suggestions, " or ")
	case e.Reason == "":
		return msg + "; want a city, an airport code, a cloud region or lat,lon such as 35.68,139.69"
	}
	return msg
}

// Find returns the place a person means by text: "lat,lon" in degrees, a
// city, a city with a state or country after commas ("Portland, ME", "London,
// CA", "Córdoba, Spain", "Columbus, Ohio"), an airport or metropolitan code, or a
// region of AWS, GCP or Azure ("us-east-1"). Case, marks, hyphens and spaces
// of a name do not matter, but three capitals are a code first.
//
// Of several cities of one name the largest by population is meant: "London"
// is in GB and "Valencia" in VE. A state of the United States is no city, even
// where a city elsewhere bears its name. Find(p.String()) returns p for every city.
// The error is an *UnknownPlaceError.
func Find(text string) (Place, error) {
	trimmed := strings.TrimSpace(text)
	if p, ok, err := parsePoint(trimmed); ok || err != nil {
		return p, err
	}
	if trimmed == strings.ToUpper(trimmed) {
		if s, ok := Lookup(IATA, trimmed); ok {
			return s.Place, nil
		}
	}
	if p, ok := findCity(trimmed); ok {
		return p, nil
	}
	for _, scheme := range []Scheme{IATA, Cloud} {
		if s, ok := Lookup(scheme, trimmed); ok {
			return s.Place, nil
		}
	}
	return Place{}, unknown(text)
}

// parsePoint reads "lat,lon". Two numbers out of range are an error, anything
// but two numbers is not a point.
func parsePoint(text string) (Place, bool, error) {
	before, after, ok := strings.Cut(text, ",")
	if !ok {
		return Place{}, false, nil
	}
	lat, errLat := strconv.ParseFloat(strings.TrimSpace(before), 64)
	lon, errLon := strconv.ParseFloat(strings.TrimSpace(after), 64)
	if errLat != nil || errLon != nil {
		return Place{}, false, nil
	}
	p := Point{lat, lon}
	if !p.Valid() {
		return Place{}, false, &UnknownPlaceError{Text: text, Reason: "want a latitude between -90 and 90 and a longitude between -180 and 180"}
	}
	return At(p), true, nil
}

func findCity(text string) (Place, bool) {
	parts := strings.Split(text, ",")
	a := tables()
	name := Fold(parts[0])
	state := a.states[name] != "" && len(parts) == 1
	for _, i := range a.byName[name] {
		if state && a.towns[i].Country != "US" {
			continue
		}
		if a.towns[i].within(parts[1:], a) {
			return a.towns[i].Place, true
		}
	}
	return Place{}, false
}

// within reports whether every qualifier names the town's state or country.
func (t town) within(qualifiers []string, a *atlas) bool {
	for _, q := range qualifiers {
		code, name := strings.ToUpper(strings.TrimSpace(q)), Fold(q)
		inCountry := code == t.Country || a.countries[name] == t.Country
		inState := t.Region != "" && (code == t.Region || a.states[name] == t.Region)
		if !inCountry && !inState {
			return false
		}
	}
	return true
}

// Cities returns every city Find knows, largest first, as a new slice.
func Cities() []Place {
	towns := tables().towns
	out := make([]Place, len(towns))
	for i, t := range towns {
		out[i] = t.Place
	}
	return out
}
