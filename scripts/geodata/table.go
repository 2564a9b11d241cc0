package main

import (
	"slices"
	"strconv"
	"strings"
)

// table is one output: comment lines, then tab-separated rows in order of
// their text, so that a rebuild shows only what changed.
type table struct {
	head []string
	rows [][]string
}

func (t table) bytes() []byte {
	var b strings.Builder
	for _, h := range t.head {
		b.WriteString("# " + h + "\n")
	}
	lines := make([]string, len(t.rows))
	for i, r := range t.rows {
		lines[i] = strings.Join(r, "\t")
	}
	slices.Sort(lines)
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return []byte(b.String())
}

// degrees writes three decimals, 111 m at most: far below any radius.
func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

const generated = "Built by scripts/geodata; do not edit. Sources and licences: NOTICE beside this file."

func airportTable(ports map[string]port) table {
	t := table{head: []string{
		"IATA airport codes: code, latitude, longitude, radius in km, ISO country, city.",
		"Positions and names from OpenTravelData (CC BY), cut down and changed; scheduled service from OurAirports (public domain).",
		generated,
	}}
	for code, p := range ports {
		t.rows = append(t.rows, []string{code, degrees(p.at.lat), degrees(p.at.lon), strconv.Itoa(p.radius), p.country, p.city})
	}
	return t
}

func cityTable(cities []city) table {
	t := table{head: []string{
		"Cities: name, ISO country, US state, latitude, longitude, population in thousands, other spellings.",
		"From GeoNames (CC BY), cut down and changed: smaller namesakes within a country or state left out, names and spellings added by hand.",
		generated,
	}}
	for _, c := range cities {
		t.rows = append(t.rows, []string{c.shown, c.country, c.region, degrees(c.at.lat), degrees(c.at.lon),
			strconv.Itoa(c.population / 1000), strings.Join(c.aliases, ";")})
	}
	return t
}

func siteTable(sites []site) table {
	t := table{head: []string{
		"Codes of one scheme only: scheme, code, latitude, longitude, radius in km, ISO country, name.",
		"Codes from the providers' own pages and, for Cloudflare, from Netrvin/cloudflare-colo-list (MIT); positions from OpenTravelData and GeoNames (CC BY).",
		generated,
	}}
	for _, s := range sites {
		t.rows = append(t.rows, []string{s.scheme, s.code, degrees(s.at.lat), degrees(s.at.lon), strconv.Itoa(s.radius), s.country, s.name})
	}
	return t
}

func countryTable(s *sources) table {
	t := table{
		head: []string{
			"Countries and US states: ISO 3166-1 alpha-2 or 3166-2 code, English name. Countries from OpenTravelData (CC BY).",
			generated,
		},
		rows: s.states,
	}
	for code, name := range s.countryNames() {
		t.rows = append(t.rows, []string{code, name})
	}
	return t
}

// countryNames returns each country's name as most airports spell it; some
// countries come in two spellings.
func (s *sources) countryNames() map[string]string {
	uses := map[[2]string]int{}
	for _, a := range s.optd {
		if a.Country != "" && a.CountryName != "" {
			uses[[2]string{a.Country, a.CountryName}]++
		}
	}
	best := map[string]string{}
	for key, n := range uses {
		rival := [2]string{key[0], best[key[0]]}
		if n > uses[rival] || n == uses[rival] && key[1] < rival[1] {
			best[key[0]] = key[1]
		}
	}
	return best
}
