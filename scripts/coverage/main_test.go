package main

import (
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestTablesDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	print := func(workers int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		var b strings.Builder
		if err := write(&b, []func(int) table{pairedCoverage, selfComparisons}, 1); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if one, three := print(1), print(3); one != three {
		t.Errorf("one worker:\n%s\nthree:\n%s", one, three)
	}
}

func TestSharesCountWhatCameTrue(t *testing.T) {
	got := shares(1000, 1, 2, func(r *rand.Rand, came []bool) { came[0], came[1] = true, r.IntN(4) == 0 })
	if got[0] != 1 || got[1] < 0.2 || got[1] > 0.3 {
		t.Errorf("shares = %v, want 1 and about a quarter", got)
	}
}

// The file in the repository must at least be of the tables this program
// makes; its figures take minutes.
func TestKeptTablesAreThese(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates for seconds")
	}
	kept, err := os.ReadFile("../../testdata/coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	var fresh strings.Builder
	if err := write(&fresh, tables(), 1); err != nil {
		t.Fatal(err)
	}
	wantEvenRows(t, fresh.String())
	if want, got := withoutFigures(fresh.String()), withoutFigures(string(kept)); !slices.Equal(got, want) {
		t.Errorf("testdata/coverage.md is of another program; run: go run ./scripts/coverage > testdata/coverage.md\n got %q\nwant %q", got, want)
	}
}

// wantEvenRows holds each row to the number of cells of its head.
func wantEvenRows(t *testing.T, markdown string) {
	t.Helper()
	above := 0
	for line := range strings.Lines(markdown) {
		cells := strings.Count(line, " | ")
		if inTable := strings.HasPrefix(line, "|"); !inTable {
			above = 0
		} else if above > 0 && cells != above {
			t.Errorf("%d cells in a table of %d: %s", cells+1, above+1, line)
		} else {
			above = cells
		}
	}
}

// withoutFigures keeps titles, notes, heads and the first cell of each row.
func withoutFigures(markdown string) []string {
	var kept []string
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "| ") && strings.Contains(line, "%") {
			line, _, _ = strings.Cut(line[2:], " | ")
		}
		kept = append(kept, line)
	}
	return kept
}
