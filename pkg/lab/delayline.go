package lab

import (
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// cargo is one packet under way.
type cargo struct {
	due  time.Duration // since the Internet's start
	turn uint64        // order of arrival at the line, which breaks ties
	to   *Host
	pkt  *stack.PacketBuffer
	info parsed
}

func (c cargo) before(o cargo) bool {
	if c.due != o.due {
		return c.due < o.due
	}
	return c.turn < o.turn
}

// alarm rings once after a while. Setting it again replaces the time; a ring too
// many is allowed, one too few is not. The two implementations differ in how late
// they ring: see alarm_linux.go.
type alarm interface {
	set(after time.Duration)
	rings() <-chan struct{}
	close()
}

// delayLine hands over packets at their due time, one goroutine for a whole
// Internet. While nothing is under way it sleeps without a timer.
type delayLine struct {
	bell alarm
	now  func() time.Duration
	quit chan struct{}
	done chan struct{}

	mu     sync.Mutex // guards everything below
	heap   []cargo
	turns  uint64
	asleep bool // the goroutine waits for the bell, which push must then set
	closed bool
}

func newDelayLine(bell alarm, now func() time.Duration) *delayLine {
	d := &delayLine{bell: bell, now: now, quit: make(chan struct{}), done: make(chan struct{})}
	go d.run()
	return d
}

// push takes over the packet's reference.
func (d *delayLine) push(c cargo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		c.pkt.DecRef()
		return
	}
	c.turn = d.turns
	d.turns++
	d.heap = append(d.heap, c)
	d.up(len(d.heap) - 1)
	if d.asleep && d.heap[0].turn == c.turn {
		d.bell.set(c.due - d.now())
	}
}

func (d *delayLine) run() {
	defer close(d.done)
	var batch []cargo
	for {
		batch = d.take(batch[:0])
		for i, c := range batch {
			c.to.receive(c)
			batch[i] = cargo{}
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-d.bell.rings():
		case <-d.quit:
			return
		}
	}
}

// take moves what is due into batch, or sets the bell for what is due next.
func (d *delayLine) take(batch []cargo) []cargo {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	for len(d.heap) > 0 && d.heap[0].due <= now {
		batch = append(batch, d.pop())
	}
	d.asleep = len(batch) == 0
	if d.asleep && len(d.heap) > 0 {
		d.bell.set(d.heap[0].due - now)
	}
	return batch
}

// close drops what is under way and waits for the goroutine.
func (d *delayLine) close() {
	close(d.quit)
	<-d.done
	d.bell.close()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, c := range d.heap {
		c.pkt.DecRef()
	}
	d.heap = nil
}

// The binary heap is written out because container/heap would box every packet.

func (d *delayLine) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !d.heap[i].before(d.heap[parent]) {
			return
		}
		d.heap[i], d.heap[parent] = d.heap[parent], d.heap[i]
		i = parent
	}
}

func (d *delayLine) pop() cargo {
	last := len(d.heap) - 1
	first := d.heap[0]
	d.heap[0] = d.heap[last]
	d.heap[last] = cargo{}
	d.heap = d.heap[:last]
	d.down(0)
	return first
}

func (d *delayLine) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(d.heap); child++ {
			if d.heap[child].before(d.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		d.heap[i], d.heap[least] = d.heap[least], d.heap[i]
		i = least
	}
}
