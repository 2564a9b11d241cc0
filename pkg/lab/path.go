package lab

import (
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip/header"
)

// Path is one direction of the way between two hosts. The zero value delivers
// everything at once.
type Path struct {
	// Delay is the one-way delay; no packet arrives sooner.
	Delay time.Duration
	// Jitter is the most a packet may take beyond Delay; each draws its share
	// uniformly from [0, Jitter).
	Jitter time.Duration
	// Loss is the share of packets lost at random, 0 to 1, each on its own.
	Loss float64
	// Rate is in bits a second, IP headers counted; 0 is unlimited.
	Rate int64
	// Queue is how long a packet may wait for its turn at Rate before it is
	// dropped instead; 0 means 200 ms.
	Queue time.Duration
	// MTU is the largest IP packet in bytes; 0 means whatever the hosts send. A
	// larger one is dropped and its sender told the limit by ICMP, one Delay later.
	// The stack then finds its way, though slower than Linux: a segment for each
	// retransmission timeout.
	MTU int
	// Mute holds that ICMP message back, which makes the MTU a black hole.
	Mute bool
	// Clamp lowers the segment size a SYN offers to what fits the MTU, as access
	// routers do; set in both directions, TCP then never meets the limit.
	Clamp bool
	// Reorder lets jitter overtake; otherwise packets leave in the order they came.
	Reorder bool
	// Rules are all asked about every packet, in order; one is enough to drop it.
	Rules []Rule
}

const defaultQueue = 200 * time.Millisecond

// PathRTT returns a path that spends half of rtt, so that both directions
// together never take less than rtt.
func PathRTT(rtt time.Duration) Path { return Path{Delay: (rtt + 1) / 2} }

// Traffic counts packets by what became of them.
type Traffic struct {
	Sent   int // handed to the path
	Lost   int // by Path.Loss
	Ruled  int // dropped by a Rule
	Queued int // dropped because the queue at Path.Rate was full
	TooBig int // larger than Path.MTU
}

type fate uint8

const (
	carried fate = iota
	dropped
	tooBig
)

// pipe is a Path at work: its random streams and the instants that keep rate and order.
type pipe struct {
	mu      sync.Mutex // guards everything below
	path    Path
	loss    *rand.Rand
	jitter  *rand.Rand
	free    time.Duration // when the last packet has left at Rate
	lastDue time.Duration
	count   Traffic
}

// newPipe seeds loss and jitter apart, so that asking for one leaves the other's
// draws as they were.
func newPipe(seed uint64, from, to string, p Path) *pipe {
	key := fnv.New64a()
	_, _ = key.Write([]byte(from + "\x00" + to))
	return &pipe{
		path:   p,
		loss:   rand.New(rand.NewPCG(seed, key.Sum64())),
		jitter: rand.New(rand.NewPCG(^seed, key.Sum64())),
	}
}

func (p *pipe) set(path Path) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.path = path
}

func (p *pipe) get() Path {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.path
}

func (p *pipe) traffic() Traffic {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

// admit decides a packet's fate and, if it is carried, when it arrives.
func (p *pipe) admit(pkt Packet, now time.Duration) (due time.Duration, f fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count.Sent++
	if p.ruled(pkt) {
		p.count.Ruled++
		return 0, dropped
	}
	if p.path.MTU > 0 && pkt.Size > p.path.MTU {
		p.count.TooBig++
		return 0, tooBig
	}
	leave, ok := p.transmit(pkt.Size, now)
	if !ok {
		p.count.Queued++
		return 0, dropped
	}
	if p.path.Loss > 0 && p.loss.Float64() < p.path.Loss {
		p.count.Lost++
		return 0, dropped
	}
	return p.arrival(leave), carried
}

// ruled asks every rule, because each counts the packets it has seen.
func (p *pipe) ruled(pkt Packet) bool {
	drop := false
	for _, r := range p.path.Rules {
		if r(pkt) {
			drop = true
		}
	}
	return drop
}

// transmit returns when the last bit of the packet has left the sender.
func (p *pipe) transmit(size int, now time.Duration) (leave time.Duration, ok bool) {
	if p.path.Rate <= 0 {
		return now, true
	}
	limit := p.path.Queue
	if limit <= 0 {
		limit = defaultQueue
	}
	begin := max(now, p.free)
	if begin-now > limit {
		return 0, false
	}
	bits := float64(size) * 8
	p.free = begin + time.Duration(bits/float64(p.path.Rate)*float64(time.Second))
	return p.free, true
}

func (p *pipe) arrival(leave time.Duration) time.Duration {
	due := leave + p.path.Delay
	if p.path.Jitter > 0 {
		due += time.Duration(p.jitter.Int64N(int64(p.path.Jitter)))
	}
	if p.path.Reorder {
		return due
	}
	p.lastDue = max(p.lastDue, due)
	return p.lastDue
}

// segmentLimit is the largest segment size a SYN may offer on this path; 0 means
// it may offer any.
func (p *pipe) segmentLimit(info parsed) uint16 {
	if !info.SYN {
		return 0
	}
	path := p.get()
	if !path.Clamp || path.MTU <= 0 {
		return 0
	}
	headers := header.IPv4MinimumSize + header.TCPMinimumSize
	if info.Dst.Addr().Is6() {
		headers = header.IPv6MinimumSize + header.TCPMinimumSize
	}
	return uint16(max(path.MTU-headers, 1))
}
