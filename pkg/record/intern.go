package record

import "encoding/binary"

// interner gives equal bytes the same string, so that what repeats line after line is allocated
// once. It is a cache of pairs: a string that is met again moves to the front of its pair, so values
// that never repeat push out only each other. They cost an allocation but no memory: what the hashes
// tell apart is not looked up.
type interner struct {
	pairs  [][2]string
	hashes [][2]uint32
}

const (
	internBits = 11      // of the number of pairs: 64 KiB of them, inside a second-level cache
	internLong = 1 << 10 // bytes of the longest string kept
)

func (t *interner) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > internLong {
		return string(b)
	}
	if t.pairs == nil {
		t.pairs, t.hashes = make([][2]string, 1<<internBits), make([][2]uint32, 1<<internBits)
	}
	slot, hash := hashOf(b)
	pair, hashes := &t.pairs[slot], &t.hashes[slot]
	if hashes[0] == hash && pair[0] == string(b) {
		return pair[0]
	}
	if hashes[1] != hash || pair[1] != string(b) {
		pair[1], hashes[1] = string(b), hash
		return pair[1]
	}
	pair[0], pair[1] = pair[1], pair[0]
	hashes[0], hashes[1] = hashes[1], hashes[0]
	return pair[0]
}

// hashOf mixes the length, the first and the last bytes: keys of one run differ there.
func hashOf(b []byte) (slot uint, hash uint32) {
	h := uint64(len(b)) * 0x9e3779b97f4a7c15
	if len(b) >= 8 {
		h ^= binary.LittleEndian.Uint64(b) * 0xff51afd7ed558ccd
		h = (h ^ h>>29) + binary.LittleEndian.Uint64(b[len(b)-8:])
	} else {
		for _, c := range b {
			h = (h ^ uint64(c)) * 0x100000001b3
		}
	}
	h *= 0xc4ceb9fe1a85ec53
	return uint(h >> (64 - internBits)), uint32(h >> (32 - internBits))
}
