package geo

import (
	"math"
	"testing"
	"time"
)

func TestKMPerMS(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"vacuum", VacuumKMPerMS, 149.9},
		{"fibre", FibreKMPerMS, 102.1},
		{"usual path", UsualKMPerMS, 48.6},
	} {
		if math.Abs(tt.got-tt.want) > 0.05 {
			t.Errorf("%s: %v km per ms, want %v", tt.name, tt.got, tt.want)
		}
	}
}

// TestFarPlaces holds the least round trips in fibre against hand-computed
// figures for edges whose work runs elsewhere. A figure given in whole
// milliseconds may be off by half of one.
func TestFarPlaces(t *testing.T) {
	tests := []struct {
		accepted, compute [2]string
		ms                float64
	}{
		{[2]string{"cloudflare", "HKG"}, [2]string{"cloudflare", "AMS"}, 91},
		{[2]string{"cloudflare", "DXB"}, [2]string{"cloudflare", "ZRH"}, 47},
		{[2]string{"cloudflare", "GIG"}, [2]string{"cloudflare", "MRS"}, 87},
		{[2]string{"vercel", "hkg1"}, [2]string{"vercel", "iad1"}, 128},
		{[2]string{"cloudflare", "SJC"}, [2]string{"gcp", "gcp-us-west1"}, 9},
		{[2]string{"cloudflare", "LAX"}, [2]string{"gcp", "gcp-us-west1"}, 13},
		{[2]string{"iata", "lhr"}, [2]string{"iata", "iad"}, 58},
		{[2]string{"frontdoor", "BOM02"}, [2]string{"linkedin", "prod-lva1"}, 126},
		{[2]string{"fastly", "PAO"}, [2]string{"azure", "westus3"}, 10},
		{[2]string{"cloudfront", "DUS51-P6"}, [2]string{"aws", "aws-us-east-1"}, 62},
		{[2]string{"iata", "sjc"}, [2]string{"iata", "bur"}, 5},
		{[2]string{"cloudflare", "NRT"}, [2]string{"cloudflare", "IAD"}, 106},
	}
	for _, tt := range tests {
		a, b := site(t, tt.accepted), site(t, tt.compute)
		got := LeastRTTInFibre(DistanceKM(a.Point, b.Point)).Seconds() * 1000
		if math.Abs(got-tt.ms) > max(0.5, 0.02*tt.ms) {
			t.Errorf("%v to %v: least round trip in fibre %.1f ms, want %v", tt.accepted, tt.compute, got, tt.ms)
		}
		if LeastKM(a.Place, b.Place) >= DistanceKM(a.Point, b.Point) {
			t.Errorf("%v to %v: radii not given back", tt.accepted, tt.compute)
		}
	}
}

func site(t *testing.T, c [2]string) Site {
	t.Helper()
	s, ok := Lookup(Scheme(c[0]), c[1])
	if !ok {
		t.Fatalf("Lookup(%q, %q): not found", c[0], c[1])
	}
	return s
}

// TestAllows: an 8 ms connect from Frankfurt cannot end in Tokyo, 35 ms from
// Dubai to Zurich beats glass but not light, and 100 ms allows anything near.
func TestAllows(t *testing.T) {
	tests := []struct {
		from, to string
		rtt      time.Duration
		want     Fit
	}{
		{"Frankfurt", "NRT", 8 * time.Millisecond, Impossible},
		{"Dubai", "ZRH", 36 * time.Millisecond, Implausible},
		{"Dubai", "ZRH", 20 * time.Millisecond, Impossible},
		{"Tokyo", "IAD", 100 * time.Millisecond, Implausible},
		{"Tokyo", "IAD", 107 * time.Millisecond, Fits},
		{"Tokyo", "NRT", 0, Fits},
		{"Frankfurt", "AMS", 100 * time.Millisecond, Fits},
	}
	for _, tt := range tests {
		from, err := Find(tt.from)
		if err != nil {
			t.Fatal(err)
		}
		km := LeastKM(from, site(t, [2]string{"cloudflare", tt.to}).Place)
		if got := Allows(tt.rtt, km); got != tt.want {
			t.Errorf("%s to %s (%.0f km at least) in %v: %v, want %v", tt.from, tt.to, km, tt.rtt, got, tt.want)
		}
	}
}

func TestLightBounds(t *testing.T) {
	pairs := []struct {
		name  string
		least func(float64) time.Duration
		reach func(time.Duration) float64
	}{
		{"vacuum", LeastRTTInVacuum, FarthestInVacuum},
		{"fibre", LeastRTTInFibre, FarthestInFibre},
		{"usual", UsualRTT, UsualKM},
	}
	for _, p := range pairs {
		for _, km := range []float64{0, 0.5, 1, 160, 5540, 20015} {
			back := p.reach(p.least(km))
			if back > km || km-back > 0.001 {
				t.Errorf("%s: %v km there and back is %v", p.name, km, back)
			}
		}
		if p.least(-1) != 0 || p.reach(-time.Second) != 0 {
			t.Errorf("%s: a negative distance or time must bound to 0", p.name)
		}
	}
	for _, km := range []float64{1, 1000, 20000} {
		if v, f, u := LeastRTTInVacuum(km), LeastRTTInFibre(km), UsualRTT(km); v >= f || f >= u {
			t.Errorf("%v km: vacuum %v, fibre %v, usual %v are out of order", km, v, f, u)
		}
	}
}

func TestFitString(t *testing.T) {
	for fit, want := range map[Fit]string{Fits: "fits", Implausible: "implausible", Impossible: "impossible"} {
		if fit.String() != want {
			t.Errorf("Fit(%d) = %q, want %q", fit, fit, want)
		}
	}
}
