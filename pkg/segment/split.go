package segment

import (
	"fmt"
	"time"
)

// Split holds the measured leaves of one exchange. A leaf that did not occur or was not reached is
// absent, which is not zero. The zero Split has no leaf. A Split is a value of fixed size: copying
// it copies everything, and reading it from several goroutines is safe.
type Split struct {
	d   [NumMeasured]time.Duration
	set uint16
}

// Get returns the length of leaf k, and false when it is absent or k is no measured leaf.
func (s *Split) Get(k Key) (time.Duration, bool) {
	if !k.Measured() || s.set&(1<<k) == 0 {
		return 0, false
	}
	return s.d[k], true
}

// Set stores leaf k. It panics when k is no measured leaf: parts of wait and transfer and derived
// figures are computed on reading, never stored.
func (s *Split) Set(k Key, d time.Duration) {
	if !k.Measured() {
		panic("segment: Set of " + k.String() + ", which is not a measured leaf")
	}
	s.d[k] = d
	s.set |= 1 << k
}

// Has reports whether leaf k is present.
func (s *Split) Has(k Key) bool { return k.Measured() && s.set&(1<<k) != 0 }

// Len is the number of leaves present.
func (s *Split) Len() int {
	n := 0
	for set := s.set; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// Sum adds the leaves present.
func (s *Split) Sum() time.Duration {
	var sum time.Duration
	for k := range Key(NumMeasured) {
		if s.set&(1<<k) != 0 {
			sum += s.d[k]
		}
	}
	return sum
}

// Setup is race + tcp + proxy + tls, or race + quic: what the connection cost after its name was
// resolved. It is absent when the exchange reused a connection or never started an attempt.
func (s *Split) Setup() (time.Duration, bool) { return s.sumOf(Race, TCP, Proxy, TLS, QUIC) }

// TTFB is the time from the start to the first byte of the final response, absent when no final
// response began.
func (s *Split) TTFB() (time.Duration, bool) {
	if !s.Has(Transfer) {
		return 0, false
	}
	return s.Sum() - s.d[Transfer], true
}

func (s *Split) sumOf(keys ...Key) (sum time.Duration, any bool) {
	for _, k := range keys {
		if d, ok := s.Get(k); ok {
			sum, any = sum+d, true
		}
	}
	return sum, any
}

// Check returns an error when the split breaks the tiling law for an exchange of length total:
// a negative leaf, or a sum that differs from total by as little as one nanosecond.
func (s *Split) Check(total time.Duration) error {
	for k := range Key(NumMeasured) {
		if d, ok := s.Get(k); ok && d < 0 {
			return fmt.Errorf("segment %s is negative: %d ns", k, d)
		}
	}
	if sum := s.Sum(); sum != total {
		return fmt.Errorf("segments sum to %d ns, total is %d ns", sum, total)
	}
	return nil
}
