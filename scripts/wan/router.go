//go:build linux

package wan

import (
	"container/heap"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// router carries packets between TUN devices on one thread of its own: goroutines would be woken up to
// a millisecond late, because Go's poller counts in milliseconds.
type router struct {
	wake int // eventfd
	done chan struct{}

	mu      sync.Mutex // guards all below
	stop    bool
	rng     *rand.Rand
	ports   []int // descriptor of each host's device
	owner   map[netip.Addr]int
	paths   map[[2]int]*carrier
	flying  flight
	serial  uint64
	scratch [1 << 16]byte
}

func newRouter(seed uint64) (*router, error) {
	wake, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	r := &router{
		wake: wake, done: make(chan struct{}), rng: rand.New(rand.NewPCG(seed, seed)),
		owner: map[netip.Addr]int{}, paths: map[[2]int]*carrier{},
	}
	go r.run()
	return r, nil
}

// attach adds a host's device and returns its number.
func (r *router) attach(fd int, addrs []netip.Addr) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	port := len(r.ports)
	r.ports = append(r.ports, fd)
	for _, a := range addrs {
		r.owner[a] = port
	}
	r.kick()
	return port
}

// route sets the path from one host to another; packets under way keep their time.
func (r *router) route(from, to int, p Path) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[[2]int{from, to}] = &carrier{path: p}
}

func (r *router) kick() { unix.Write(r.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0}) }

// close ends the thread and closes what it read from.
func (r *router) close() {
	r.mu.Lock()
	r.stop = true
	r.kick()
	r.mu.Unlock()
	<-r.done
	for _, fd := range r.ports {
		unix.Close(fd)
	}
	unix.Close(r.wake)
}

// run owns its thread for life: its scheduling class must not leak to other goroutines.
func (r *router) run() {
	defer close(r.done)
	runtime.LockOSThread()
	punctual()
	for {
		fds, timeout, stop := r.next()
		if stop {
			return
		}
		if _, err := unix.Ppoll(fds, timeout, nil); err != nil && err != unix.EINTR {
			return
		}
		r.work(fds)
	}
}

// punctual asks for timers without slack and for a processor before ordinary threads. Both are only
// asked for: without them packets come some 0.1 ms late under load.
func punctual() {
	const roundRobin, priority = 2, 10
	unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: roundRobin, Priority: priority}, 0)
}

// next is what to wait for and how long.
func (r *router) next() ([]unix.PollFd, *unix.Timespec, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fds := make([]unix.PollFd, 0, len(r.ports)+1)
	fds = append(fds, unix.PollFd{Fd: int32(r.wake), Events: unix.POLLIN})
	for _, fd := range r.ports {
		fds = append(fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	if len(r.flying) == 0 {
		return fds, nil, r.stop
	}
	wait := unix.NsecToTimespec(int64(max(0, time.Until(r.flying[0].due))))
	return fds, &wait, r.stop
}

// work delivers what is due and takes in what came.
func (r *router) work(fds []unix.PollFd) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deliver()
	for i, fd := range fds {
		if fd.Revents&unix.POLLIN == 0 {
			continue
		}
		if i == 0 {
			unix.Read(r.wake, r.scratch[:8])
			continue
		}
		r.drain(i - 1)
	}
	r.deliver()
}

func (r *router) deliver() {
	for len(r.flying) > 0 && !r.flying[0].due.After(time.Now()) {
		p := heap.Pop(&r.flying).(flyer)
		unix.Write(r.ports[p.to], p.packet)
	}
}

// drain takes every packet waiting on a port. One to an address nobody has, or to a host no path leads
// to, is dropped as a router without a route drops it.
func (r *router) drain(from int) {
	for {
		n, err := unix.Read(r.ports[from], r.scratch[:])
		if err != nil || n <= 0 {
			return
		}
		packet := Packet(r.scratch[:n])
		to, ok := r.owner[packet.Destination()]
		if !ok {
			continue
		}
		path := r.paths[[2]int{from, to}]
		if path == nil {
			continue
		}
		if due, ok := path.due(packet, time.Now(), r.rng); ok {
			r.serial++
			heap.Push(&r.flying, flyer{due: due, serial: r.serial, to: to, packet: append(Packet(nil), packet...)})
		}
	}
}

// flyer is a packet under way.
type flyer struct {
	due    time.Time
	serial uint64
	to     int
	packet Packet
}

// flight is a heap of packets by the time they are due, then by the order they came in.
type flight []flyer

func (f flight) Len() int { return len(f) }
func (f flight) Less(i, j int) bool {
	if f[i].due.Equal(f[j].due) {
		return f[i].serial < f[j].serial
	}
	return f[i].due.Before(f[j].due)
}
func (f flight) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flight) Push(x any)   { *f = append(*f, x.(flyer)) }
func (f *flight) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}
