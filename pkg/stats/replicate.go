package stats

import (
	"cmp"
	"slices"
)

// Purposes keep apart the streams that one seed gives.
const (
	forRows = iota
	forPairs
)

// replicators returns the two arms' sources of replicates, coupled through
// the pairs.
func replicators(arms [2]arm, p Percentile, pairs [][2]int32) [2]replicator {
	seeds := armSeeds(arms[0].rows, arms[1].rows, [2][]uint64{arms[0].hashes, arms[1].hashes}, [2][]int32{arms[0].order, arms[1].order})
	paired := newPairing(arms, pairs)
	var sides [2]replicator
	for side := range arms {
		if max(len(paired.sent), arms[side].split.N) > resampleUpTo {
			sides[side] = arms[side].blocks(p, seeds[side], paired, side)
		} else {
			sides[side] = arms[side].resampler(seeds[side], paired, side)
		}
	}
	return sides
}

// pairing holds the pairs and the seed of their common stream.
type pairing struct {
	sent [][2]int32 // in send order
	seed uint64
	// list is in an order that depends neither on send order nor on which arm
	// is before; empty where rows are not drawn one by one.
	list [][2]int32
}

func newPairing(arms [2]arm, pairs [][2]int32) pairing {
	p := pairing{sent: slices.DeleteFunc(slices.Clone(pairs), func(pair [2]int32) bool {
		return !arms[0].has(pair[0]) || !arms[1].has(pair[1])
	})}
	key := func(pair [2]int32) uint64 { return arms[0].hashes[pair[0]] + arms[1].hashes[pair[1]] }
	total := func(pair [2]int32) int64 { return arms[0].rows.Total[pair[0]] + arms[1].rows.Total[pair[1]] }
	for _, pair := range p.sent {
		p.seed += mix(key(pair))
	}
	if len(p.sent) > resampleUpTo {
		return p
	}
	p.list = slices.Clone(p.sent)
	slices.SortStableFunc(p.list, func(a, b [2]int32) int {
		return cmp.Or(cmp.Compare(total(a), total(b)), cmp.Compare(key(a), key(b)))
	})
	return p
}

func (a arm) has(row int32) bool { return row >= 0 && int(row) < a.split.N }

func (a arm) resampler(seed uint64, paired pairing, side int) replicator {
	position := make([]int32, len(a.order))
	for at, row := range a.order {
		position[row] = int32(at)
	}
	together := make([]int32, 0, len(paired.list))
	alone := make([]bool, len(a.order))
	for at := range alone {
		alone[at] = true
	}
	for _, pair := range paired.list {
		at := position[pair[side]]
		together = append(together, at)
		alone[at] = false
	}
	return newRowResampler(a.rows.pick(a.order), a.split, []drawGroup{
		{stream: stream(paired.seed, forPairs), rows: together},
		{stream: stream(seed, forRows), rows: indexesOf(alone)},
	})
}

// blocks couples the arms by giving both the same stream over blocks of the
// same pairs; rows without a partner are then left out of the spread.
func (a arm) blocks(p Percentile, seed uint64, paired pairing, side int) replicator {
	if len(paired.sent) <= resampleUpTo {
		return newBlockReplicator(a.rows, firstIndexes(a.split.N), a.split, p, stream(seed, forRows))
	}
	rows := make([]int32, len(paired.sent))
	for i, pair := range paired.sent {
		rows[i] = pair[side]
	}
	return newBlockReplicator(a.rows, rows, a.split, p, stream(paired.seed, forPairs))
}

func firstIndexes(n int) []int32 {
	indexes := make([]int32, n)
	for i := range indexes {
		indexes[i] = int32(i)
	}
	return indexes
}

func indexesOf(set []bool) []int32 {
	var indexes []int32
	for i, in := range set {
		if in {
			indexes = append(indexes, int32(i))
		}
	}
	return indexes
}
