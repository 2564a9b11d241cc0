// Package geo knows where site codes and cities are, how far apart two places
// lie, and how little time light needs between them.
//
// It turns what an edge or a cloud writes ("NRT57-P3", "iad1", "westus3",
// "BOM02") and what a person writes ("Tokyo", "São Paulo", "NRT",
// "35.68,139.69") into places, from tables embedded in the binary. It refuses
// to guess: a code outside its tables is not found, and a code found is the
// named airport, metro or region with a radius, never a building. It reads no
// network, file or clock.
//
// The one rule a caller must hold: every time and distance here is a bound. A
// round trip below [LeastRTTInVacuum] of [LeastKM] cannot have happened
// between two places; a round trip above it proves nothing about where
// anything is. Say "cannot" or "fits", never "is".
//
// # Data
//
// The tables are built by scripts/geodata. Airports come from OpenTravelData
// (CC BY 4.0) checked against OurAirports (public domain), cities from
// GeoNames (CC BY 4.0), Cloudflare's codes from Netrvin/cloudflare-colo-list
// (MIT, Copyright (c) 2022 131), other codes from their providers' pages. All
// were cut down and changed. [Notice] returns the full text; a program that
// carries this package should be able to show it.
//
// Everything here is safe for concurrent use: the tables are read once, on
// first use, and never change.
package geo
