package geo

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/*.tsv data/NOTICE
var files embed.FS

// cityRadiusKM is how far a machine "in" a city may stand from its centre.
const cityRadiusKM = 25

// town is a city as the table has it: largest first.
type town struct {
	Place
	thousands int
	spellings []string
}

type siteKey struct{ scheme, code string }

// atlas holds the tables read from the binary. It never changes after load.
type atlas struct {
	airports  map[string]Site
	sites     map[siteKey]Site
	towns     []town
	byName    map[string][]int
	countries map[string]string
	states    map[string]string
}

var tables = sync.OnceValue(load)

// load reads every table once, some 10 ms. The tables are part of the binary,
// so a row that does not read is a broken build and panics.
func load() *atlas {
	a := &atlas{
		airports:  map[string]Site{},
		sites:     map[siteKey]Site{},
		byName:    map[string][]int{},
		countries: map[string]string{},
		states:    map[string]string{},
	}
	for r := range rows("countries.tsv", 2) {
		if state, ok := strings.CutPrefix(r[0], "US-"); ok {
			a.states[Fold(r[1])] = state
			continue
		}
		a.countries[Fold(r[1])] = r[0]
	}
	for r := range rows("airports.tsv", 6) {
		a.airports[r[0]] = Site{r[0], Place{Name: r[5], Country: r[4], Point: point(r[1], r[2]), RadiusKM: number(r[3])}}
	}
	for r := range rows("sites.tsv", 7) {
		a.sites[siteKey{r[0], r[1]}] = Site{r[1], Place{Name: r[6], Country: r[5], Point: point(r[2], r[3]), RadiusKM: number(r[4])}}
	}
	a.loadTowns()
	return a
}

func (a *atlas) loadTowns() {
	for r := range rows("cities.tsv", 7) {
		t := town{
			Place:     Place{Name: r[0], Country: r[1], Region: r[2], Point: point(r[3], r[4]), RadiusKM: cityRadiusKM},
			thousands: int(number(r[5])),
			spellings: []string{Fold(r[0])},
		}
		if r[6] != "" {
			for s := range strings.SplitSeq(r[6], ";") {
				t.spellings = append(t.spellings, Fold(s))
			}
		}
		a.towns = append(a.towns, t)
	}
	slices.SortStableFunc(a.towns, func(x, y town) int { return cmp.Compare(y.thousands, x.thousands) })
	for i, t := range a.towns {
		for _, s := range t.spellings {
			a.byName[s] = append(a.byName[s], i)
		}
	}
}

// rows yields the rows of a table, without comments.
func rows(name string, columns int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		b, err := files.ReadFile("data/" + name)
		if err != nil {
			panic(err)
		}
		for line := range strings.Lines(string(b)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			r := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(r) != columns {
				panic(fmt.Sprintf("geo: %s: %d columns in %q", name, len(r), line))
			}
			if !yield(r) {
				return
			}
		}
	}
}

func point(lat, lon string) Point { return Point{number(lat), number(lon)} }

func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("geo: " + err.Error())
	}
	return v
}

// Notice returns the origin, licence and changes of every table, and the
// credits their licences ask for.
func Notice() string {
	b, err := files.ReadFile("data/NOTICE")
	if err != nil {
		panic(err)
	}
	return string(b)
}
