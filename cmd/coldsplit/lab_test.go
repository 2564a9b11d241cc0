package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldsplit/coldsplit/pkg/lab/scenario"
	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/report"
	"github.com/coldsplit/coldsplit/pkg/servertest"
)

// labRun runs one command of the lab's and returns what it printed.
func labRun(t *testing.T, newCommand func(streams) *cobra.Command, args ...string) (string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := newCommand(streams{in: strings.NewReader(""), out: &out, err: &errs, getenv: noEnvironment})
	cmd.SetArgs(args)
	cmd.SetOut(&errs)
	cmd.SetErr(&errs)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestLabListNamesEveryScenario(t *testing.T) {
	text, err := labRun(t, newLabCommand, "list")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range scenario.List() {
		if !strings.Contains(text, "\n"+i.Name+" ") {
			t.Errorf("the list lacks %s:\n%s", i.Name, text)
		}
	}
}

func TestLabShowPrintsWhatCanBeRun(t *testing.T) {
	for _, name := range []string{"stranded-state", "edge-handshake/lagos"} {
		text, err := labRun(t, newLabCommand, "show", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenario.Parse("shown.yaml", []byte(text)); err != nil {
			t.Errorf("%s is shown as what is no scenario: %v", name, err)
		}
	}
}

const threeCities = `client: Lagos
services:
  edge: {city: Frankfurt, provider: cloudflare, calls: [db, cache]}
  db: {city: Dublin, takes: 4ms, state: true}
  cache: {city: Frankfurt, takes: 1ms}
`

func writeScenario(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLabRunRehearsesAMove(t *testing.T) {
	path := writeScenario(t, threeCities)
	text, err := labRun(t, newLabCommand, "run", path, "--set", "edge.city=Tokyo", "-n", "2", "--interval", "1ms", "--no-save")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"REHEARSED", "wait.pre_forward", "what to move along",
		"db stays in Dublin: every request to edge pays Tokyo-Dublin once before", "--set db.city=Tokyo"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

func TestLabRunJSONIsOneObjectWithItsAdvice(t *testing.T) {
	path := writeScenario(t, threeCities)
	text, err := labRun(t, newLabCommand, "run", path, "--set", "edge.city=Tokyo", "-n", "2", "--interval", "1ms", "--no-save", "-f", "json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema string        `json:"schema"`
		Advice []adviceEntry `json:"advice"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "coldsplit.compare/1" || len(got.Advice) != 2 || got.Advice[1].Move != "db.city=Tokyo" {
		t.Errorf("schema %q, advice %+v; want a comparison with cache, the dearer one, and db", got.Schema, got.Advice)
	}
}

func TestLabMistakesAreUsageErrors(t *testing.T) {
	broken := writeScenario(t, strings.Replace(threeCities, "Dublin", "Dublinn", 1))
	for want, args := range map[string][]string{
		`:4:14: place "Dublinn": not known`:                 {"run", broken},
		`unknown scenario "nowhere"; there are bench-lane,`: {"run", "nowhere"},
		`set "egde.city=Tokyo": no service "egde"`:          {"run", writeScenario(t, threeCities), "--set", "egde.city=Tokyo"},
		"--port must be between 0 and 65000, got 70000":     {"serve", "drift", "--port", "70000"},
	} {
		_, err := labRun(t, newLabCommand, args...)
		if _, usage := err.(*usageError); !usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want a usage error with %q", args, err, want)
		}
	}
}

func TestLabServeOpensPortsUntilItIsStopped(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	var out bytes.Buffer
	ca, port := filepath.Join(t.TempDir(), "root.pem"), freePort(t)
	asked := make(chan error, 1)
	go func() { asked <- dialWhenOpen(ctx, ca, fmt.Sprintf("127.0.0.1:%d", port)) }()
	err := runLabServe(ctx, labServeOptions{name: "early-hints", ca: ca, port: port, seed: 1}, streams{out: &out})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-asked; err != nil {
		t.Errorf("the door: %v", err)
	}
	want := fmt.Sprintf("hints\n  curl --cacert %s --resolve hints.example:%d:127.0.0.1 https://hints.example:%d/", ca, port, port)
	if !strings.Contains(out.String(), want) {
		t.Errorf("told %s\nwithout %q", out.String(), want)
	}
}

// freePort is a port of loopback that nobody listened on a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// dialWhenOpen connects once the root certificate, which is written last, is there.
func dialWhenOpen(ctx context.Context, ca, addr string) error {
	for {
		if _, err := os.Stat(ca); err == nil {
			c, err := net.Dial("tcp", addr)
			if err == nil {
				c.Close()
			}
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// A kept run's plan is a command line that measures the same again.
func TestLabRunKeepsAPlanThatRunsAgain(t *testing.T) {
	path := writeScenario(t, threeCities)
	file := filepath.Join(t.TempDir(), "run.jsonl")
	if _, err := labRun(t, newLabCommand, "run", path, "-n", "1", "--save", file); err != nil {
		t.Fatal(err)
	}
	p, err := savedPlan(file, streams{getenv: noEnvironment})
	if err != nil {
		t.Fatal(err)
	}
	if p.Command != "lab" {
		t.Fatalf("planned command %q, want lab", p.Command)
	}
	args := append([]string{"--no-save=true"}, p.Args...)
	if text, err := labRun(t, newLabCommand, args...); err != nil || !strings.Contains(text, "wait.pre_forward") {
		t.Errorf("lab %q: %v\n%s", args, err, text)
	}
}

// The demo's story, from few requests: three tables, two sentences to quote, three commands.
func TestDemoTellsThreeMoves(t *testing.T) {
	o := demoOptions{run: runFlags{n: 3, seed: demoSeed, noSave: true}, output: outputFlags{format: "text", color: "never"}}
	var out bytes.Buffer
	if err := runDemo(t.Context(), o, streams{out: &out, getenv: noEnvironment}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for want, times := range map[string]int{"\nms at p50 ": 3, "\n  -  ": 2, "    coldsplit ": 3, "REHEARSED": 1, "a fallback": 1} {
		if got := strings.Count(text, want); got != times {
			t.Errorf("%q stands %d times in the demo, want %d:\n%s", want, got, times, text)
		}
	}
}

// The whole demo reaches the published conclusions: within 5 % where nothing else runs, at the third
// try; beside other tests, whose work is measured as well, within 30 % at the first.
func TestDemoReachesThePublishedFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	percent, tries := int64(30), 1
	if servertest.HoldFigures() {
		percent, tries = 5, 3
	}
	var missed []string
	for range tries {
		if missed = missedByDemo(t, percent); missed == nil {
			return
		}
	}
	t.Error(strings.Join(missed, "; "))
}

// missedByDemo runs the demo and lists the published figures it is further from than percent.
func missedByDemo(t *testing.T, percent int64) (missed []string) {
	t.Helper()
	text, err := labRun(t, newDemoCommand, "-f", "json")
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Rehearsed bool
		Moves     []struct {
			Arms []struct {
				Segments map[string]struct {
					P50 int64 `json:"p50_ns"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &told); err != nil || len(told.Moves) != 3 || !told.Rehearsed {
		t.Fatalf("moves %d, rehearsed %t, %v", len(told.Moves), told.Rehearsed, err)
	}
	last := told.Moves[2].Arms
	for i, want := range []int64{469, 252} {
		got := last[i].Segments["total"].P50 / int64(time.Millisecond)
		if got < want*(100-percent)/100 || got > want*(100+percent)/100 {
			missed = append(missed, fmt.Sprintf("state-%d takes %d ms at p50, published %d", i+2, got, want))
		}
	}
	return missed
}

func TestAdviceIsSpliced(t *testing.T) {
	doc := withAdvice(report.Document{JSON: record.Counts{}}, true, nil)
	if _, err := json.Marshal(doc.JSON); err != nil {
		t.Error(err)
	}
	if _, err := json.Marshal(advisedJSON{[]int{1}, nil}); err == nil {
		t.Error("a list took a member")
	}
}
