package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// duckScript lies in a folder of its own beside DuckDB's package.
//
//go:embed duckdb.mjs
var duckScript []byte

const duckPackage = "@duckdb/node-api@1.5.6-r.1"

// duck is DuckDB, installed.
type duck struct{ script string }

// newDuck installs DuckDB into the user's cache folder, once.
func newDuck() (duck, error) {
	if err := errors.Join(need("node", "nodejs"), need("npm", "npm")); err != nil {
		return duck{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return duck{}, err
	}
	dir := filepath.Join(cache, "coldsplit-bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return duck{}, err
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@duckdb", "node-api")); err != nil {
		cmd := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--silent", duckPackage)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return duck{}, fmt.Errorf("install %s: %w", duckPackage, err)
		}
	}
	d := duck{filepath.Join(dir, "duckdb.mjs")}
	return d, os.WriteFile(d.script, duckScript, 0o644)
}

// duckAnswer is what the script prints.
type duckAnswer struct {
	N       int              `json:"n"`
	P50     map[string]int64 `json:"p50"`
	Seconds float64          `json:"seconds"`
}

func (d duck) read(path string) (duckAnswer, usage, error) {
	var out bytes.Buffer
	var a duckAnswer
	u, err := measured(&out, "node", d.script, path)
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &a)
	}
	return a, u, err
}

// agree compares the p50s of DuckDB with those of `coldsplit report -f json`: all are nearest-rank.
func (a duckAnswer) agree(tool, path string) error {
	text, err := output(tool, "report", "-f", "json", path)
	if err != nil {
		return err
	}
	var r struct {
		Arms []struct {
			Segments map[string]struct {
				N   int   `json:"n"`
				P50 int64 `json:"p50_ns"`
			} `json:"segments"`
		} `json:"arms"`
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	for key, want := range a.P50 {
		if got := r.Arms[0].Segments[key]; got.P50 != want || got.N != a.N {
			return fmt.Errorf("%s: p50 of %s is %d of %d, DuckDB has %d of %d", path, key, got.P50, got.N, want, a.N)
		}
	}
	return nil
}

// jqMedians takes the medians of the total and of every segment with jq, sort and awk, as a shell
// user would: what DuckDB is asked for as well, without the other percentiles.
func jqMedians(w io.Writer, path string) (usage, error) {
	const script = `jq -r 'select(.type == "exchange" and .outcome == "ok")
  | "total \(.total_ns)", (.segments | to_entries[] | "\(.key) \(.value)")' "$0" |
LC_ALL=C sort -k1,1 -k2,2n |
awk 'function told() { if (n) print name, v[int((n + 1) / 2)] }
  $1 != name { told(); name = $1; n = 0 } { v[++n] = $2 } END { told() }'`
	return measured(w, "sh", "-c", script, path)
}

// jqAgrees checks the medians that jq found against ours.
func jqAgrees(text string, want map[string]int64) error {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		got, err := strconv.ParseInt(value, 10, 64)
		if expected, asked := want[name]; asked && (err != nil || got != expected) {
			return fmt.Errorf("jq's median of %s is %q, DuckDB's %d", name, value, expected)
		}
	}
	if !strings.Contains(text, "total ") {
		return fmt.Errorf("jq found no total in %q", text)
	}
	return nil
}
