package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/coldsplit/coldsplit/pkg/record"
)

// result is what one tool did in one turn.
type result struct {
	rate float64 // exchanges a second
	cost float64 // its own processor time an exchange, milliseconds
}

type tool struct {
	name string
	run  func() (result, error)
}

// tools are those installed, the two forms of our own first.
func (s settings) tools(parallel int) []tool {
	n, c := fmt.Sprint(parallel), s.length.String()
	all := []tool{
		{"coldsplit ramp", s.own(n, "--cacert", s.ca)},
		{"coldsplit ramp -k", s.own(n, "-k")},
	}
	heyRate, heyArgs := regexp.MustCompile(`Requests/sec:\s+([\d.]+)`), []string{"-disable-keepalive", "-c", n, "-z", c, s.url}
	for _, other := range []struct {
		name, program string
		rate          *regexp.Regexp
		args          []string
	}{
		{heyBase, s.hey, heyRate, heyArgs},
		{heyAlike, s.hey, heyRate, heyArgs},
		{"wrk, Connection: close", "wrk", regexp.MustCompile(`Requests/sec:\s+([\d.]+)`), []string{"-t2", "-c" + n, "-d" + c, "-H", "Connection: close", s.url}},
		{"ab", "ab", regexp.MustCompile(`Requests per second:\s+([\d.]+)`), []string{"-q", "-c", n, "-t", fmt.Sprint(int(s.length.Seconds())), "-n", "1000000", s.url}},
	} {
		if path, err := exec.LookPath(other.program); err == nil {
			all = append(all, tool{other.name, func() (result, error) { return s.foreign(path, other.name, other.rate, other.args) }})
		}
	}
	return all
}

// The two forms of hey. Its module is old enough that Go leaves the hybrid key share out of its
// handshakes; with it they are those a current browser and we make.
const (
	heyBase  = "hey -disable-keepalive"
	heyAlike = "the same with a hybrid key share"
)

// foreign runs a load generator and finds its rate in what it prints.
func (s settings) foreign(path, name string, rate *regexp.Regexp, args []string) (result, error) {
	cmd := exec.Command(path, args...)
	if name == heyAlike {
		cmd.Env = append(os.Environ(), "GODEBUG=tlsmlkem=1")
	}
	began := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(began)
	found := rate.FindSubmatch(out)
	if found == nil {
		return result{}, fmt.Errorf("no rate in its output: %v\n%s", err, out)
	}
	r, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		return result{}, err
	}
	return result{rate: r, cost: perExchange(cmd, r*took.Seconds())}, nil
}

// perExchange is a finished process's own processor time over the exchanges it made, in milliseconds.
func perExchange(cmd *exec.Cmd, exchanges float64) float64 {
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return used.Seconds() * 1000 / exchanges
}

// ramped is what is read of the JSON form of a ramp.
type ramped struct {
	Stages []struct {
		Counts struct{ OK, Failed int }
		Start  struct {
			P50     float64 `json:"skew_p50_ns"`
			Max     float64 `json:"skew_max_ns"`
			Connect float64 `json:"connect_spread_ns"`
		}
	}
}

// own runs ramp with a stage kept up. Its rate is over the time from the first start to the last end, as
// those of the others are: what a process does before and after is in its processor time.
func (s settings) own(parallel string, trust ...string) func() (result, error) {
	return func() (result, error) {
		saved := filepath.Join(s.dir, "turn.jsonl")
		defer os.Remove(saved)
		args := append([]string{"ramp", s.url, "--http", "1.1", "--stages", parallel, "--hold", s.length.String(), "--save", saved, "-f", "json"}, trust...)
		cmd := exec.Command(s.tool, args...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			return result{}, fmt.Errorf("%w\n%s", err, errs.Bytes())
		}
		var got ramped
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			return result{}, err
		}
		stage := got.Stages[0]
		if stage.Counts.Failed > 0 {
			return result{}, fmt.Errorf("%d exchanges failed", stage.Counts.Failed)
		}
		took, err := span(saved)
		if err != nil {
			return result{}, err
		}
		ok := float64(stage.Counts.OK)
		return result{rate: ok / took.Seconds(), cost: perExchange(cmd, ok)}, nil
	}
}

// span is the time from the first start to the last end of a run file's exchanges.
func span(path string) (time.Duration, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := record.NewReader(f, record.ReadOptions{})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var first, last time.Time
	for x, err := range r.All() {
		if err != nil {
			return 0, err
		}
		if first.IsZero() || x.Started.Before(first) {
			first = x.Started
		}
		if end := x.Started.Add(x.Total); end.After(last) {
			last = end
		}
	}
	return last.Sub(first), nil
}
