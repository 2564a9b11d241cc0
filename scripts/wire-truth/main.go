//go:build linux

// Command wire-truth compares what coldsplit and its peers report with what crossed the wire.
//
// Purpose: the error table. Every tool measures the same server over the same links, across real
// kernels (scripts/wan), while tcpdump watches the client's device; tshark decrypts, and the true times
// of each exchange are computed from its packets. The table holds |reported - wire| for every segment.
//
// Inputs: none; root on Linux. Missing programs are installed from Debian, k6 is built from its module.
// Outputs: the table as Markdown, on stdout and in the file named by -o.
//
//	go run ./scripts/wire-truth
//
// takes about a quarter of an hour, and some minutes more where k6 has to be built first. It needs a quiet machine: what else runs on it is in the errors.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	out := flag.String("o", "scripts/wire-truth/RESULTS.md", "write the table to `FILE`")
	only := flag.String("only", "", "measure the `TOOLS` named alone, separated by commas")
	quick := flag.Int("n", 0, "exchanges per cell instead of the full numbers")
	flag.Parse()
	if err := run(*out, *only, *quick); err != nil {
		fmt.Fprintln(os.Stderr, "wire-truth:", err)
		os.Exit(1)
	}
}

func run(out, only string, quick int) error {
	if os.Geteuid() != 0 {
		return errors.New("network namespaces need root")
	}
	dir, err := os.MkdirTemp("", "wire-truth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := prepare(dir)
	if err != nil {
		return err
	}
	stages, closeAll, err := newStages(dir)
	if err != nil {
		return err
	}
	defer closeAll()
	results, err := b.all(stages, plan(quick), chosen(only))
	if err != nil {
		return err
	}
	text := render(results, describeMachine())
	fmt.Print(text)
	return os.WriteFile(out, []byte(text), 0o644)
}

// condition is what a row of cells has in common.
type condition struct {
	busy bool // one core is kept busy by a process that only spins
	rtt  time.Duration
	path string
	n    int
}

// plan lists the conditions: every round trip quiet and busy, and a long answer at one of them.
func plan(quick int) []condition {
	numbers := []struct {
		rtt time.Duration
		n   int
	}{
		{100 * time.Microsecond, 200}, {5 * time.Millisecond, 200}, {20 * time.Millisecond, 100},
		{50 * time.Millisecond, 100}, {250 * time.Millisecond, 20},
	}
	var list []condition
	for _, busy := range []bool{false, true} {
		for _, c := range numbers {
			list = append(list, condition{busy: busy, rtt: c.rtt, path: smallPath, n: c.n})
		}
		list = append(list, condition{busy: busy, rtt: 20 * time.Millisecond, path: bigPath, n: 50})
	}
	if quick > 0 {
		for i := range list {
			list[i].n = quick
		}
	}
	return list
}

// chosen are the tools named, all when none is.
func chosen(names string) []tool {
	if names == "" {
		return tools()
	}
	return slices.DeleteFunc(tools(), func(t tool) bool { return !slices.Contains(strings.Split(names, ","), t.name) })
}

// all measures every tool under every condition.
func (b *bench) all(stages []*stage, conditions []condition, tools []tool) ([]cell, error) {
	var cells []cell
	for _, c := range conditions {
		fmt.Fprintf(os.Stderr, "%s: %s\n", time.Now().Format(time.TimeOnly), c.title())
		for _, s := range stages {
			s.setRTT(c.rtt)
		}
		calm := func() {}
		if c.busy {
			calm = spin()
		}
		row, err := b.row(stages, c, tools)
		if errors.Is(err, errLostPackets) { // a moment's stall of the machine: measure the row again, once
			fmt.Fprintln(os.Stderr, "measured again:", err)
			row, err = b.row(stages, c, tools)
		}
		if err == nil {
			b.fill(stages, c, row)
		}
		calm()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.title(), err)
		}
		cells = append(cells, row...)
	}
	return cells, nil
}
