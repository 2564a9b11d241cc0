package geo

import (
	"fmt"
	"math"
)

// EarthRadiusKM is the radius of the sphere distances are measured on: the
// mean radius (2a+b)/3 of the WGS 84 ellipsoid, in km (IUGG).
const EarthRadiusKM = 6371.0088

// sphereError is how far, as a share, a great circle on the sphere can exceed
// the distance on the ellipsoid: 0.56 %, reached between places near a pole
// or along the equator. LeastKM gives it back.
const sphereError = 0.0056

// Point is a position in degrees: latitude -90 to 90, north positive, and
// longitude -180 to 180, east positive.
type Point struct {
	Lat, Lon float64
}

// Valid reports whether p lies within the ranges of a Point.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lon >= -180 && p.Lon <= 180
}

// DistanceKM returns the length of the great circle between a and b in km, 0
// to 20,016, by the haversine formula (Sinnott 1984), which stays exact for
// near places. Against the ellipsoid it errs by 0.56 % at most.
func DistanceKM(a, b Point) float64 {
	lat1, lat2 := radians(a.Lat), radians(b.Lat)
	h := haversine(lat2-lat1) + math.Cos(lat1)*math.Cos(lat2)*haversine(radians(b.Lon-a.Lon))
	// Rounding can lift h above 1 for antipodes.
	return 2 * EarthRadiusKM * math.Asin(math.Sqrt(min(h, 1)))
}

func haversine(angle float64) float64 {
	s := math.Sin(angle / 2)
	return s * s
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// Place is a named position that may be off by as much as RadiusKM.
type Place struct {
	// Name is a city's or region's name as shown to people; "35.6800,139.6900"
	// for a position without one.
	Name string
	// Region is the postal code of the state for a city of the United States,
	// else empty.
	Region string
	// Country is the ISO 3166-1 alpha-2 code; empty for a bare position.
	Country string
	Point
	// RadiusKM is how far from the point the thing meant may stand, in km: 0
	// for a position given in degrees, 25 for a city, 50 for an airport's
	// code, up to 400 for a region.
	RadiusKM float64
}

// String returns the place as Find reads it back: "Tokyo, JP", "Portland,
// OR, US" or "35.6800,139.6900".
func (p Place) String() string {
	switch {
	case p.Country == "":
		return p.Name
	case p.Region != "":
		return p.Name + ", " + p.Region + ", " + p.Country
	}
	return p.Name + ", " + p.Country
}

// At returns the place for a bare position, named by its degrees, with no
// radius. The position must be valid.
func At(p Point) Place {
	return Place{Name: fmt.Sprintf("%.4f,%.4f", p.Lat, p.Lon), Point: p}
}

// LeastKM returns the least distance in km that can lie between what a and b
// stand for: the great circle, less both radii, less what the sphere may
// overstate; never below 0. It is the distance to hold against a round trip.
func LeastKM(a, b Place) float64 {
	return max(0, DistanceKM(a.Point, b.Point)*(1-sphereError)-(a.RadiusKM+b.RadiusKM))
}

// MostKM returns the greatest distance in km that can lie between what a and
// b stand for: the great circle, plus both radii, plus what the sphere may
// understate.
func MostKM(a, b Place) float64 {
	return DistanceKM(a.Point, b.Point)*(1+sphereError) + (a.RadiusKM + b.RadiusKM)
}
