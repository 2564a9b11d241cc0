package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// The limits keep some 5,000 cities; a smaller one is kept when it is a
// capital, a row by hand names it or a site stands in it. The limit is lower
// where machines stand in small towns and people name them with the state.
const (
	leastPopulation   = 100_000
	leastPopulationUS = 50_000
)

func buildCities(s *sources, log io.Writer) []city {
	hand := map[string][]string{}
	for _, r := range s.cities {
		hand[r[0]] = r
	}
	for _, r := range s.sites {
		if name, ok := strings.CutPrefix(r[2], "city:"); ok && hand[name] == nil {
			hand[name] = []string{name, "", ""}
		}
	}
	var kept []city
	used := map[string]bool{}
	slices.SortStableFunc(s.places, func(a, b city) int { return cmp.Compare(b.population, a.population) })
	for _, c := range s.places {
		c = c.plain()
		row, ok := hand[c.key()]
		ok = ok && !used[c.key()]
		if !ok && !c.large() {
			continue
		}
		used[c.key()] = true
		kept = append(kept, c.named(row))
	}
	for key := range hand {
		if !used[key] {
			fmt.Fprintf(log, "no city %q\n", key)
		}
	}
	return withoutNamesakes(kept)
}

// plain keeps a region only for the United States, where it is the state's
// postal code; elsewhere GeoNames' regions are numbers nobody writes.
func (c city) plain() city {
	if c.country != "US" {
		c.region = ""
	}
	return c
}

// large reports whether the city is kept without anybody's asking. PPLC is
// GeoNames' word for a capital.
func (c city) large() bool {
	return c.feature == "PPLC" || c.population >= leastPopulation || c.country == "US" && c.population >= leastPopulationUS
}

func (c city) key() string {
	if c.region != "" {
		return c.name + "," + c.country + "," + c.region
	}
	return c.name + "," + c.country
}

// named gives the city the name and spellings of a row by hand, if any; a
// name that is replaced stays as a spelling.
func (c city) named(row []string) city {
	c.shown = c.name
	if row == nil {
		return c
	}
	if row[1] != "" {
		c.shown = row[1]
		c.aliases = append(c.aliases, c.name)
	}
	if row[2] != "" {
		c.aliases = append(c.aliases, strings.Split(row[2], ",")...)
	}
	return c
}

// withoutNamesakes drops a city that the text "name, region, country" could
// not tell from a larger one. Cities come largest first.
func withoutNamesakes(cities []city) []city {
	seen := map[string]bool{}
	var out []city
	for _, c := range cities {
		spellings := append([]string{c.shown}, c.aliases...)
		if seen[c.country+c.region+geo.Fold(c.shown)] {
			continue
		}
		for _, s := range spellings {
			seen[c.country+c.region+geo.Fold(s)] = true
		}
		out = append(out, c)
	}
	return out
}
