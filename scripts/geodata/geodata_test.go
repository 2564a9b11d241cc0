package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/coldsplit/coldsplit/pkg/geo"
)

// TestColosResolve: every data centre of Cloudflare's list is found, and near
// where the list puts it, but for Salvador, which the list puts in the town
// its airport is named after.
func TestColosResolve(t *testing.T) {
	s := &sources{}
	if err := s.readHand("input"); err != nil {
		t.Fatal(err)
	}
	if len(s.colos) < 339 {
		t.Fatalf("%d data centres, want 339", len(s.colos))
	}
	for _, c := range s.colos {
		got, ok := geo.Lookup(geo.Cloudflare, c.code)
		if !ok {
			t.Errorf("%s (%s): not found", c.code, c.name)
			continue
		}
		d := apart(position{got.Lat, got.Lon}, c.at)
		if c.placed && c.code != "SSA" && d > disagreement {
			t.Errorf("%s (%s): %.0f km from the list's position", c.code, c.name, d)
		}
	}
}

// TestHandSitesResolve: what the package finds is what the rows by hand say.
func TestHandSitesResolve(t *testing.T) {
	s := &sources{}
	if err := s.readHand("input"); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.sites {
		scheme := geo.Scheme(r[0])
		if scheme == "metro" {
			scheme = geo.IATA
		}
		for code := range strings.SplitSeq(r[1], ",") {
			got, ok := geo.Lookup(scheme, code)
			if !ok || got.RadiusKM < number(r[3]) || r[4] != "" && got.Name != r[4] {
				t.Errorf("Lookup(%s, %q) = %+v, %v; want %v", scheme, code, got, ok, r)
			}
		}
	}
}

func TestReconcile(t *testing.T) {
	near := field{Latitude: "35.1", Longitude: "139"}
	middle := field{Latitude: "35.3", Longitude: "139"}
	far := field{Latitude: "45", Longitude: "139"}
	tests := []struct {
		name, choice string
		other        field
		unsettled    int
		lat          float64
		radius       int
	}{
		{"agree", "", near, 0, 35, airportRadius},
		{"moved", "", middle, 0, 35, airportRadius + 34},
		{"far, not settled", "", far, 1, 35, airportRadius},
		{"far, settled for the other", "ourairports", far, 0, 45, airportRadius},
		{"far, settled for this", "opentraveldata", far, 0, 35, airportRadius},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sources{byHand: map[string]string{"XXX": tt.choice}}
			p := port{at: position{35, 139}, radius: airportRadius}
			var log bytes.Buffer
			if got := s.reconcile("XXX", &p, tt.other, &log); got != tt.unsettled {
				t.Errorf("unsettled %d, want %d", got, tt.unsettled)
			}
			if p.at.lat != tt.lat || p.radius != tt.radius {
				t.Errorf("at %v radius %d, want latitude %v radius %d", p.at, p.radius, tt.lat, tt.radius)
			}
			if named := strings.Contains(log.String(), "XXX"); named != (tt.other == far) {
				t.Errorf("log %q", log.String())
			}
		})
	}
}

func TestAnchor(t *testing.T) {
	ports := map[string]port{"NRT": {at: position{35.7, 140.4}, country: "JP", city: "Tokyo"}}
	cities := []city{{name: "Frankfurt am Main", shown: "Frankfurt", country: "DE", at: position{50.1, 8.7}}}
	tests := []struct {
		text, name string
		lat        float64
	}{
		{"iata:NRT", "Tokyo", 35.7},
		{"city:Frankfurt am Main,DE", "Frankfurt", 50.1},
		{"at:30.75,120.75,CN", "", 30.75},
	}
	for _, tt := range tests {
		got, err := anchor(tt.text, ports, cities)
		if err != nil || got.name != tt.name || got.at.lat != tt.lat {
			t.Errorf("anchor(%q) = %+v, %v", tt.text, got, err)
		}
	}
	for _, text := range []string{"iata:QQQ", "city:Atlantis,XX", "at:1,2", "moon:1", ""} {
		if _, err := anchor(text, ports, cities); err == nil {
			t.Errorf("anchor(%q): no error", text)
		}
	}
}

func TestWithoutNamesakes(t *testing.T) {
	got := withoutNamesakes([]city{
		{shown: "Cologne", country: "DE", aliases: []string{"Köln"}},
		{shown: "Koln", country: "DE"},
		{shown: "Cologne", country: "IT"},
		{shown: "Portland", country: "US", region: "OR"},
		{shown: "Portland", country: "US", region: "ME"},
		{shown: "Portland", country: "US", region: "ME"},
	})
	if len(got) != 4 {
		t.Errorf("kept %v, want 4 cities", got)
	}
}

func TestDecodeCities(t *testing.T) {
	b := append(message("Here", 1000, 10_000_000, 5_000_000), message("There", 2000, -100_000, 200_000)...)
	got, err := decodeCities(b)
	if err != nil || len(got) != 2 {
		t.Fatalf("decodeCities = %v, %v", got, err)
	}
	if c := got[1]; c.name != "There" || c.country != "XX" || c.population != 2000 || c.at != (position{52, 99}) {
		t.Errorf("second city %+v, want There at 52, 99: coordinates add up", c)
	}
	for cut := 1; cut < len(b); cut++ {
		if cities, err := decodeCities(b[:cut]); err == nil && len(cities) != 1 {
			t.Errorf("cut at %d: %d cities and no error", cut, len(cities))
		}
	}
}

func message(name string, population uint64, lon, lat int64) []byte {
	var m []byte
	for tag, s := range map[uint64]string{2: name, 3: "XX"} {
		m = binary.AppendUvarint(m, tag<<3|2)
		m = binary.AppendUvarint(m, uint64(len(s)))
		m = append(m, s...)
	}
	m = binary.AppendUvarint(m, 9<<3)
	m = binary.AppendUvarint(m, population)
	for i, v := range []int64{lon, lat} {
		m = binary.AppendUvarint(m, uint64(10+i)<<3)
		m = binary.AppendVarint(m, v)
	}
	return append(binary.AppendUvarint(nil, uint64(len(m))), m...)
}

func TestTableBytes(t *testing.T) {
	tb := table{head: []string{"what"}, rows: [][]string{{"b", "2"}, {"a", "1"}}}
	if got, want := string(tb.bytes()), "# what\na\t1\nb\t2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
