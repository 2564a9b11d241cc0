package record

import "encoding/binary"

// interner gives equal bytes the same string, so that what repeats line after line is allocated
// once. A small table in front answers most questions without hashing every byte; the map behind
// it is emptied when full, so values that never repeat cost an allocation but no memory.
type interner struct {
	table [512]string
	all   map[string]string
}

const (
	internMany = 1 << 14 // strings kept; a run with more distinct ones repeats few of them
	internLong = 1 << 10 // bytes of the longest string kept
)

func (t *interner) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	slot := &t.table[slotOf(b)]
	if *slot == string(b) {
		return *slot
	}
	if len(b) > internLong {
		return string(b)
	}
	*slot = t.slow(b)
	return *slot
}

func (t *interner) slow(b []byte) string {
	if s, ok := t.all[string(b)]; ok {
		return s
	}
	if t.all == nil || len(t.all) >= internMany {
		t.all = make(map[string]string)
	}
	s := string(b)
	t.all[s] = s
	return s
}

// slotOf mixes the length, the first and the last bytes: keys of one run differ there.
func slotOf(b []byte) uint {
	h := uint64(len(b)) * 0x9e3779b97f4a7c15
	if len(b) >= 8 {
		h ^= binary.LittleEndian.Uint64(b) * 0xff51afd7ed558ccd
		h = (h ^ h>>29) + binary.LittleEndian.Uint64(b[len(b)-8:])
	} else {
		for _, c := range b {
			h = (h ^ uint64(c)) * 0x100000001b3
		}
	}
	return uint(h * 0xc4ceb9fe1a85ec53 >> (64 - 9))
}
