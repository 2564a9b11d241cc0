package stats

import (
	"math/bits"
	"slices"
)

// ranked is a sorted sample of which some values may not be known.
type ranked interface {
	len() int
	at(rank int) int64 // from 1
}

// whole is a sorted sample.
type whole []int64

func (s whole) len() int          { return len(s) }
func (s whole) at(rank int) int64 { return s[rank-1] }

// partly is a sorted sample of which only the values around some ranks are known.
type partly struct {
	n    int
	runs []run // in order
}

// run is values that follow each other in a sorted sample, the first of them at rank from.
type run struct {
	from   int
	values []int64
}

func (s *partly) len() int { return s.n }

func (s *partly) at(rank int) int64 {
	for _, r := range s.runs {
		if rank >= r.from && rank < r.from+len(r.values) {
			return r.values[rank-r.from]
		}
	}
	panic("stats: a rank that was not asked for")
}

// IntervalsOf is IntervalOf for several percentiles of a sample in any order,
// which it does not change. Of a large sample it sorts only what stands around
// them.
func IntervalsOf(sample []int64, ps ...Percentile) []PercentileInterval {
	sorted := rankedOf(sample, ps)
	out := make([]PercentileInterval, len(ps))
	for i, p := range ps {
		out[i] = intervalOf(sorted, p)
	}
	return out
}

func rankedOf(sample []int64, ps []Percentile) ranked {
	n := len(sample)
	if n <= radixFrom {
		return whole(Sorted(sample))
	}
	var ranks []int
	for _, p := range ps {
		low, high := lowerRank(n, p), upperRank(n, p)
		ranks = append(ranks, p.Rank(n), low, low+1, high-1, high)
	}
	return around(sample, ranks)
}

// around sorts those of the values that share a bucket of equal width with a rank.
func around(sample []int64, ranks []int) *partly {
	b := bucketsOf(sample)
	s := &partly{n: len(sample)}
	runOf := make([]int, len(b.counts)) // 1 for the first run
	rank := 1
	for at, count := range b.counts {
		wanted := func(r int) bool { return r >= rank && r < rank+count }
		if slices.ContainsFunc(ranks, wanted) {
			s.runs = append(s.runs, run{rank, make([]int64, 0, count)})
			runOf[at] = len(s.runs)
		}
		rank += count
	}
	for _, v := range sample {
		if at := runOf[b.of(v)]; at > 0 {
			r := &s.runs[at-1]
			r.values = append(r.values, v)
		}
	}
	for _, r := range s.runs {
		Sort(r.values)
	}
	return s
}

// buckets tell how many values lie in each of at most 8,192 ranges of one
// width, of which counting fits into a first-level cache.
type buckets struct {
	low    int64
	shift  int
	counts []int
}

const bucketBits = 13

func bucketsOf(sample []int64) buckets {
	low, high := slices.Min(sample), slices.Max(sample)
	span := uint64(high) - uint64(low)
	b := buckets{low: low, shift: max(0, bits.Len64(span)-bucketBits)}
	b.counts = make([]int, b.of(high)+1)
	for _, v := range sample {
		b.counts[b.of(v)]++
	}
	return b
}

func (b *buckets) of(v int64) int { return int((uint64(v) - uint64(b.low)) >> b.shift) }
