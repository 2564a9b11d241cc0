//go:build unix

// Command lab measures the lab itself: how much longer than the configured round
// trip a handshake or an exchange over it takes, and what it costs in processor
// time, both on an idle machine and with one core kept busy by another process.
//
// Inputs: -n exchanges of each kind (default 200), -rtt (default 10ms).
// Output: one Markdown table on stdout. Delays in the lab are lower bounds, so the
// error is never negative; TLS and QUIC rows hold the cryptography of both ends.
//
//	go run ./scripts/bench/lab
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

func main() {
	n := flag.Int("n", 200, "exchanges of each kind")
	rtt := flag.Duration("rtt", 10*time.Millisecond, "round trip of the path")
	spin := flag.Bool("spin", false, "keep one core busy until killed; for the program's own use")
	flag.Parse()
	if *spin {
		burn()
	}
	if err := run(*n, *rtt); err != nil {
		fmt.Fprintln(os.Stderr, "bench lab:", err)
		os.Exit(1)
	}
}

// burn computes until the process is killed, or its parent is gone.
func burn() {
	parent := os.Getppid()
	for x := 1.0; os.Getppid() == parent; {
		for range 1_000_000 {
			x = math.Sqrt(x + 1)
		}
	}
}

func run(n int, rtt time.Duration) error {
	if n < 1 {
		return fmt.Errorf("-n must be at least 1, got %d", n)
	}
	bench, err := newBench(rtt)
	if err != nil {
		return err
	}
	defer bench.close()
	idle, err := bench.all(n)
	if err != nil {
		return err
	}
	busy, err := underLoad(func() ([]result, error) { return bench.all(n) })
	if err != nil {
		return err
	}
	print(n, rtt, idle, busy)
	return nil
}

// underLoad measures while another process keeps one core busy: a spinning
// goroutine of our own would stand in the processor time.
func underLoad(measure func() ([]result, error)) ([]result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	load := exec.Command(self, "-spin")
	if err := load.Start(); err != nil {
		return nil, fmt.Errorf("keep a core busy: %w", err)
	}
	defer func() {
		_ = load.Process.Kill()
		_ = load.Wait()
	}()
	return measure()
}

// result is one kind of exchange measured n times.
type result struct {
	kind     string
	trips    int
	p50, p99 time.Duration // beyond trips round trips
	cpu      time.Duration // of this process, for each
}

// sample repeats one kind of exchange, which returns how long its timed part took.
func sample(k kind, n int, rtt time.Duration) (result, error) {
	excess := make([]time.Duration, 0, n)
	before := cpuTime()
	for range n {
		took, err := k.do()
		if err != nil {
			return result{}, fmt.Errorf("%s: %w", k.name, err)
		}
		excess = append(excess, took-time.Duration(k.trips)*rtt)
	}
	cpu := (cpuTime() - before) / time.Duration(n)
	slices.Sort(excess)
	rank := func(p int) time.Duration { return excess[(n*p+99)/100-1] }
	return result{k.name, k.trips, rank(50), rank(99), cpu}, nil
}

// cpuTime is what this process has used so far, in user and system mode.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("bench lab: getrusage of the own process: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func print(n int, rtt time.Duration, idle, busy []result) {
	fmt.Printf("Lab timing error and cost, %d of each kind, round trip %v, %d cores, %s.\n\n", n, rtt, runtime.NumCPU(), runtime.Version())
	fmt.Println("| exchange | round trips | p50 error, us | with a core busy | ratio | p99 error, us | with a core busy | ratio | CPU each, us | with a core busy | ratio |")
	fmt.Println("|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for i, a := range idle {
		b := busy[i]
		fmt.Printf("| %s | %d | %s | %s | %s |\n", a.kind, a.trips, pair(a.p50, b.p50), pair(a.p99, b.p99), pair(a.cpu, b.cpu))
	}
}

// pair is two figures in microseconds and the second over the first.
func pair(a, b time.Duration) string {
	return fmt.Sprintf("%d | %d | %.2f", a.Microseconds(), b.Microseconds(), float64(b)/float64(a))
}
