package main

import (
	"runtime/metrics"
	"testing"
)

// The first exchanges of a ramp took the memory they needed from the system one page at a time, and a third
// of what a burst seemed to wait for the service was that.
func TestARampHasItsMemoryBeforeTheFirstRequest(t *testing.T) {
	defer rareCollections()()
	takeMemory(mostMemory)
	free := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(free)
	if got := free[0].Value.Uint64(); got < mostMemory*3/4 {
		t.Errorf("%d bytes are free and not given back, want about %d", got, mostMemory)
	}
}
