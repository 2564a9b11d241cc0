package schedule

import (
	"math/rand/v2"
)

// purpose keeps the streams of one seed apart: asking for more jitter must not change the order.
type purpose uint64

const (
	forOrder  purpose = 0x6f72646572
	forJitter purpose = 0x6a6974746572
	forMix    purpose = 0x6d6978
)

// stream returns the generator of one seed, purpose and position. Each position has its own, so
// that a plan extended later equals the longer plan made at once.
func stream(seed uint64, p purpose, position int) *rand.Rand {
	g := rand.New(rand.NewPCG(seed, uint64(p)<<20^uint64(position)))
	g.Uint64() // neighbouring positions differ in few bits; one step mixes them
	return g
}
