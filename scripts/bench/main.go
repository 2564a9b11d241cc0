// Command bench measures what coldsplit costs: beside bare clients, curl and k6, at scale beside jq and
// DuckDB, and at start-up beside curl.
//
// Purpose: every figure about speed and memory that this project states; RESULTS.md beside this file is
// its output.
// Inputs: none; what is missing of curl, jq, node and npm is installed from Debian, DuckDB from npm, and k6
// is built from its module.
// Outputs: Markdown on standard output, or in the file that -o names. What is held against each other is
// measured in turns within one run; figures are medians with the smallest and the largest.
// Above 10^6 rows there are compressed files alone; -rows 1000000,10000000 takes 7 minutes and 2.2 GB.
// Use: go run ./scripts/bench [-repeat 5] [-rows 10000,100000,1000000] [-o FILE] [cold|memory|scale|start]...
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// settings is what the flags say.
type settings struct {
	repeat int
	rows   []int
	dir    string // of files made and removed again
	tool   string // the program under test
}

// parts are measured in this order, each in a process of its own.
var parts = []struct {
	name string
	run  func(io.Writer, settings) error
}{{"cold", cold}, {"memory", memory}, {"scale", scale}, {"start", start}}

// part measures one part: part NAME REPEAT ROWS DIR TOOL.
func part(args []string) error {
	s, err := newSettings(args[1], args[2])
	if err != nil {
		return err
	}
	s.dir, s.tool = args[3], args[4]
	for _, p := range parts {
		if p.name == args[0] {
			return p.run(os.Stdout, s)
		}
	}
	return fmt.Errorf("no part %q: expected cold, memory, scale or start", args[0])
}

func newSettings(repeat, rows string) (settings, error) {
	var s settings
	var err error
	if s.repeat, err = strconv.Atoi(repeat); err != nil || s.repeat < 1 {
		return s, fmt.Errorf("-repeat must be at least 1, got %q", repeat)
	}
	for _, text := range strings.Split(rows, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return s, fmt.Errorf("-rows must be numbers with commas between, got %q", rows)
		}
		s.rows = append(s.rows, n)
	}
	return s, nil
}

func main() {
	if len(os.Args) > 1 {
		if help := helperOf(os.Args[1]); help != nil {
			check(help(os.Args[2:]))
			return
		}
	}
	repeat := flag.String("repeat", "5", "turns of everything that is measured")
	rows := flag.String("rows", "10000,100000,1000000", "sizes of the run files")
	out := flag.String("o", "", "write there instead of standard output")
	flag.Parse()
	_, err := newSettings(*repeat, *rows)
	check(err)
	check(run(*repeat, *rows, flag.Args(), *out))
}

// check ends a command that cannot go on.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(repeat, rows string, chosen []string, out string) error {
	dir, err := os.MkdirTemp("", "coldsplit-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tool, err := buildTool(dir)
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		for _, p := range parts {
			chosen = append(chosen, p.name)
		}
	}
	var text bytes.Buffer
	began := time.Now()
	if err := heading(&text, repeat); err != nil {
		return err
	}
	failed := measureParts(&text, chosen, repeat, rows, dir, tool)
	fmt.Fprintf(&text, "\nMeasured in %v; load at the end %s.\n", time.Since(began).Round(time.Second), load())
	if out == "" {
		_, err = os.Stdout.Write(text.Bytes())
	} else {
		err = os.WriteFile(out, text.Bytes(), 0o644)
	}
	return errors.Join(err, failed)
}

// measureParts runs every part; one that fails does not take the others along.
func measureParts(w io.Writer, names []string, args ...string) error {
	var failed error
	for _, name := range names {
		fmt.Fprintln(os.Stderr, "bench:", name)
		if _, err := measured(w, os.Args[0], append([]string{"part", name}, args...)...); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
