// Command coverage simulates how often the statistics of this module are
// right, and prints the shares as Markdown tables.
//
// Purpose: the intervals claim 95 %, the findings claim few false ones; these
// tables say what they keep. Input: none; every table has a fixed seed, so the
// same code prints the same tables whatever the machine. Output: Markdown on
// stdout, kept in testdata/coverage.md:
//
//	go run ./scripts/coverage > testdata/coverage.md
//
// A further table is one more function in tables, with its own seed.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	effort := flag.Int("effort", 100, "percent of the usual repetitions")
	flag.Parse()
	if *effort < 1 {
		fmt.Fprintf(os.Stderr, "-effort must be at least 1, got %d\n", *effort)
		os.Exit(2)
	}
	if err := write(os.Stdout, tables(), *effort); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func tables() []func(effort int) table {
	return []func(int) table{
		percentileCoverage,
		changeCoverage,
		tailChangeCoverage,
		ratioCoverage,
		pairedCoverage,
		autocorrelationCoverage,
		ledgerCoverage,
		offsetCoverage,
		endToEndFindings,
		segmentFindings,
		rankTestSize,
		selfComparisons,
		gateNights,
		driftingPairs,
		selfReports,
	}
}
