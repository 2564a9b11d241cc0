//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/coldsplit/coldsplit/scripts/wan"
)

// longestPacket is more than the links carry in one. tcpdump gives every packet of its ring that much room:
// with its own default of 256 kB, 64 MB hold 256 packets, and a busy machine loses some.
const longestPacket = "2048"

// handedOver is after how long tcpdump has got every packet that was seen. The kernel hands over a second's
// worth at once: woken for each packet, tcpdump would hold up the very packet it is told of, by the time that
// it takes to wake an idle core.
const handedOver = 1500 * time.Millisecond

// errLostPackets is a capture that cannot be trusted.
var errLostPackets = errors.New("tcpdump lost packets")

// watch captures what crosses the client's device into file while f runs.
func watch(host *wan.Host, file string, f func() error) error {
	cmd := exec.Command("tcpdump", "-i", "wan0", "-w", file, "-s", longestPacket, "-B", "65536",
		"--time-stamp-precision=nano", "-Z", "root", "port 80 or port 443")
	said := &watched{}
	cmd.Stderr = said
	stop, err := host.Serve(cmd)
	if err != nil {
		return err
	}
	defer stop()
	if err := said.await("listening on"); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	time.Sleep(handedOver)
	stop()
	if !strings.Contains(said.String(), " 0 packets dropped by kernel") && !strings.Contains(said.String(), "\n0 packets dropped by kernel") {
		return fmt.Errorf("%w: %s", errLostPackets, strings.TrimSpace(said.String()))
	}
	return nil
}

// watched is what a process prints, readable while it runs.
type watched struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// await waits for a word, for up to 5 s.
func (w *watched) await(word string) error {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(w.String(), word) {
			return nil
		}
	}
	return fmt.Errorf("tcpdump did not start: %s", strings.TrimSpace(w.String()))
}
