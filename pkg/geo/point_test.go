package geo

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDistanceKM(t *testing.T) {
	quarter := math.Pi / 2 * EarthRadiusKM
	tests := []struct {
		name string
		a, b Point
		want float64
	}{
		{"same point", Point{35, 139}, Point{35, 139}, 0},
		{"pole to equator is a quarter", Point{90, 0}, Point{0, 77}, quarter},
		{"pole to pole is a half", Point{90, 12}, Point{-90, -8}, 2 * quarter},
		{"antipodes do not overflow", Point{10, 20}, Point{-10, -160}, 2 * quarter},
		{"across the date line", Point{0, 179.5}, Point{0, -179.5}, EarthRadiusKM * math.Pi / 180},
		{"one minute of latitude", Point{0, 0}, Point{1.0 / 60, 0}, 1.853249},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := DistanceKM(tt.a, tt.b); math.Abs(got-tt.want) > 1e-5*max(1, tt.want) {
				t.Errorf("DistanceKM(%v, %v) = %v, want %v", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

// TestDistanceKMAgainstVectors computes the angle between unit vectors by
// atan2 of cross and dot product, a formula that shares nothing with haversine.
func TestDistanceKMAgainstVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		a, b := anyPoint(r), anyPoint(r)
		u, v := vector(a), vector(b)
		cross := [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
		want := EarthRadiusKM * math.Atan2(math.Sqrt(dot(cross, cross)), dot(u, v))
		if got := DistanceKM(a, b); math.Abs(got-want) > 1e-3 {
			t.Fatalf("DistanceKM(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
}

func TestDistanceLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for range 2000 {
		a, b, c := anyPoint(r), anyPoint(r), anyPoint(r)
		ab, bc, ac := DistanceKM(a, b), DistanceKM(b, c), DistanceKM(a, c)
		if ab != DistanceKM(b, a) {
			t.Fatalf("not symmetric: %v %v", a, b)
		}
		if ac > ab+bc+1e-6 {
			t.Fatalf("triangle: %v to %v is %v, by way of %v %v", a, c, ac, b, ab+bc)
		}
		if ab < 0 || ab > math.Pi*EarthRadiusKM {
			t.Fatalf("DistanceKM(%v, %v) = %v out of range", a, b, ab)
		}
	}
}

func TestLeastAndMostKM(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for range 2000 {
		a := Place{Point: anyPoint(r), RadiusKM: r.Float64() * 300}
		b := Place{Point: anyPoint(r), RadiusKM: r.Float64() * 300}
		least, centre, most := LeastKM(a, b), DistanceKM(a.Point, b.Point), MostKM(a, b)
		if least < 0 || least > centre || centre > most || least != LeastKM(b, a) {
			t.Fatalf("least %v, centre %v, most %v", least, centre, most)
		}
		a.RadiusKM += 10
		if LeastKM(a, b) > least {
			t.Fatalf("a wider radius raised the least distance: %v > %v", LeastKM(a, b), least)
		}
	}
	near := Place{Point: Point{35, 139}, RadiusKM: 50}
	if got := LeastKM(near, Place{Point: Point{35.5, 139}, RadiusKM: 25}); got != 0 {
		t.Errorf("overlapping places: LeastKM = %v, want 0", got)
	}
}

// TestSphereError checks the allowance against the ellipsoid at its worst: a
// degree along the equator (111.3195 km, WGS 84) and a degree of meridian at
// the equator (110.5743 km) and at a pole (111.6939 km).
func TestSphereError(t *testing.T) {
	degree := DistanceKM(Point{0, 0}, Point{0, 1})
	for _, ellipsoid := range []float64{111.3195, 110.5743, 111.6939} {
		if degree*(1-sphereError) > ellipsoid || degree*(1+sphereError) < ellipsoid {
			t.Errorf("%v km on the ellipsoid is outside %v of %v", ellipsoid, sphereError, degree)
		}
	}
}

func anyPoint(r *rand.Rand) Point {
	return Point{math.Asin(2*r.Float64()-1) * 180 / math.Pi, r.Float64()*360 - 180}
}

func vector(p Point) [3]float64 {
	lat, lon := radians(p.Lat), radians(p.Lon)
	return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

func dot(u, v [3]float64) float64 { return u[0]*v[0] + u[1]*v[1] + u[2]*v[2] }
