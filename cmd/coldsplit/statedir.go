package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// stateDir is where runs are kept by default (XDG Base Directory specification, $XDG_STATE_HOME).
func stateDir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "coldsplit"), nil
	}
	if dir := getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "coldsplit"), nil
	}
	home := getenv("HOME")
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", fmt.Errorf("find a folder for runs: %w; name a file with --save", err)
		}
	}
	return filepath.Join(home, ".local", "state", "coldsplit"), nil
}

// runFileName names a kept run so that names sort by time.
func runFileName(started time.Time, host string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, strings.ToLower(host))
	return started.UTC().Format("20060102T150405.000Z") + "-" + safe + ".jsonl"
}

// lastRun is the newest kept run.
func lastRun(getenv func(string) string) (string, error) {
	dir, err := stateDir(getenv)
	if err != nil {
		return "", err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(names) == 0 {
		return "", fmt.Errorf("no run is kept in %s yet", dir)
	}
	return slices.Max(names), nil
}
