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

// jqMedian takes the median of the totals alone with jq and sort, as a shell user would.
func jqMedian(w io.Writer, path string) (usage, error) {
	const script = `jq -r 'select(.type == "exchange" and .outcome == "ok") | .total_ns' "$0" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'`
	return measured(w, "sh", "-c", script, path)
}

// jqAgrees checks the median that jq found.
func jqAgrees(text string, want int64) error {
	got, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || got != want {
		return fmt.Errorf("jq's median is %q, DuckDB's %d", text, want)
	}
	return nil
}
