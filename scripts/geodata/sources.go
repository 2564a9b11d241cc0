package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

type position struct{ lat, lon float64 }

// airport is one row of OpenTravelData as npm carries it.
type airport struct {
	Latitude    float64 `json:"latitude"`
	Longitude   float64 `json:"longitude"`
	Name        string  `json:"name"`
	City        string  `json:"city"`
	Country     string  `json:"country"`
	CountryName string  `json:"countryName"`
}

// field is one row of OurAirports; all its values are text.
type field struct {
	Code         string `json:"iata_code"`
	Latitude     string `json:"latitude_deg"`
	Longitude    string `json:"longitude_deg"`
	Country      string `json:"iso_country"`
	Municipality string `json:"municipality"`
	Scheduled    string `json:"scheduled_service"`
}

type colo struct {
	code, country, name string
	at                  position
	placed              bool
}

type sources struct {
	optd    map[string]airport
	fields  map[string]field
	pops    map[string]position
	regions map[string]position
	places  []city
	colos   []colo
	byHand  map[string]string
	sites   [][]string
	cities  [][]string
	states  [][]string
}

func readSources(dir, in string) (*sources, error) {
	s := &sources{}
	steps := []func() error{
		func() error { return s.readAirports(dir) },
		func() error { return s.readFields(dir) },
		func() error { return s.readLists(dir) },
		func() error { return s.readPlaces(dir) },
		func() error { return s.readHand(in) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *sources) readAirports(dir string) error {
	b, err := packageFile(dir, openTravelData, "dist/shared/geo.json")
	if err != nil {
		return err
	}
	return json.Unmarshal(b, &s.optd)
}

func (s *sources) readFields(dir string) error {
	b, err := packageFile(dir, ourAirports, "data/airports.json")
	if err != nil {
		return err
	}
	var rows []field
	if err := json.Unmarshal(b, &rows); err != nil {
		return err
	}
	s.fields = map[string]field{}
	for _, r := range rows {
		if r.Code != "" {
			s.fields[r.Code] = r
		}
	}
	return nil
}

var (
	popEntry    = regexp.MustCompile(`\["([A-Z]{3})",\[(-?[\d.]+),(-?[\d.]+)\]\]`)
	regionEntry = regexp.MustCompile(`case '([a-z0-9-]+)':[^}]*?latitude = (-?[\d.]+);\s*obj\.longitude = (-?[\d.]+);`)
)

// readLists reads the two lists that are used for checking only; both are
// JavaScript, of which only the literal rows are of use.
func (s *sources) readLists(dir string) error {
	pops, err := packageFile(dir, popList, "dist/bundle.js")
	if err != nil {
		return err
	}
	regions, err := packageFile(dir, cloudRegions, "from-provider.js")
	if err != nil {
		return err
	}
	s.pops = positions(popEntry, pops)
	s.regions = positions(regionEntry, regions)
	if len(s.pops) < 300 || len(s.regions) < 50 {
		return fmt.Errorf("lists changed shape: %d POPs, %d regions", len(s.pops), len(s.regions))
	}
	return nil
}

func positions(re *regexp.Regexp, text []byte) map[string]position {
	out := map[string]position{}
	for _, m := range re.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = position{number(m[2]), number(m[3])}
	}
	return out
}

func (s *sources) readPlaces(dir string) error {
	b, err := packageFile(dir, geoNames, "cities.pbf")
	if err != nil {
		return err
	}
	s.places, err = decodeCities(b)
	return err
}

func (s *sources) readHand(in string) error {
	colos, err := readTable(filepath.Join(in, "colos.tsv"), 5)
	if err != nil {
		return err
	}
	for _, r := range colos {
		s.colos = append(s.colos, colo{code: r[0], country: r[3], name: r[4], at: position{number(r[1]), number(r[2])}, placed: r[1] != ""})
	}
	rows, err := readTable(filepath.Join(in, "airports.tsv"), 2)
	if err != nil {
		return err
	}
	s.byHand = map[string]string{}
	for _, r := range rows {
		s.byHand[r[0]] = r[1]
	}
	if s.sites, err = readTable(filepath.Join(in, "sites.tsv"), 5); err != nil {
		return err
	}
	if s.cities, err = readTable(filepath.Join(in, "cities.tsv"), 3); err != nil {
		return err
	}
	s.states, err = readTable(filepath.Join(in, "states.tsv"), 2)
	return err
}

func readTable(path string, columns int) ([][]string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i, line := range strings.Split(string(b), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := strings.Split(line, "\t")
		if len(r) != columns {
			return nil, fmt.Errorf("%s:%d: want %d columns, got %d", path, i+1, columns, len(r))
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// number reads a coordinate; an empty or broken one is 0, which the checks
// against a second source report as a disagreement.
func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}
