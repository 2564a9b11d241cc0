//go:build linux

package wan

import (
	"math/rand/v2"
	"time"
)

// Path is what happens to packets in one direction between two hosts. The zero Path carries every
// packet at once.
type Path struct {
	Delay   time.Duration // one way
	Jitter  time.Duration // up to this much more for each packet, uniformly; it never reorders
	Loss    float64       // share of packets lost at random, 0 to 1
	Reorder float64       // share of packets that overtake: they take half of Delay, 0 to 1
	Drop    Filter        // packets lost on purpose; nil loses none
}

// Filter reports whether a packet is to be lost. It is called once per packet in the order of
// arrival, never concurrently, so it may count.
type Filter func(Packet) bool

// DropFirst loses the first n packets that match.
func DropFirst(n int, match func(Packet) bool) Filter {
	return func(p Packet) bool {
		if n <= 0 || !match(p) {
			return false
		}
		n--
		return true
	}
}

// carrier is one direction at work.
type carrier struct {
	path Path
	last time.Time // when the latest packet in order is due
}

// due is when a packet that came in at now goes out; false when it is lost.
func (c *carrier) due(p Packet, now time.Time, rng *rand.Rand) (time.Time, bool) {
	if c.path.Drop != nil && c.path.Drop(p) {
		return time.Time{}, false
	}
	if c.path.Loss > 0 && rng.Float64() < c.path.Loss {
		return time.Time{}, false
	}
	if c.path.Reorder > 0 && rng.Float64() < c.path.Reorder {
		return now.Add(c.path.Delay / 2), true
	}
	at := now.Add(c.path.Delay)
	if c.path.Jitter > 0 {
		at = at.Add(time.Duration(rng.Int64N(int64(c.path.Jitter))))
	}
	if at.Before(c.last) {
		at = c.last
	}
	c.last = at
	return at, true
}
