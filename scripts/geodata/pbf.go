package main

import (
	"encoding/binary"
	"errors"
)

// city is one populated place of GeoNames.
type city struct {
	name, shown, country, region, feature string
	at                                    position
	population                            int
	aliases                               []string
}

var errTruncated = errors.New("cities.pbf: truncated")

// decodeCities reads the package's protocol buffer: length-prefixed messages,
// coordinates as zig-zag differences to the message before, in 1e-5 degrees.
func decodeCities(b []byte) ([]city, error) {
	var out []city
	var lon, lat int64
	for len(b) > 0 {
		size, n := binary.Uvarint(b)
		if n <= 0 || uint64(len(b)-n) < size {
			return nil, errTruncated
		}
		c, err := decodeCity(b[n:n+int(size)], &lon, &lat)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
		b = b[n+int(size):]
	}
	return out, nil
}

func decodeCity(b []byte, lon, lat *int64) (city, error) {
	var c city
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return c, errTruncated
		}
		v, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return c, errTruncated
		}
		b = b[n+m:]
		if key&7 != 2 {
			c.setNumber(key>>3, v, lon, lat)
			continue
		}
		if uint64(len(b)) < v {
			return c, errTruncated
		}
		c.setText(key>>3, string(b[:v]))
		b = b[v:]
	}
	c.at = position{float64(*lat) / 1e5, float64(*lon) / 1e5}
	return c, nil
}

func (c *city) setNumber(tag, v uint64, lon, lat *int64) {
	zigzag := int64(v>>1) ^ -int64(v&1)
	switch tag {
	case 9:
		c.population = int(v)
	case 10:
		*lon += zigzag
	case 11:
		*lat += zigzag
	}
}

func (c *city) setText(tag uint64, s string) {
	switch tag {
	case 2:
		c.name = s
	case 3:
		c.country = s
	case 7:
		c.feature = s
	case 8:
		c.region = s
	}
}
