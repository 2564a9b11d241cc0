package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

type port struct {
	at            position
	radius        int
	country, city string
}

const (
	// An airport's code stands for machines somewhere in its city.
	airportRadius = 50
	// Two sources that differ by more than this are not talking of one place.
	disagreement = 60
	// An airport that moved: the radius grows so that both places lie within.
	moved = 20
)

// buildAirports keeps the codes with scheduled service, those that a list of
// POPs or data centres uses, and those kept by hand.
func buildAirports(s *sources, log io.Writer) (map[string]port, error) {
	ports := map[string]port{}
	unsettled := 0
	shown := s.shownNames()
	for _, code := range slices.Sorted(maps.Keys(s.wanted())) {
		a, ok := s.optd[code]
		if !ok {
			continue
		}
		p := port{position{a.Latitude, a.Longitude}, airportRadius, a.Country, cmp.Or(shown[a.City+","+a.Country], a.City)}
		if f, ok := s.fields[code]; ok {
			unsettled += s.reconcile(code, &p, f, log)
		}
		ports[code] = p
	}
	s.compareLists(ports, log)
	if unsettled > 0 {
		return nil, fmt.Errorf("%d airports to settle in input/airports.tsv", unsettled)
	}
	return ports, nil
}

// shownNames returns the names that replace GeoNames' in cities.tsv, so that a
// city is called the same however it is reached.
func (s *sources) shownNames() map[string]string {
	names := map[string]string{}
	for _, r := range s.cities {
		city := strings.Split(r[0], ",")
		names[city[0]+","+city[1]] = r[1]
	}
	return names
}

func (s *sources) wanted() map[string]bool {
	want := map[string]bool{}
	for code, f := range s.fields {
		if f.Scheduled == "yes" {
			want[code] = true
		}
	}
	for code := range s.pops {
		want[code] = true
	}
	for _, c := range s.colos {
		want[c.code] = true
	}
	for code := range s.byHand {
		want[code] = true
	}
	return want
}

// reconcile holds OpenTravelData against OurAirports and returns 1 for a
// disagreement that no row by hand settles.
func (s *sources) reconcile(code string, p *port, f field, log io.Writer) int {
	other := position{number(f.Latitude), number(f.Longitude)}
	d := apart(p.at, other)
	if d > disagreement {
		choice := s.byHand[code]
		fmt.Fprintf(log, "%s: OpenTravelData and OurAirports are %.0f km apart: %q\n", code, d, choice)
		switch choice {
		case "ourairports":
			p.at = other
		case "opentraveldata":
		default:
			return 1
		}
		return 0
	}
	if d > moved {
		p.radius = airportRadius + int(math.Ceil(d))
	}
	return 0
}

// compareLists reports where a list of POPs or data centres puts a code
// elsewhere; the airport stands, because two lists of airports agree on it.
func (s *sources) compareLists(ports map[string]port, log io.Writer) {
	for _, c := range s.colos {
		if p, ok := ports[c.code]; ok && c.placed && apart(p.at, c.at) > disagreement {
			fmt.Fprintf(log, "%s (%s): Cloudflare's list is %.0f km off the airport: the airport stands\n", c.code, c.name, apart(p.at, c.at))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(s.pops)) {
		if p, ok := ports[code]; ok && apart(p.at, s.pops[code]) > disagreement {
			fmt.Fprintf(log, "%s (%s): the list of POPs is %.0f km off the airport: the airport stands\n", code, p.city, apart(p.at, s.pops[code]))
		}
	}
}

func apart(a, b position) float64 {
	return geo.DistanceKM(geo.Point{Lat: a.lat, Lon: a.lon}, geo.Point{Lat: b.lat, Lon: b.lon})
}
