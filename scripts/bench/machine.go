package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// heading says what was measured, on what, and how busy it was.
func heading(w io.Writer, repeat string) error {
	commit, err := output("git", "describe", "--always", "--dirty", "--abbrev=12")
	if err != nil {
		return err
	}
	kernel, err := output("uname", "-sr")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, `# What coldsplit costs

Printed by `+"`go run ./scripts/bench`"+`. Figures are medians of %s turns unless a table says otherwise, with the
smallest and the largest in brackets; what stands beside each other was measured in turns.

- commit: %s
- machine: %s, %d cores, %s, %s, %s
- load when it began: %s
`, repeat, commit, field("/proc/cpuinfo", "model name"), runtime.NumCPU(), field("/proc/meminfo", "MemTotal"), kernel, runtime.Version(), load())
	return err
}

// load is the mean number of tasks that wanted a core over 1, 5 and 15 minutes: other work on the
// machine makes wall time longer than it needs to be.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], ", ")
}

// field is a value of a file of the form "name: value".
func field(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// need installs a Debian package when a command is missing.
func need(command, pkg string) error {
	if _, err := exec.LookPath(command); err == nil {
		return nil
	}
	cmd := exec.Command("sh", "-c", "apt-get update -qq && apt-get install -y -qq --no-install-recommends "+pkg)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("install %s: %w", pkg, err)
	}
	return nil
}

// buildTool builds the program under test.
func buildTool(dir string) (string, error) {
	return build(filepath.Join(dir, "coldsplit"), "./cmd/coldsplit")
}

// build builds a command of this module into path.
func build(path string, args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"build", "-o", path}, args...)...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build %s: %w", strings.Join(args, " "), err)
	}
	return path, nil
}
