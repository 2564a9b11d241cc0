package probe

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestFramingEndsReadsWhereRecordsDo feeds records in pieces of any size that framing has room for, and
// holds that no piece reaches into the next record.
func TestFramingEndsReadsWhereRecordsDo(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var stream []byte
		starts := map[int]bool{}
		for range 8 {
			starts[len(stream)] = true
			size := rng.IntN(600)
			stream = append(stream, 0x17, 3, 3, byte(size>>8), byte(size))
			stream = append(stream, bytes.Repeat([]byte{0x16}, size)...)
		}
		f := framing{on: true}
		for at := 0; at < len(stream); {
			if f.atStart() != starts[at] {
				t.Fatalf("seed %d: at byte %d of the stream, start of a record: %t", seed, at, f.atStart())
			}
			n := 1 + rng.IntN(min(f.room(), 40))
			for inside := at + 1; inside < at+n; inside++ {
				if starts[inside] {
					t.Fatalf("seed %d: a read of %d bytes at %d reaches into the record at %d", seed, n, at, inside)
				}
			}
			f.take(stream[at : at+n])
			at += n
		}
	}
}
