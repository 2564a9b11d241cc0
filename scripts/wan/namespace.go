//go:build linux

package wan

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// namespace is a network namespace without a name: it lives as long as somebody is in it or holds it.
type namespace struct {
	file *os.File
}

// newNamespace makes an empty network namespace and leaves the calling thread where it was.
func newNamespace() (*namespace, error) {
	var ns *namespace
	err := onThread(func() (err error) {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("unshare the network: %w", err)
		}
		ns, err = current()
		return err
	})
	return ns, err
}

// current is the calling thread's namespace.
func current() (*namespace, error) {
	file, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		return nil, err
	}
	return &namespace{file: file}, nil
}

// onThread runs f with the goroutine tied to its thread and puts the thread back afterwards, however f
// ends. A thread that cannot be put back stays tied, and so ends with the goroutine.
func onThread(f func() error) error {
	runtime.LockOSThread()
	home, err := current()
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	defer func() {
		if home.enter() == nil {
			runtime.UnlockOSThread()
		}
		home.close()
	}()
	return f()
}

// enter moves the calling thread into ns.
func (ns *namespace) enter() error {
	if err := unix.Setns(int(ns.file.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("enter the network namespace: %w", err)
	}
	return nil
}

// do runs f on a thread inside ns, on the caller's goroutine.
func (ns *namespace) do(f func() error) error {
	return onThread(func() error {
		if err := ns.enter(); err != nil {
			return err
		}
		return f()
	})
}

// configure runs lines of ip(8) inside ns.
func (ns *namespace) configure(lines ...string) error {
	return ns.do(func() error {
		cmd := exec.Command("ip", "-batch", "-")
		cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("ip: %w: %s", err, strings.TrimSpace(string(out)))
		}
		return nil
	})
}

func (ns *namespace) close() error { return ns.file.Close() }
