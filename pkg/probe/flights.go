package probe

import "time"

// maxDatagram is the room below the anti-amplification limit that one more datagram would have
// needed: quic-go's initial packet size.
const maxDatagram = 1280

// flights tells whether the server had to stop in the middle of its handshake flight because it had
// sent three times what it had received (RFC 9000 section 8.1): more than 3S minus one datagram
// arrived on the strength of the client's first flight of S bytes, then nothing for about a round
// trip, then more. The client sends two Initials when its key share is ML-KEM's, so the limit, and
// with it the answer, holds for the S actually sent.
type flights struct {
	first   int       // bytes the client sent before anything came back
	got     int       // bytes received on their strength
	begun   time.Time // first bytes sent
	firstIn time.Time
	lastIn  time.Time
	stall   bool
}

func (f *flights) sent(n int, now time.Time) {
	if f.begun.IsZero() {
		f.begun = now
	}
	if f.firstIn.IsZero() {
		f.first += n
	}
}

func (f *flights) received(n int, now time.Time) {
	if f.firstIn.IsZero() {
		f.firstIn = now
	} else if f.full() && now.Sub(f.lastIn) > f.roundTrip()/2 {
		f.stall = true
	}
	if !f.full() {
		f.got += n
	}
	f.lastIn = now
}

// full reports that the server could not have sent one more datagram.
func (f *flights) full() bool { return f.got > 3*f.first-maxDatagram }

func (f *flights) roundTrip() time.Duration { return f.firstIn.Sub(f.begun) }

func (f *flights) stalled() bool { return f.stall }
