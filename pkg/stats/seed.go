package stats

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// A stream's seed comes from what the arm holds: from its rows as a set, less
// each column's minimum and divided by what all differences share. So the same
// file gives the same interval whatever the order of its rows, a constant
// added to a column or another unit of time; and swapping arms swaps streams.

// rowHashes returns one hash per row of the content just described.
func (r Rows) rowHashes() []uint64 {
	hashes := make([]uint64, r.Len())
	columns := append([][]int64{r.Total}, r.Columns...)
	lows := make([]int64, len(columns))
	var divisor uint64
	for j, column := range columns {
		lows[j] = lowest(column[:len(hashes)])
		divisor = commonDivisor(divisor, column[:len(hashes)], lows[j])
	}
	divisor = max(divisor, 1)
	for j, column := range columns {
		for i := range hashes {
			hashes[i] = mix(hashes[i] ^ uint64(column[i]-lows[j])/divisor)
		}
	}
	return hashes
}

func lowest(values []int64) int64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Min(values)
}

func commonDivisor(divisor uint64, values []int64, low int64) uint64 {
	for _, v := range values {
		if divisor == 1 {
			return 1
		}
		for rest := uint64(v - low); rest != 0; {
			divisor, rest = rest, divisor%rest
		}
	}
	return divisor
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// armSeeds returns one seed per arm. Arms that are one another's shift or
// multiple would share a stream and so hide their noise: the greater one is
// told apart. Only an arm compared with itself keeps the same stream.
func armSeeds(before, after Rows, hashes [2][]uint64, orders [2][]int32) (seeds [2]uint64) {
	for side, rows := range hashes {
		for _, h := range rows {
			seeds[side] += h
		}
	}
	if seeds[0] == seeds[1] {
		switch compareRows(before, after, orders) {
		case -1:
			seeds[1]++
		case +1:
			seeds[0]++
		}
	}
	return seeds
}

func compareRows(before, after Rows, orders [2][]int32) int {
	for at := range min(len(orders[0]), len(orders[1])) {
		b, a := orders[0][at], orders[1][at]
		if c := cmp.Compare(before.Total[b], after.Total[a]); c != 0 {
			return c
		}
		for j := range min(len(before.Columns), len(after.Columns)) {
			if c := cmp.Compare(before.Columns[j][b], after.Columns[j][a]); c != 0 {
				return c
			}
		}
	}
	return cmp.Compare(len(orders[0]), len(orders[1]))
}

func stream(seed, purpose uint64) *rand.PCG { return rand.NewPCG(seed, purpose) }
