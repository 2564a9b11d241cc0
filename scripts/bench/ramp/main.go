// Command ramp measures how many cold TLS exchanges a second coldsplit ramp makes, beside load generators
// told to open a connection for every request.
//
// Purpose: the rates this project states, and what every one of its exchanges costs in processor time.
// Inputs: nginx, and of hey, ab and wrk those that are installed; -hey names one built elsewhere: only one
// built with this Go can make the handshakes we make.
// Outputs: Markdown on standard output. All tools are measured in turns within one run against the same
// nginx, 8 and 64 in parallel; figures are medians, with the smallest and the largest.
// Use: go run ./scripts/bench/ramp [-repeat 3] [-for 5s] [-hey PATH]
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
	flag.IntVar(&s.repeat, "repeat", 3, "turns; the median counts")
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
	return nil
}

// measure runs every tool in turns.
func (s settings) measure(w io.Writer, parallel int) error {
	tools := s.tools(parallel)
	rates, costs := map[string][]float64{}, map[string][]float64{}
	var start []string
	for range s.repeat {
		for _, t := range tools {
			got, err := t.run()
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			rates[t.name] = append(rates[t.name], got.rate)
			costs[t.name] = append(costs[t.name], got.cost)
			if got.start != "" {
				start = append(start, got.start)
			}
		}
	}
	base := median(rates[heyAlike])
	fmt.Fprintf(w, "\n| %d in parallel | exchanges/s | smallest | largest | of hey's, alike | own CPU an exchange, ms |\n|:--|--:|--:|--:|--:|--:|\n", parallel)
	for _, t := range tools {
		r := rates[t.name]
		fmt.Fprintf(w, "| `%s` | %.0f | %.0f | %.0f | %s | %.2f |\n", t.name, median(r), slices.Min(r), slices.Max(r), share(median(r), base), median(costs[t.name]))
	}
	fmt.Fprintf(w, "\nstarts of the first burst: %s\n", bytes.Join(lines(start), []byte("; ")))
	return nil
}

func lines(texts []string) (out [][]byte) {
	for _, t := range texts {
		out = append(out, []byte(t))
	}
	return out
}

func share(rate, base float64) string {
	if base == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", rate/base)
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
