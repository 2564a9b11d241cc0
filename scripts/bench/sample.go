package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// sample is figures of one kind, one a turn.
type sample []float64

// median is the middle one, the lower of two.
func (s sample) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[(len(sorted)-1)/2]
}

// show writes the median and what it varied between.
func (s sample) show(format string) string {
	if len(s) == 0 {
		return "-"
	}
	if len(s) == 1 {
		return fmt.Sprintf(format, s[0])
	}
	return fmt.Sprintf(format+" ("+format+" to "+format+")", s.median(), slices.Min(s), slices.Max(s))
}

// over divides turn by turn, so that what slows the machine for a while slows both.
func (s sample) over(base sample) sample {
	var out sample
	for i := range min(len(s), len(base)) {
		out = append(out, s[i]/base[i])
	}
	return out
}

// minus subtracts turn by turn.
func (s sample) minus(base sample) sample {
	var out sample
	for i := range min(len(s), len(base)) {
		out = append(out, s[i]-base[i])
	}
	return out
}

// usage is what one process took.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes of resident memory
}

// measured runs a command to its end; its standard output goes to w.
func measured(w io.Writer, name string, args ...string) (usage, error) {
	return measuredIn(nil, w, name, args...)
}

// measuredIn is measured with more in the environment.
func measuredIn(env []string, w io.Writer, name string, args ...string) (usage, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = w, &errs
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	u := usage{wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = r.Maxrss << 10
	}
	return u, nil
}

// usages are those of one command, one a turn.
type usages []usage

func (u usages) of(f func(usage) float64) sample {
	var out sample
	for _, x := range u {
		out = append(out, f(x))
	}
	return out
}

func (u usages) wall() sample { return u.of(func(x usage) float64 { return x.wall.Seconds() }) }
func (u usages) cpu() sample  { return u.of(func(x usage) float64 { return x.cpu.Seconds() }) }
func (u usages) peak() sample {
	return u.of(func(x usage) float64 { return float64(x.peak) / (1 << 20) })
}

// table writes rows of cells as Markdown; the first row is the head.
func table(w io.Writer, title string, rows [][]string) {
	fmt.Fprintf(w, "\n## %s\n\n", title)
	for i, row := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(w, "|%s\n", strings.Repeat(" --- |", len(row)))
		}
	}
}

// cpuOfThis is the processor time this process has used.
func cpuOfThis() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		fmt.Fprintln(os.Stderr, "bench: processor time:", err)
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
