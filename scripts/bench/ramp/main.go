// Command ramp measures how many cold TLS exchanges a second coldsplit ramp makes, beside load generators
// told to open a connection for every request.
//
// Purpose: the rates this project states, and what every one of its exchanges costs in processor time.
// Inputs: nginx, and of hey, ab and wrk those that are installed; -hey names one built elsewhere: only one
// built with this Go can make the handshakes we make.
// Outputs: Markdown on standard output. All tools are measured in turns within one run against the same
// nginx, 8 and 64 in parallel; then how far the starts of bursts lie apart. Figures are medians, with the
// smallest and the largest.
// Use: go run ./scripts/bench/ramp [-repeat 5] [-for 5s] [-hey PATH]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// settings is what the flags say.
type settings struct {
	repeat int
	length time.Duration
	hey    string
	dir    string // of files made and removed again
	tool   string // the program under test
	url    string
	ca     string
}

func main() {
	s := settings{}
	flag.IntVar(&s.repeat, "repeat", 5, "turns; the median counts")
	flag.DurationVar(&s.length, "for", 5*time.Second, "how long each tool runs in a turn")
	flag.StringVar(&s.hey, "hey", "hey", "the hey to run")
	flag.Parse()
	if err := run(os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "bench ramp:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, s settings) error {
	var err error
	if s.dir, err = os.MkdirTemp("", "coldsplit-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	s.tool = filepath.Join(s.dir, "coldsplit")
	if out, err := exec.Command("go", "build", "-o", s.tool, "./cmd/coldsplit").CombinedOutput(); err != nil {
		return fmt.Errorf("build coldsplit: %w\n%s", err, out)
	}
	stop, err := s.startNginx()
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintf(w, "Cold TLS exchanges with nginx on loopback, HTTP/1.1, %d turns of %s; %s, %d processors, load %s\n",
		s.repeat, s.length, runtime.Version(), runtime.NumCPU(), loadAverage())
	for _, parallel := range []int{8, 64} {
		if err := s.measure(w, parallel); err != nil {
			return err
		}
	}
	return s.starts(w)
}

// measured is what one tool did, turn by turn.
type measured struct{ rates, costs []float64 }

// measure runs every tool in turns, there and back, so that none always follows the same one.
func (s settings) measure(w io.Writer, parallel int) error {
	tools := s.tools(parallel)
	got := map[string]*measured{}
	for turn := range s.repeat {
		order := slices.Clone(tools)
		if turn%2 == 1 {
			slices.Reverse(order)
		}
		for _, t := range order {
			one, err := t.run()
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			if got[t.name] == nil {
				got[t.name] = &measured{}
			}
			got[t.name].add(one)
		}
	}
	show(w, parallel, tools, got)
	return nil
}

func (m *measured) add(one result) {
	m.rates, m.costs = append(m.rates, one.rate), append(m.costs, one.cost)
}

func show(w io.Writer, parallel int, tools []tool, got map[string]*measured) {
	fmt.Fprintf(w, "\n| %d in parallel | exchanges/s | smallest | largest | of hey's in the same turn, alike | own CPU an exchange, ms |\n|:--|--:|--:|--:|--:|--:|\n", parallel)
	for _, t := range tools {
		m := got[t.name]
		fmt.Fprintf(w, "| `%s` | %.0f | %.0f | %.0f | %s | %.2f |\n",
			t.name, median(m.rates), slices.Min(m.rates), slices.Max(m.rates), shares(m, got[heyAlike]), median(m.costs))
	}
}

// shares are the rates as parts of another tool's in the same turns: median, smallest and largest.
func shares(m, base *measured) string {
	if base == nil {
		return "-"
	}
	var parts []float64
	for i, r := range m.rates {
		parts = append(parts, r/base.rates[i])
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median(parts), slices.Min(parts), slices.Max(parts))
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := bytes.Cut(b, []byte(" "))
	return string(first)
}
