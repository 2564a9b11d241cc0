package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// rarity is the percentage of the heap in use that may become garbage before a ramp collects it.
const rarity = 800

// What an exchange over TLS takes, with its goroutine's stack (the B/op of go test -bench ColdExchange
// -benchmem ./pkg/probe and 32 KiB), and what all of them take before the first collection: the runtime lets
// a heap grow to 4 MiB at a percentage of 100, and some is in use already.
const (
	memoryOfOne = 128 << 10
	mostMemory  = 4<<20*rarity/100 + 4<<20
)

// rareCollections lets garbage wait while bursts are under way: every collection takes time that the starts
// and the service's answers would wait for. The rarer it is, the less the runtime also gives back of memory
// that it takes again a moment later.
func rareCollections() (restore func()) {
	before := debug.SetGCPercent(rarity)
	return func() { debug.SetGCPercent(before) }
}

// memory is how many bytes this ramp's exchanges take before the first collection.
func (j *rampJob) memory() int {
	size := schedule.SizeOf(j.steps)
	if j.find || size.Held || size.Open {
		return mostMemory
	}
	return min(mostMemory, size.Slots*memoryOfOne)
}

// takeMemory has the system hand over n bytes now and keeps them free for what is to come. A page is given
// when it is first written to, each at the price of a fault: the first exchanges would pay for theirs while
// they are timed.
func takeMemory(n int) {
	room := make([]byte, n)
	for i := 0; i < len(room); i += os.Getpagesize() {
		room[i] = 1
	}
	runtime.GC()
}
