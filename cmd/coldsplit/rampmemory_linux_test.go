//go:build !race

// The race detector has pages of its own for every page in use.

package main

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// The first exchanges of a ramp had the memory they needed from the system one page at a time, and the
// faults were told as time of the service. The memory is that of a process which has just begun, as a ramp's:
// in this one other tests have left holes that are filled first.
func TestARampHasItsMemoryBeforeTheFirstRequest(t *testing.T) {
	const alone = "COLDSPLIT_TEST_ALONE"
	if os.Getenv(alone) == "" {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), alone+"=1", "GOMEMLIMIT=off") // a limit has memory given back at once
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	defer rareCollections()()
	takeMemory(mostMemory)
	const used = mostMemory / 2
	before := pageFaults(t)
	for range used / memoryOfOne {
		use(make([]byte, memoryOfOne))
	}
	faults, pages := pageFaults(t)-before, int64(used/os.Getpagesize())
	if faults > pages/2 {
		t.Errorf("%d page faults while using %d pages that were taken before", faults, pages)
	}
}

//go:noinline
func use(b []byte) {
	for i := 0; i < len(b); i += os.Getpagesize() {
		b[i] = 1
	}
}

func pageFaults(t *testing.T) int64 {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return u.Minflt
}

func TestARampTakesAsMuchMemoryAsItsPlanNeeds(t *testing.T) {
	burst := func(n int, hold time.Duration) []schedule.Step {
		return []schedule.Step{{Slots: make([]schedule.Slot, n), Hold: hold}}
	}
	for name, c := range map[string]struct {
		job  rampJob
		want int
	}{
		"a burst":      {rampJob{steps: burst(16, 0)}, 16 * memoryOfOne},
		"large bursts": {rampJob{steps: burst(10_000, 0)}, mostMemory},
		"held":         {rampJob{steps: burst(1, time.Second)}, mostMemory},
		"search":       {rampJob{find: true}, mostMemory},
	} {
		if got := c.job.memory(); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}
