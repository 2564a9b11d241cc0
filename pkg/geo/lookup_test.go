package geo

import (
	"strings"
	"testing"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		scheme        Scheme
		code          string
		name, country string
	}{
		{IATA, "NRT", "Tokyo", "JP"},
		{IATA, "lhr", "London", "GB"},
		{IATA, "NYC", "New York", "US"},
		{Cloudflare, "NRT", "Tokyo", "JP"},
		{Cloudflare, "JXG", "Jiaxing", "CN"},
		{Cloudflare, "QWJ", "Americana", "BR"},
		{Cloudflare, "ZDM", "Ramallah", "PS"},
		{CloudFront, "NRT57-P3", "Tokyo", "JP"},
		{CloudFront, "PHX50-C2", "Phoenix", "US"},
		{CloudFront, "YTO50-C1", "Toronto", "CA"},
		{CloudFront, "MXP64-P1", "Milan", "IT"},
		{Fastly, "cache-jfk8146-JFK", "New York", "US"},
		{Fastly, "cache-fra-eddf8230152-FRA", "Frankfurt", "DE"},
		{Fastly, "cache-bur-kbur8200063-BUR", "Burbank", "US"},
		{Fastly, "cache-wdc5529-WDC", "Washington", "US"},
		{Fastly, "CHI", "Chicago", "US"},
		{Fastly, "TYO", "Tokyo", "JP"},
		{Fastly, "DAL", "Dallas", "US"},
		{Fastly, "HHN", "Frankfurt", "DE"},
		{Vercel, "iad1", "Washington", "US"},
		{Vercel, "cle1", "Columbus", "US"},
		{Vercel, "dxb1", "Dubai", "AE"},
		{Railway, "ams1", "Amsterdam", "NL"},
		{Railway, "railway/us-west2", "California", "US"},
		{Railway, "europe-west4-drams3a", "Amsterdam", "NL"},
		{AWS, "us-east-1", "N. Virginia", "US"},
		{AWS, "aws-us-east-1", "N. Virginia", "US"},
		{AWS, "ap-northeast-1c", "Tokyo", "JP"},
		{GCP, "gcp-us-west1", "The Dalles", "US"},
		{GCP, "gcp-asia-northeast1", "Tokyo", "JP"},
		{GCP, "europe-west3-b", "Frankfurt", "DE"},
		{Azure, "westus3", "Phoenix", "US"},
		{Azure, "UK South", "London", "GB"},
		{Azure, "(Europe) UK South", "London", "GB"},
		{Cloud, "us-east-1", "N. Virginia", "US"},
		{Cloud, "us-east1", "Moncks Corner", "US"},
		{Cloud, "eastus", "Virginia", "US"},
		{FrontDoor, "BOM02", "Mumbai", "IN"},
		{FrontDoor, "CO1", "Quincy", "US"},
		{FrontDoor, "HK2EDGE0915", "Hong Kong", "HK"},
		{FrontDoor, "PAOEDGE0418", "Palo Alto", "US"},
		{FrontDoor, "PAR02", "Paris", "FR"},
		{FrontDoor, "SAN", "San Antonio", "US"},
		{FrontDoor, "IAD", "Washington", "US"},
		{KeyCDN, "chzh", "Zurich", "CH"},
		{CDN77, "frankfurtDE", "Frankfurt", "DE"},
		{CDN77, "losangelesUSCA", "Los Angeles", "US"},
		{CDN77, "ashburnUSVA", "Ashburn", "US"},
		{Bunny, "DE1", "Frankfurt", "DE"},
		{Bunny, "ASB", "Ashburn", "US"},
		{Bunny, "TW1", "Taipei", "TW"},
		{Groq, "dls", "Dallas", "US"},
		{Groq, "yul", "Montreal", "CA"},
		{LinkedIn, "prod-lva1", "Virginia", "US"},
		{Wikimedia, "cp6007", "Marseille", "FR"},
		{Wikimedia, "eqsin", "Singapore", "SG"},
	}
	for _, tt := range tests {
		t.Run(string(tt.scheme)+" "+tt.code, func(t *testing.T) {
			s, ok := Lookup(tt.scheme, tt.code)
			if !ok || s.Name != tt.name || s.Country != tt.country {
				t.Fatalf("Lookup = %+v, %v; want %s, %s", s, ok, tt.name, tt.country)
			}
			if !s.Valid() || s.RadiusKM < 25 || s.RadiusKM > 400 {
				t.Errorf("position or radius out of range: %+v", s)
			}
		})
	}
}

// TestTrapsInCodes: the same letters stand for another town elsewhere.
func TestTrapsInCodes(t *testing.T) {
	tests := []struct {
		scheme Scheme
		code   string
		city   string
		km     float64
	}{
		{Vercel, "cle1", "Columbus, OH", 50},
		{Groq, "dls", "Dallas", 50},
		{IATA, "dls", "The Dalles", 50},
		{Bunny, "ASB", "Ashburn", 5},
		{FrontDoor, "SAN", "San Antonio", 5},
		{FrontDoor, "MEX", "Querétaro", 5},
		{Cloudflare, "SSA", "Salvador, BR", 50},
		{AWS, "us-west-2", "Boardman, OR", 50},
	}
	for _, tt := range tests {
		city, err := Find(tt.city)
		if err != nil {
			t.Fatal(err)
		}
		s := site(t, [2]string{string(tt.scheme), tt.code})
		if d := DistanceKM(s.Point, city.Point); d > tt.km {
			t.Errorf("%s %s is %.0f km from %s", tt.scheme, tt.code, d, tt.city)
		}
	}
}

func TestLookupRegions(t *testing.T) {
	lists := map[Scheme]string{
		Fly:    "ams arn atl bog bom bos cdg den dfw ewr eze fra gdl gig gru hkg iad jnb lax lhr mad mia nrt ord otp phx qro scl sea sin sjc syd waw yul yyz",
		Vercel: "arn1 bom1 cdg1 cle1 cpt1 dub1 dxb1 fra1 gru1 hkg1 hnd1 iad1 icn1 kix1 lhr1 pdx1 sfo1 sin1 syd1 yul1",
		AWS:    "us-east-2 us-west-1 us-west-2 ca-central-1 eu-west-1 eu-central-1 eu-north-1 ap-south-1 ap-southeast-2 sa-east-1 me-south-1 af-south-1 us-gov-west-1",
		GCP:    "us-central1 us-east4 us-south1 europe-north1 europe-west1 europe-west12 asia-east1 australia-southeast2 asia-southeast1 northamerica-northeast2 me-west1 africa-south1",
		Azure:  "eastus eastus2 centralus southcentralus westeurope northeurope uksouth francecentral swedencentral japaneast koreacentral australiaeast brazilsouth southafricanorth uaenorth",
	}
	for scheme, codes := range lists {
		for code := range strings.FieldsSeq(codes) {
			if s, ok := Lookup(scheme, code); !ok || !s.Valid() {
				t.Errorf("Lookup(%s, %q) = %+v, %v", scheme, code, s, ok)
			}
		}
	}
}

func TestLookupRefuses(t *testing.T) {
	tests := []struct {
		scheme Scheme
		code   string
	}{
		{IATA, ""}, {IATA, "QQQ"}, {IATA, "NR"}, {IATA, "NRTX"}, {IATA, " NRT"}, {IATA, "NRT\n"},
		{Cloudflare, "remote-NRT"}, {Cloudflare, "ZZZ"},
		{CloudFront, "NRT-57"}, {CloudFront, "nrt57-P3"},
		{Fastly, "cache-nrt1234"}, {Fastly, "cache-xxx1-QQQ"},
		{Vercel, "iad"}, {Vercel, "cle1iadd"}, {Vercel, "qqq1"},
		{Railway, "railway/moon-east1"},
		{AWS, "us-east1"}, {AWS, "us-east-99"}, {GCP, "us-east-1"}, {Azure, "us-east-1"},
		{Cloud, "eastmars"}, {Cloud, "far_remote"}, {Cloud, ""},
		{FrontDoor, "330001"}, {FrontDoor, "QQ1"},
		{KeyCDN, "hnd"}, {KeyCDN, "xxyy"},
		{CDN77, "frankfurtUSVA"}, {CDN77, "ashburnUS"}, {CDN77, "atlantisDE"}, {CDN77, "DE"},
		{Bunny, "XX1"}, {Bunny, "de1"}, {LinkedIn, "lzz9"}, {Wikimedia, "cp9007"}, {Wikimedia, "abcde"},
		{"alibaba", "de4"}, {"", "NRT"},
	}
	for _, tt := range tests {
		if s, ok := Lookup(tt.scheme, tt.code); ok || s != (Site{}) {
			t.Errorf("Lookup(%q, %q) = %+v, %v; want not found", tt.scheme, tt.code, s, ok)
		}
	}
}

func TestTables(t *testing.T) {
	a := tables()
	if len(a.airports) < 3000 || len(a.towns) < 4500 || len(a.sites) < 700 {
		t.Errorf("%d airports, %d cities, %d sites", len(a.airports), len(a.towns), len(a.sites))
	}
	for key, s := range a.sites {
		if !s.Valid() || s.Name == "" || len(s.Country) != 2 || s.RadiusKM < 50 {
			t.Errorf("%v: %+v", key, s)
		}
	}
	for code, s := range a.airports {
		if !s.Valid() || s.Name == "" || len(s.Country) != 2 || s.RadiusKM < 50 {
			t.Errorf("%s: %+v", code, s)
		}
	}
}

func TestNotice(t *testing.T) {
	for _, want := range []string{"OpenTravelData", "GeoNames", "Creative Commons Attribution 4.0", "OurAirports", "Copyright (c) 2022 131", "Permission is hereby granted"} {
		if !strings.Contains(Notice(), want) {
			t.Errorf("Notice does not name %q", want)
		}
	}
}

func FuzzLookup(f *testing.F) {
	f.Add("cloudfront", "NRT57-P3")
	f.Add("cdn77", "losangelesUSCA")
	f.Add("azure", "(Europe) UK South")
	f.Fuzz(func(t *testing.T, scheme, code string) {
		s, ok := Lookup(Scheme(scheme), code)
		if ok && (!s.Valid() || s.Name == "" || s.RadiusKM <= 0) {
			t.Errorf("Lookup(%q, %q) = %+v", scheme, code, s)
		}
	})
}
