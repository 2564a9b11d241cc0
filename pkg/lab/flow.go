package lab

import (
	"net/netip"
	"sync"
	"time"
)

// flow watches one TCP connection from its host's side of the wire, as a kernel
// does: the stack's own RTT is smoothed and, where it rests on the timestamp
// option, whole milliseconds; the least of the raw samples is asked of it here.
type flow struct {
	first uint32 // the initial sequence number

	mu       sync.Mutex // guards everything below
	connect  time.Duration
	least    time.Duration
	retrans  uint32
	sentTo   uint32 // the sequence number after the last byte sent
	timing   bool   // one segment at a time is timed, RFC 6298 section 4
	awaiting uint32 // its acknowledgment
	sentAt   time.Duration
	syn      bool // it is the SYN or the SYN-ACK
}

// sent notes a segment that leaves the host. By Karn's rule a segment sent again
// is not timed; a SYN is an exception, as its retransmissions are a second and
// more apart and the timestamp option tells them from each other.
func (f *flow) sent(p parsed, now time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.span() == 0 {
		return
	}
	end := p.seq + p.span()
	again := f.sentTo != 0 && after(f.sentTo, p.seq)
	if again {
		f.retrans++
		f.timing = false
	}
	if f.sentTo == 0 || after(end, f.sentTo) {
		f.sentTo = end
	}
	if p.SYN || (!f.timing && !again) {
		f.timing, f.awaiting, f.sentAt, f.syn = true, end, now, p.SYN
	}
}

// received notes a segment that reached the host.
func (f *flow) received(p parsed, now time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.timing || !p.ACK || after(f.awaiting, p.ack) {
		return
	}
	sample := now - f.sentAt
	f.timing = false
	if f.syn && f.connect == 0 {
		f.connect = sample
	}
	if f.least == 0 || sample < f.least {
		f.least = sample
	}
}

// after compares sequence numbers modulo 2^32, RFC 9293 section 3.4.
func after(a, b uint32) bool { return int32(a-b) > 0 }

func (f *flow) info() (connect, least time.Duration, retrans uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.connect, f.least, f.retrans
}

type flowKey struct{ local, remote netip.AddrPort }

// meter holds a host's flows, from their SYN or SYN-ACK until they are forgotten.
type meter struct {
	mu    sync.Mutex // guards flows
	flows map[flowKey]*flow
}

func newMeter() *meter { return &meter{flows: map[flowKey]*flow{}} }

func (m *meter) sent(p parsed, now time.Duration) {
	if p.Proto != TCP {
		return
	}
	key := flowKey{p.Src, p.Dst}
	if f := m.open(key, p); f != nil {
		f.sent(p, now)
	}
	if p.RST {
		m.forget(key)
	}
}

func (m *meter) received(p parsed, now time.Duration) {
	if p.Proto != TCP {
		return
	}
	key := flowKey{p.Dst, p.Src}
	if f := m.find(key); f != nil {
		f.received(p, now)
	}
	if p.RST {
		m.forget(key)
	}
}

// open returns the flow a segment belongs to. A SYN begins one, unless it is sent
// again; a flow left over from a handshake that never ended gives way.
func (m *meter) open(key flowKey, p parsed) *flow {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.flows[key]
	if p.SYN && (f == nil || f.first != p.seq) {
		f = &flow{first: p.seq}
		m.flows[key] = f
	}
	return f
}

func (m *meter) find(key flowKey) *flow {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.flows[key]
}

func (m *meter) forget(key flowKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.flows, key)
}
