package geo

import (
	"errors"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Tokyo", "Tokyo, JP"},
		{"tokyo", "Tokyo, JP"},
		{"  TOKYO ", "Tokyo, JP"},
		{"sao-paulo", "São Paulo, BR"},
		{"São Paulo", "São Paulo, BR"},
		{"Sa\u0303o Paulo", "São Paulo, BR"},
		{"frankfurt", "Frankfurt, DE"},
		{"Frankfurt am Main", "Frankfurt, DE"},
		{"lagos", "Lagos, NG"},
		{"jakarta", "Jakarta, ID"},
		{"sydney", "Sydney, AU"},
		{"ashburn", "Ashburn, VA, US"},
		{"taipei", "Taipei, TW"},
		{"taiwan", "Taipei, TW"},
		{"zürich", "Zurich, CH"},
		{"St Louis", "St. Louis, MO, US"},
		{"nyc", "New York, NY, US"},
		{"hong kong", "Hong Kong, HK"},
		{"Xi'an", "Xi’an, CN"},
		{"NRT", "Tokyo, JP"},
		{"lhr", "London, GB"},
		{"London", "London, GB"},
		{"London, CA", "London, CA"},
		{"London, Canada", "London, CA"},
		{"Portland", "Portland, OR, US"},
		{"Portland, ME", "Portland, ME, US"},
		{"Columbus, Ohio", "Columbus, OH, US"},
		{"Columbus, Georgia, US", "Columbus, GA, US"},
		{"Valencia", "Valencia, VE"},
		{"Valencia, Spain", "Valencia, ES"},
		{"us-east-1", "N. Virginia, US"},
		{"gcp-us-west1", "The Dalles, US"},
		{"westus3", "Phoenix, US"},
		{"35.68,139.69", "35.6800,139.6900"},
		{" -33.9 , 18.4 ", "-33.9000,18.4000"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			p, err := Find(tt.text)
			if err != nil || p.String() != tt.want {
				t.Errorf("Find(%q) = %q, %v; want %q", tt.text, p, err, tt.want)
			}
		})
	}
}

// TestFindCodeBeforeCity: three capitals are the airport, 60 km from the town.
func TestFindCodeBeforeCity(t *testing.T) {
	code, _ := Find("NRT")
	town, _ := Find("Tokyo")
	if d := DistanceKM(code.Point, town.Point); d < 40 || d > 80 {
		t.Errorf("NRT is %.0f km from Tokyo", d)
	}
	if code.RadiusKM != 50 || town.RadiusKM != 25 {
		t.Errorf("radii %v and %v, want 50 and 25", code.RadiusKM, town.RadiusKM)
	}
	if p, err := Find("0,0"); err != nil || p.RadiusKM != 0 {
		t.Errorf("Find(0,0) = %+v, %v; want no radius", p, err)
	}
}

func TestFindErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Tokio", `place "Tokio": not known; try Tokyo, JP`},
		{"Frankfrut", `place "Frankfrut": not known; try Frankfurt, DE`},
		{"japan", `place "japan": a country, not a city; try Tokyo, JP or Yokohama, JP or Osaka, JP`},
		{"Virginia", `place "Virginia": a state, not a city; try Virginia Beach, VA, US or Norfolk, VA, US or Chesapeake, VA, US`},
		{"London, France", `place "London, France": no such city there; try London, GB or London, CA`},
		{"91,0", `place "91,0": want a latitude between -90 and 90 and a longitude between -180 and 180`},
		{"nan,0", `place "nan,0": want a latitude between -90 and 90 and a longitude between -180 and 180`},
		{"xyzzy", `place "xyzzy": not known; want a city, an airport code, a cloud region or lat,lon such as 35.68,139.69`},
		{"", `place "": not known; want a city, an airport code, a cloud region or lat,lon such as 35.68,139.69`},
	}
	for _, tt := range tests {
		_, err := Find(tt.text)
		var unknown *UnknownPlaceError
		if !errors.As(err, &unknown) || err.Error() != tt.want {
			t.Errorf("Find(%q):\n got %v\nwant %s", tt.text, err, tt.want)
			continue
		}
		for _, s := range unknown.Suggestions {
			if _, err := Find(s); err != nil {
				t.Errorf("suggestion %q is not read back: %v", s, err)
			}
		}
	}
}

func TestCitiesRoundTrip(t *testing.T) {
	cities := Cities()
	for _, c := range cities {
		got, err := Find(c.String())
		if err != nil || got != c {
			t.Errorf("Find(%q) = %+v, %v; want %+v", c, got, err, c)
		}
		if !c.Valid() || len(c.Country) != 2 {
			t.Errorf("%+v", c)
		}
	}
	if cities[0].Name = "changed"; Cities()[0].Name == "changed" {
		t.Error("Cities shares its slice with the tables")
	}
}

// TestCitiesNearTheirAirports compares two sources: OpenTravelData's airport
// and GeoNames' city of the same name must lie near each other.
func TestCitiesNearTheirAirports(t *testing.T) {
	for code, city := range map[string]string{
		"HND": "Tokyo", "GRU": "São Paulo", "FRA": "Frankfurt", "LOS": "Lagos", "CGK": "Jakarta", "SYD": "Sydney",
		"IAD": "Ashburn", "TPE": "Taipei", "SIN": "Singapore", "JNB": "Johannesburg", "SCL": "Santiago", "BOM": "Mumbai",
		"LHR": "London", "CDG": "Paris", "JFK": "New York", "ORD": "Chicago", "MEX": "Mexico City", "ICN": "Seoul",
	} {
		p, err := Find(city)
		if err != nil {
			t.Fatal(err)
		}
		if d := DistanceKM(p.Point, site(t, [2]string{"iata", code}).Point); d > 50 {
			t.Errorf("%s is %.0f km from %s", city, d, code)
		}
	}
}

func TestFold(t *testing.T) {
	same := [][]string{
		{"São Paulo", "sao-paulo", "SAO  PAULO", "Sa\u0303o_Paulo"},
		{"Łódź", "lodz"}, {"İzmir", "izmir"}, {"Gießen", "giessen"}, {"Malmö", "malmo"},
		{"St. John's", "saint johns"}, {"Xi’an", "xian"}, {"東京", "東京"},
	}
	for _, names := range same {
		for _, n := range names {
			if Fold(n) != Fold(names[0]) {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q", n, Fold(n), names[0], Fold(names[0]))
			}
		}
	}
}

func TestChanges(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"tokio", "tokyo", 1}, {"frankfrut", "frankfurt", 1},
		{"kitten", "sitting", 3}, {"paris", "pars", 1},
	}
	for _, tt := range tests {
		if got := changes(tt.a, tt.b); got != tt.want || changes(tt.b, tt.a) != tt.want {
			t.Errorf("changes(%q, %q) = %d, want %d both ways", tt.a, tt.b, got, tt.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"Tokyo", "35.68,139.69", "London, CA", ",,,", "\xff\xfe", strings.Repeat("a", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Find(text)
		if err == nil && !p.Valid() {
			t.Errorf("Find(%q) = %+v", text, p)
		}
		if Fold(Fold(text)) != Fold(text) {
			t.Errorf("Fold(%q) is not stable: %q", text, Fold(text))
		}
	})
}
