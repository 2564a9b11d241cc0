//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/coldsplit/coldsplit/scripts/k6"
)

// programs are what is measured with and against, by Debian package.
var programs = map[string]string{
	"ip": "iproute2", "tcpdump": "tcpdump", "tshark": "tshark", "caddy": "caddy", "curl": "curl",
	"httping": "httping", "hey": "hey", "prometheus-blackbox-exporter": "prometheus-blackbox-exporter",
}

// prepare installs what is missing and builds coldsplit and k6.
func prepare(dir string) (*bench, error) {
	installed := make(chan error, 1)
	go func() { installed <- install() }() // mostly waits for packages to come
	b := &bench{coldsplit: filepath.Join(dir, "coldsplit")}
	err := command("go", "build", "-o", b.coldsplit, "./cmd/coldsplit")
	if err == nil {
		b.k6 = k6Path()
	}
	return b, errors.Join(<-installed, err)
}

func install() error {
	var missing []string
	for program, pack := range programs {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, pack)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if err := command("apt-get", "update", "-qq"); err != nil {
		return err
	}
	return command("apt-get", append([]string{"install", "-y", "-qq", "--no-install-recommends"}, missing...)...)
}

// k6Path returns the path of k6; "" when it cannot be had, which the table then says.
func k6Path() string {
	path, err := k6.Path(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, "k6 is left out:", err)
	}
	return path
}

func command(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(out))
	}
	return nil
}

// spin keeps one core busy until the function returned is called.
func spin() (stop func()) {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return func() {}
	}
	return func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// describeMachine says where and from what the numbers come.
func describeMachine() string {
	commit := first("git", "rev-parse", "--short", "HEAD")
	if first("git", "status", "--porcelain", "--untracked-files=no") != "" {
		commit += " with uncommitted changes"
	}
	load, _ := os.ReadFile("/proc/loadavg")
	return fmt.Sprintf("Commit %s, %s, %s; %s, %d cores, Linux %s; load average at the end %s.",
		commit, time.Now().UTC().Format("2006-01-02 15:04 UTC"), runtime.Version(), processor(), runtime.NumCPU(),
		first("uname", "-r"), strings.Join(strings.Fields(string(load))[:3], " "))
}

func first(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// processor is the model's name.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for _, line := range strings.Split(string(info), "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
